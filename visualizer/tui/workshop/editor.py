"""The editor: Textual's, with C++ in colours and what is wrong marked where it stands.

The colours come from tree-sitter's tree of the text, which follows every key. A place with an error
is underlined, and its line has a `✗` in the margin. A text that is too long for a tree at every key
is edited without colours, as Python is; nothing is too long to be pasted.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual._text_area_theme import TextAreaTheme
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.document._document import EditResult, Location
from textual.document._document_navigator import DocumentNavigator
from textual.document._edit import Edit
from textual.document._wrapped_document import WrappedDocument
from textual.expand_tabs import get_tab_widths
from textual.strip import Strip
from textual.widgets import TextArea

if TYPE_CHECKING:
    from visualizer.expansion import Diagnostic

COLOURED = 100_000  # characters: longer texts have no colours
_ENDS = "The beginning of the text, its end"
_HIGHLIGHTS = Path(__file__).with_name("cpp.scm")
_SYNTAX = ("comment", "directive", "keyword", "literal", "macro", "parameter", "type", "function")


class Editor(TextArea):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+home", "to(0)", "to the beginning", tooltip=_ENDS, show=False),
        Binding("ctrl+end", "to(1)", "to the end", tooltip=_ENDS, show=False),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *map("editor--{}".format, _SYNTAX),
        "editor--error",
        "editor--warning",
    }

    def __init__(self, text: str, *, read_only: bool = False, coloured: bool = True) -> None:
        super().__init__(
            show_line_numbers=True, soft_wrap=False, tab_behavior="focus", read_only=read_only
        )
        self._marks: dict[int, list[Diagnostic]] = {}  # by row
        self._first, self._coloured = text, coloured

    def on_mount(self) -> None:
        from tree_sitter import Language
        from tree_sitter_cpp import language

        self.register_language("cpp", Language(language()), _HIGHLIGHTS.read_text("utf-8"))
        self.register_theme(TextAreaTheme("unfold", syntax_styles=_Looks(self)))
        self.theme = "unfold"
        self.load_text(self._first)

    # ------------------------------------------------------------------ the text

    def load_text(self, text: str) -> None:
        """Begin with another text: there is nothing to undo."""
        coloured = self._coloured and len(text) <= COLOURED
        self.set_reactive(TextArea.language, "cpp" if coloured else None)
        super().load_text(text)
        self._lighten()

    def put(self, text: str) -> None:
        """Another text in place of this one, which can be undone. The cursor stays on its line."""
        row, column = self.cursor_location
        self.replace(text, (0, 0), self.document.end, maintain_selection_offset=False)
        self.go_to(row + 1, column + 1)

    def edit(self, edit: Edit) -> EditResult:
        if self.language is not None and self._length() + len(edit.text) > COLOURED:
            selection = self.selection
            self.language = None
            self.selection = selection
            self._lighten()
        return super().edit(edit)

    def _length(self) -> int:
        return sum(map(len, self.document.lines))

    def _lighten(self) -> None:
        """Without colours, leave out whatever else walks through the whole text at every key."""
        if self.language is None:
            self.match_cursor_bracket = False
            self.wrapped_document = _Unwrapped(self.document, tab_width=self.indent_width)
            self.navigator = DocumentNavigator(self.wrapped_document)

    def action_to(self, end: int) -> None:
        self.move_cursor(self.document.end if end else (0, 0))

    def go_to(self, line: int, column: int) -> None:
        """Put the cursor there; both count from 1."""
        row = min(max(line - 1, 0), self.document.line_count - 1)
        self.move_cursor((row, min(max(column - 1, 0), len(self.document[row]))), center=True)

    def reveal(self, line: int) -> None:
        """Scroll to a line that isn't seen; it counts from 1. The cursor stays where it is."""
        row, height = line - 1, self.scrollable_content_region.height
        if not self.scroll_offset.y <= row < self.scroll_offset.y + height:
            self.scroll_to(y=max(row - height // 2, 0), animate=False)

    def find(self, letters: str, by: int) -> tuple[int, int]:
        """Select the next place with these letters of any case (`by` is 1), the previous one (-1), or
        the one here (0). Tells which of how many it is; behind the last comes the first."""
        places = list(self._places_of(letters.lower())) if letters else []
        if not places:
            return 0, 0
        here = min(self.selection)
        behind = bisect_left(places, here)
        if by > 0 and places[behind % len(places)] == here:
            behind += 1
        at = (behind - (by < 0)) % len(places)
        row, column = places[at]
        self.go_to(row + 1, column + 1)
        self.move_cursor((row, column + len(letters)), select=True)
        return at + 1, len(places)

    def _places_of(self, letters: str) -> Iterator[Location]:
        for row, line in enumerate(self.document.lines):
            lowered = line.lower()
            at = lowered.find(letters)
            while at >= 0:
                yield row, at
                at = lowered.find(letters, at + len(letters))

    # ------------------------------------------------------------------ how it looks

    def mark(self, diagnostics: Sequence[Diagnostic]) -> None:
        """Mark these places, all of this file."""
        self._marks = {}
        for diagnostic in diagnostics:
            self._marks.setdefault(diagnostic.where.line - 1, []).append(diagnostic)
        self.refresh()

    def entitle(self, title: str, subtitle: str) -> None:
        self.border_title, self.border_subtitle = Content(title), Content(subtitle)

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        row = y + self.scroll_offset.y
        marks = self._marks.get(row)
        if not marks or row >= self.document.line_count:
            return strip
        worst = "error" if any(m.severity == "error" for m in marks) else "warning"
        style = self.get_component_rich_style(f"editor--{worst}", partial=True)
        for mark in marks:
            start, end = self._cells(row, mark.where.column - 1)
            strip = _restyled(strip, start, end, style)
        margin = self.gutter_width - 2
        ground = next(iter(strip.crop(margin, margin + 2))).style or Style()
        sign = Strip([Segment("✗ " if worst == "error" else "! ", ground + style)])
        return Strip.join([strip.crop(0, margin), sign, strip.crop(margin + 2)])

    def _cells(self, row: int, column: int) -> tuple[int, int]:
        """Where the word that begins at this column stands in the strip."""
        line = self.document[row]
        end = column + 1
        while end < len(line) and column < end and (line[end].isalnum() or line[end] == "_"):
            end += 1
        left = self.gutter_width - self.scroll_offset.x
        start = left + self.get_column_width(row, min(column, len(line)))
        stop = left + max(self.get_column_width(row, min(end, len(line))), start - left + 1)
        return max(start, self.gutter_width), max(stop, self.gutter_width)


def _restyled(strip: Strip, start: int, end: int, style: Style) -> Strip:
    if start >= end or start >= strip.cell_length:
        return strip
    middle = strip.crop(start, end).apply_style(Style(underline=True, color=style.color))
    return Strip.join([strip.crop(0, start), middle, strip.crop(end)])


class _Looks(dict[str, Style]):
    """The styles of the syntax, asked of the style sheet when they are needed: it may change."""

    def __init__(self, editor: Editor) -> None:
        super().__init__()
        self._editor = editor

    def get(self, name: str, default: object = None) -> Style:
        return self._editor.get_component_rich_style(f"editor--{name}", partial=True)


class _Unwrapped(WrappedDocument):
    """A document whose lines are never wrapped: a row is a line, and there is nothing to work out for
    each of them at every key."""

    @property
    def height(self) -> int:
        return self.document.line_count

    def wrap(self, width: int, tab_width: int | None = None) -> None:
        self._tab_width = tab_width or self._tab_width
        rows = range(self.document.line_count)
        self._offset_to_line_info = [(row, 0) for row in rows]
        self._line_index_to_offsets = [[row] for row in rows]
        self._wrap_offsets = [[]] * len(rows)

    def wrap_range(self, start: Location, old_end: Location, new_end: Location) -> None:
        if len(self._wrap_offsets) != self.document.line_count:
            self.wrap(0)

    def get_tab_widths(self, line_index: int) -> list[int]:
        line = self.document.get_line(line_index)
        return [width for _, width in get_tab_widths(line, self._tab_width)]
