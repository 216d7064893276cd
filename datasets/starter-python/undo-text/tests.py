def test_append_and_delete():
    buffer = UndoText()
    assert buffer.text() == ""
    buffer.append("hello")
    buffer.append(" world")
    assert buffer.text() == "hello world"
    buffer.delete(3)
    assert buffer.text() == "hello wo"


def test_delete_nothing_or_too_much():
    buffer = UndoText()
    buffer.append("abc")
    buffer.delete(0)
    assert buffer.text() == "abc"
    buffer.delete(10)
    assert buffer.text() == ""
    buffer.append("abcd")
    buffer.delete(5)
    assert buffer.text() == ""


def test_undo():
    buffer = UndoText()
    buffer.append("one")
    buffer.append("two")
    buffer.delete(4)
    assert buffer.undo() is True
    assert buffer.text() == "onetwo"
    assert buffer.undo() is True
    assert buffer.text() == "one"


def test_redo():
    buffer = UndoText()
    buffer.append("a")
    buffer.append("b")
    buffer.undo()
    buffer.undo()
    assert buffer.redo() is True
    assert buffer.text() == "a"
    assert buffer.redo() is True
    assert buffer.text() == "ab"


def test_nothing_to_undo_or_redo():
    buffer = UndoText()
    assert buffer.undo() is False
    assert buffer.redo() is False
    buffer.append("x")
    assert buffer.redo() is False
    assert buffer.undo() is True
    assert buffer.undo() is False
    assert buffer.redo() is True
    assert buffer.undo() is True
    assert buffer.text() == ""


def test_new_edit_forgets_undone_edits():
    buffer = UndoText()
    buffer.append("a")
    buffer.append("b")
    buffer.undo()
    buffer.append("c")
    assert buffer.redo() is False
    assert buffer.text() == "ac"


def test_two_texts_are_apart():
    first, second = UndoText(), UndoText()
    first.append("only here")
    assert second.text() == ""
    assert second.undo() is False
    assert first.text() == "only here"
