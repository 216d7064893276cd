from string import Template


def fill_letter(template, values):
    names = set()
    for match in Template.pattern.finditer(template):
        names.add(match.group("named") or match.group("braced"))
    missing = sorted(name for name in names if name and name not in values)
    return Template(template).safe_substitute(values), missing
