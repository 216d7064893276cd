"""The rubric as it is drawn below the answers: where the focus is, and what each point means."""

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from polyassay.rubric.grading import Grading
from polyassay.rubric.rubrics import Dimension

SIDES = "AB"


class Panel:
    """Draws the rubric of whatever a Grading has in view."""

    def __init__(self, grading: Grading, language: str) -> None:
        self._grading, self._language = grading, language

    def draw(self, accent: str, compact: bool) -> Text:
        """Lines of dimensions, then the wording of the one in focus; compact: one line for all."""
        text = Text()
        if compact:
            self._one_line_a_side(text, accent)
        else:
            self._one_line_a_dimension(text, accent)
            text.append("\n")
        self._wording(text)
        return text

    def _one_line_a_dimension(self, text: Text, accent: str) -> None:
        dimensions = self._grading.rubric.dimensions
        width = max(cell_len(dimension.name[self._language]) for dimension in dimensions)
        sides = range(len(self._grading.answers))
        for dimension in dimensions:
            for side in sides:
                focused = self._is_focused(side, dimension)
                name = set_cell_size("" if side else dimension.name[self._language], width)
                mark = f" {SIDES[side]}" if len(sides) > 1 else ""
                style = f"bold {accent}" if focused else ""
                text.append(f"{'▸' if focused else ' '}{name}{mark}", style)
                self._points(text, dimension, side)
                text.append("\n")

    def _points(self, text: Text, dimension: Dimension, side: int) -> None:
        given = self._given(side, dimension)
        for point in dimension.points:
            text.append("   ")
            if point.score == given:
                text.append(f"[{point.score}] {point.label[self._language]}", "bold reverse")
            else:
                text.append(f"{point.score} {point.label[self._language]}")

    def _one_line_a_side(self, text: Text, accent: str) -> None:
        sides = range(len(self._grading.answers))
        for side in sides:
            text.append(f"{SIDES[side]} " if len(sides) > 1 else "")
            for dimension in self._grading.rubric.dimensions:
                given = self._given(side, dimension)
                told = f"{dimension.name[self._language]} {'–' if given is None else f'[{given}]'}"
                focused = self._is_focused(side, dimension)
                style = f"bold {accent}" if focused else ""
                text.append(f"{'▸' if focused else ' '}{told}  ", style)
            text.append("\n")

    def _wording(self, text: Text) -> None:
        cell = self._grading.cell
        most = max(len(dimension.points) for dimension in self._grading.rubric.dimensions)
        lines = [f"  {p.score}  {p.text[self._language]}" for p in cell.dimension.points]
        lines += [""] * (most - len(lines))  # the panel keeps its height
        text.append("\n".join(lines), "dim")
        sheet = self._grading.sheet(self._grading.answers[cell.side])
        if comment := sheet.comments.get(cell.dimension.id):
            text.append(f"\n  comment: {comment}")

    def _is_focused(self, side: int, dimension: Dimension) -> bool:
        cell = self._grading.cell
        return (side, dimension.id) == (cell.side, cell.dimension.id)

    def _given(self, side: int, dimension: Dimension) -> int | None:
        return self._grading.sheet(self._grading.answers[side]).scores.get(dimension.id)
