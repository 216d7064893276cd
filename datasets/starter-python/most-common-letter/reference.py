def most_common_letter(text):
    letters = [character for character in text.lower() if character.isalpha()]
    return max(letters, key=letters.count)
