from difflib import SequenceMatcher


def closest_command(word, commands):
    best, best_ratio = None, 0.0
    for command in commands:
        ratio = SequenceMatcher(None, command.lower(), word.lower()).ratio()
        if ratio >= 0.6 and ratio > best_ratio:
            best, best_ratio = command, ratio
    return best
