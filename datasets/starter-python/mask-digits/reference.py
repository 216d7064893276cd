def mask_digits(text, keep=4):
    hidden = sum(character in "0123456789" for character in text) - keep
    result = []
    for character in text:
        if character in "0123456789":
            hidden -= 1
            result.append("*" if hidden >= 0 else character)
        else:
            result.append(character)
    return "".join(result)
