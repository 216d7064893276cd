def parse_duration(text):
    units = {"d": 86400, "h": 3600, "m": 60, "s": 1}
    allowed = "dhms"
    seconds, number = 0, ""
    for character in text.strip():
        if character in "0123456789":
            number += character
        elif number and character in allowed:
            seconds += int(number) * units[character]
            allowed = allowed[allowed.index(character) + 1 :]
            number = ""
        else:
            raise ValueError(f"not a duration: {text!r}")
    if number or allowed == "dhms":
        raise ValueError(f"not a duration: {text!r}")
    return seconds
