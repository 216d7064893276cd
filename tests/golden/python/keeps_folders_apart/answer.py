def note(text):
    with open("notes.txt", "a") as notes:
        notes.write(text)
    with open("notes.txt") as notes:
        return notes.read()
