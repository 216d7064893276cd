"""What opens above the grading screen: the help, and the line for a comment."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Input, Static


class Help(ModalScreen[None]):
    """The whole rubric and the keys; any key that does not scroll closes it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box"):
            yield Static(Text(self._text))

    def on_key(self, event: Key) -> None:
        if event.key in ("up", "down", "pageup", "pagedown", "home", "end"):
            return
        event.stop()
        box = self.query_one(VerticalScroll)
        if event.key in ("space", "j"):
            box.scroll_page_down(animate=False)
        elif event.key == "k":
            box.scroll_page_up(animate=False)
        else:
            self.dismiss()


class Comment(ModalScreen[str | None]):
    """Asks for a line; Escape gives up."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, title: str, before: str) -> None:
        super().__init__()
        self._title, self._before = title, before

    def compose(self) -> ComposeResult:
        field = Input(self._before)
        field.border_title = self._title
        yield field

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())
