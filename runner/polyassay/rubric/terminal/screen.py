"""The full-screen terminal interface: one key a score."""

from collections.abc import Callable
from typing import ClassVar

from rich.syntax import Syntax
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from polyassay.errors import PolyAssayError
from polyassay.languages.highlight import BriefLexer
from polyassay.model import CandidateKey
from polyassay.rubric.blind import printable
from polyassay.rubric.grading import Grading
from polyassay.rubric.terminal.panel import SIDES, Panel
from polyassay.rubric.terminal.session_text import closing, handbook, headline

KEYS = "[u]ndo [b]ack [s]kip [c]omment [f]lag [?] [q]uit"
SHORT_KEYS = "[?] keys"


class Help(ModalScreen[None]):
    """The whole rubric and the keys; any key that does not scroll closes it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box"):
            yield Static(Text(self._text))

    def on_key(self, event: Key) -> None:
        if event.key not in ("up", "down", "pageup", "pagedown", "home", "end"):
            self.dismiss()


class Comment(ModalScreen[str | None]):
    """Asks for a line; Escape gives up."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, about: str, before: str) -> None:
        super().__init__()
        self._about, self._before = about, before

    def compose(self) -> ComposeResult:
        field = Input(self._before)
        field.border_title = f"comment on {self._about} · Enter keeps it, Escape gives up"
        yield field

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())


class GradingScreen(App[None]):
    """Draws a Grading, and hands it the keys."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #head { height: 1; }
    #place { width: 1fr; color: $text-accent; }
    #keys { width: auto; color: $text-muted; }
    #work { height: 1fr; }
    .panel { border: round $surface-lighten-3; padding: 0 1; border-title-color: $text-muted; }
    #task { width: 2fr; }
    #answers { width: 3fr; }
    .answer { width: 1fr; }
    .stacked #row { layout: vertical; }
    .stacked #task { width: 100%; height: auto; max-height: 45%; }
    .stacked #answers { width: 100%; height: 1fr; }
    #rubric { height: auto; padding: 0 1; }
    ModalScreen { align: center middle; }
    .box { width: 90%; max-width: 110; height: auto; max-height: 100%; border: round $accent;
           padding: 0 2; background: $surface; }
    Comment Input { width: 80%; border: round $accent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(n), f"score({n})", show=False) for n in range(10)),
        Binding("u", "undo", show=False),
        Binding("b,left", "go('back')", show=False),
        Binding("n,right", "go('forward')", show=False),
        Binding("s", "go('skip')", show=False),
        Binding("f", "go('flag')", show=False),
        Binding("c", "comment", show=False),
        Binding("r", "take_up_skipped", show=False),
        Binding("up", "focus_dimension(-1)", show=False),
        Binding("down", "focus_dimension(1)", show=False),
        Binding("j,pagedown,space", "scroll(1)", show=False),
        Binding("k,pageup", "scroll(-1)", show=False),
        Binding("question_mark", "help", show=False),
        Binding("q,ctrl+c", "quit", show=False, priority=False),
    ]

    def __init__(
        self, grading: Grading, code: Callable[[CandidateKey], str], language: str
    ) -> None:
        super().__init__()
        self._grading, self._code, self._language = grading, code, language
        self._panel = Panel(grading, language)
        self.problem: PolyAssayError | None = None  # why the session ended by itself
        self._drawn: int | None = None  # the screen whose code is in view

    def compose(self) -> ComposeResult:
        with Horizontal(id="head"):
            yield Static(id="place")
            yield Static(Text(KEYS), id="keys")
        with Vertical(id="work"), Horizontal(id="row"):
            with VerticalScroll(id="task", classes="panel", can_focus=False) as task:
                task.border_title = "task"
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
        self._drawn = None
        keys = SHORT_KEYS if self.size.width < 100 else KEYS
        self.query_one("#keys", Static).update(Text(keys))
        self._draw()

    # Keys.

    def _do(self, act: Callable[[], object]) -> object:
        """Does what a key asks for, and draws; a store that fails ends the session."""
        try:
            return act()
        except PolyAssayError as error:
            self.problem = error
            self.exit()
            return None
        finally:
            self._draw()

    def action_score(self, points: int) -> None:
        if self._grading.finished:
            return
        if self._do(lambda: self._grading.score(points)) is False:
            dimension = self._grading.cell.dimension
            name = dimension.name[self._language]
            self.notify(f"{name} is {dimension.low} to {dimension.high}.", severity="warning")

    def action_undo(self) -> None:
        if self._do(self._grading.undo) is False:
            self.notify("There is nothing to take back.")

    def action_go(self, where: str) -> None:
        if not self._grading.finished or where == "back":
            self._do(getattr(self._grading, where))

    def action_take_up_skipped(self) -> None:
        if self._grading.finished:
            self._do(self._grading.take_up_skipped)

    def action_focus_dimension(self, step: int) -> None:
        if not self._grading.finished:
            self._do(lambda: self._grading.focus(step))

    def action_scroll(self, direction: int) -> None:
        for panel in self.query(".panel"):
            (panel.scroll_page_down if direction > 0 else panel.scroll_page_up)(animate=False)

    def action_help(self) -> None:
        self.push_screen(Help(handbook(self._grading.rubric, self._language)))

    def action_comment(self) -> None:
        if self._grading.finished:
            return
        grading, cell = self._grading, self._grading.cell
        before = grading.sheet(grading.answers[cell.side]).comments.get(cell.dimension.id, "")

        def keep(text: str | None) -> None:
            if text is not None and text != before:
                self._do(lambda: grading.comment(text))

        self.push_screen(Comment(cell.dimension.name[self._language], before), keep)

    # Drawing.

    def _draw(self) -> None:
        grading = self._grading
        self.query_one("#place", Static).update(Text(self._place()))
        if grading.finished:
            self._drawn = None
            self.query_one("#prompt", Static).update(Text(closing(grading)))
            self.query_one("#answers").display = False
            skipped = "r: go through the skipped items   " if grading.progress().skipped else ""
            self.query_one("#rubric", Static).update(Text(f"{skipped}u: undo   q: leave"))
            return
        if self._drawn != grading.number:
            self._draw_item()
        panel = self._panel.draw(self._colour("accent"), self._compact)
        self.query_one("#rubric", Static).update(panel)

    def _colour(self, name: str) -> str:
        return self.get_css_variables()[name]

    @property
    def _compact(self) -> bool:
        """The whole rubric would leave too little room for the code."""
        return self.size.width < 100 or self.size.height < 32

    def _place(self) -> str:
        told = f" {headline(self._grading)}"
        if not self._grading.finished:
            sheets = [self._grading.sheet(item) for item in self._grading.answers]
            told += " · flagged" * any(sheet.flagged for sheet in sheets)
            told += " · skipped" * any(sheet.skipped for sheet in sheets)
        return told

    def _draw_item(self) -> None:
        grading = self._grading
        self._drawn = grading.number
        task = grading.task
        prompt = Text(printable(grading.prompt.strip()))
        if task.signature:
            prompt.append(("\n" if self._compact else "\n\n") + printable(task.signature), "bold")
        if grading.rubric.rule[self._language] and not self._compact:
            prompt.append("\n\n" + grading.rubric.rule[self._language], "dim italic")
        self.query_one("#prompt", Static).update(prompt)
        self.query_one("#answers").display = True
        stacked = self._compact or len(grading.answers) > 1
        self.query_one("#work").set_class(stacked, "stacked")
        for side, name in enumerate(SIDES):
            panel = self.query_one(f"#answer-{name}")
            panel.display = side < len(grading.answers)
            if panel.display:
                panel.border_title = f"answer {name}" if len(grading.answers) > 1 else "answer"
                panel.scroll_home(animate=False)
                code = self._code(grading.answers[side].key).rstrip()
                self.query_one(f"#code-{name}", Static).update(
                    Syntax(
                        code,
                        BriefLexer(task.language),
                        line_numbers=True,
                        word_wrap=True,
                        background_color=self._colour("background"),
                    )
                )
