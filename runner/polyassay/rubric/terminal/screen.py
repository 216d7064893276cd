"""The full-screen terminal interface: one key a score."""

from collections.abc import Callable
from typing import ClassVar

from rich.cells import cell_len
from rich.syntax import Syntax
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from polyassay.errors import PolyAssayError
from polyassay.languages.highlight import BriefLexer
from polyassay.model import Language
from polyassay.rubric.room.room import SIDES, Room
from polyassay.rubric.room.view import View
from polyassay.rubric.room.words import word
from polyassay.rubric.terminal.dialogues import Comment, Help
from polyassay.rubric.terminal.panel import headline, key_line, rubric_text

WIDE, HIGH = 100, 32  # from this size on, task and answer stand side by side
SCROLLING = {"Space j": "down", "k": "up"}
THIN = 80  # below this width, two answers stand one above the other


class GradingScreen(App[None]):
    """Draws a Room, and hands it the keys."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #head { height: 1; padding: 0 1; }
    #place { width: 1fr; color: $text-accent; }
    #keys { width: auto; color: $text-muted; }
    .narrow #head { layout: vertical; height: auto; }
    .narrow #place, .narrow #keys { width: 100%; height: auto; }
    #work { height: 1fr; }
    .panel { border: round $surface-lighten-3; padding: 0 1; border-title-color: $text-muted; }
    #task { width: 2fr; }
    #answers { width: 3fr; }
    .answer { width: 1fr; }
    .stacked #row { layout: vertical; }
    .small .panel { border: none; border-top: round $surface-lighten-3; }
    .stacked #task { width: 100%; height: auto; max-height: 50%; }
    .stacked #answers { width: 100%; height: 1fr; }
    .thin #answers { layout: vertical; }
    .thin .answer { width: 100%; height: 1fr; }
    #rubric { height: auto; padding: 0 1; }
    ModalScreen { align: center middle; }
    .box { width: 90%; max-width: 110; height: auto; max-height: 100%; border: round $accent;
           padding: 0 2; background: $surface; }
    Comment Input { width: 90%; border: round $accent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(n), f"press('{n}')", show=False) for n in range(10)),
        *(Binding(key, f"press('{key}')", show=False) for key in "ubnsfdr"),
        *(Binding(key, f"press('{key}')", show=False) for key in ("left", "right", "enter")),
        Binding("up", "press('up')", show=False),
        Binding("down", "press('down')", show=False),
        Binding("c", "comment", show=False),
        Binding("j,pagedown,space", "scroll(1)", show=False),
        Binding("k,pageup", "scroll(-1)", show=False),
        Binding("question_mark", "help", show=False),
        Binding("q,ctrl+c", "quit", show=False, priority=False),
    ]

    def __init__(self, room: Room) -> None:
        super().__init__()
        self._room = room
        self.problem: PolyAssayError | None = None  # why the session ended by itself
        self._drawn: object = None  # what stands in the panels
        self._item = 0  # whose task is in view

    def compose(self) -> ComposeResult:
        with Vertical(id="all"):
            with Horizontal(id="head"):
                yield Static(id="place")
                yield Static(id="keys")
            with Vertical(id="work"), Horizontal(id="row"):
                with VerticalScroll(id="task", classes="panel", can_focus=False) as task:
                    task.border_title = word("task", self._room.language)
                    yield Static(id="prompt")
                with Horizontal(id="answers"):
                    for side in SIDES:
                        with VerticalScroll(
                            id=f"answer-{side}", classes="panel answer", can_focus=False
                        ):
                            yield Static(id=f"code-{side}")
            yield Static(id="rubric")

    def on_mount(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        """Drawn once textual has taken the new size, which it does after this."""
        self.call_later(self._draw_anew)

    def _draw_anew(self) -> None:
        self._drawn = None
        self._draw()

    # Keys.

    def _do(self, act: Callable[[], object]) -> None:
        """Does what a key asks for, and draws; a store that fails ends the session."""
        try:
            act()
        except PolyAssayError as error:
            self.problem = error
            self.exit()
        finally:
            self._draw()

    def action_press(self, key: str) -> None:
        self._do(lambda: self._room.press(key))

    def action_scroll(self, direction: int) -> None:
        for panel in self.query(".panel"):
            (panel.scroll_page_down if direction > 0 else panel.scroll_page_up)(animate=False)

    def action_help(self) -> None:
        self.push_screen(Help(self._room.handbook(SCROLLING)))

    def action_comment(self) -> None:
        if self._room.desk.finished:
            return
        name, before = self._room.comment_before()

        def keep(text: str | None) -> None:
            if text is not None and text != before:
                self._do(lambda: self._room.press("c", text))

        title = word("comment_title", self._room.language, name=name)
        self.push_screen(Comment(title, before), keep)

    # Drawing.

    def _draw(self) -> None:
        view = self._room.view()
        self._draw_head(view)
        if view.finished:
            self._drawn = None
            self.query_one("#prompt", Static).update(Text(view.closing))
            self.query_one("#answers").display = False
            self.query_one("#rubric", Static).update("")
            return
        drawn = (view.number, bool(view.reference), bool(view.difference))
        if self._drawn != drawn:
            self._drawn = drawn
            self._draw_item(view)
        if self._item != view.number:
            self._item = view.number
            self.query_one("#task").scroll_home(animate=False)
        width = self.size.width - 2
        panel = rubric_text(view, self._colour("accent"), self._compact, width)
        self.query_one("#rubric", Static).update(panel)

    def _draw_head(self, view: View) -> None:
        """On one line where it fits; else the keys have lines of their own."""
        language, width = self._room.language, self.size.width - 2
        more = [("?", word("help", language)), ("q", word("quit", language))]
        keys = key_line(view.keys, more, width)
        # An answer to a key takes the headline's place, where it hides nothing that is graded.
        place = view.notice or headline(view.where, width)
        narrow = self.size.width < WIDE or cell_len(place) + 3 + keys.cell_len > width
        self.query_one("#all").set_class(narrow, "narrow")
        self.query_one("#all").set_class(self.size.width < THIN, "thin")
        self.query_one("#place", Static).update(Text(place, "bold" if view.notice else ""))
        self.query_one("#keys", Static).update(keys)

    def _colour(self, name: str) -> str:
        return self.get_css_variables()[name]

    @property
    def _compact(self) -> bool:
        """The whole rubric would leave too little room for the code."""
        return self.size.width < WIDE or self.size.height < HIGH

    def _draw_item(self, view: View) -> None:
        prompt = Text(view.prompt)
        if view.signature:
            prompt.append(("\n" if self._compact else "\n\n") + view.signature, "bold")
        if view.rule and not self._compact:
            prompt.append("\n\n" + view.rule, "dim italic")
        self.query_one("#prompt", Static).update(prompt)
        self.query_one("#answers").display = True
        self.query_one("#work").set_class(self._compact or len(view.answers) > 1, "stacked")
        self.query_one("#work").set_class(self._compact, "small")
        panels = self._panels(view)
        for side, name in enumerate(SIDES):
            panel = self.query_one(f"#answer-{name}")
            panel.display = side < len(panels)
            if panel.display:
                panel.border_title, shown = panels[side]
                panel.scroll_home(animate=False)
                self.query_one(f"#code-{name}", Static).update(shown)

    def _panels(self, view: View) -> list[tuple[str, Syntax | Text]]:
        """The answers, or what was asked for instead: their difference, or the reference beside."""
        if view.difference:
            return [(word("difference", self._room.language), _difference(view))]
        panels: list[tuple[str, Syntax | Text]] = [
            (answer.title, self._code(answer.code, view.language)) for answer in view.answers
        ]
        if view.reference:
            shown = self._code(view.reference, view.language)
            panels = [*panels[:1], (word("reference", self._room.language), shown)]
        return panels

    def _code(self, code: str, language: str) -> Syntax:
        return Syntax(
            code.rstrip(),
            BriefLexer(Language(language)),
            line_numbers=True,
            word_wrap=True,
            background_color=self._colour("background"),
        )


def _difference(view: View) -> Text:
    styles = {"-": "red", "+": "green"}
    text = Text()
    for sign, line in view.difference:
        text.append(f"{sign} {line}\n", styles.get(sign, ""))
    return text
