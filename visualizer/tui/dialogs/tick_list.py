"""Words that can be on or off, each with a box that is ticked or empty: Textual's own boxes hold an X
either way, and tell by its colour alone."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.strip import Strip
from textual.widgets import OptionList, SelectionList
from textual.widgets.option_list import OptionDoesNotExist

_ON, _OFF = "[✓] ", "[ ] "


class TickList(SelectionList[str]):
    """Space and a click turn a row; Enter closes the dialog with what is ticked, as in any other."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "screen.close", "Done", show=False)]

    def _get_left_gutter_width(self) -> int:
        return len(_ON)

    def render_line(self, y: int) -> Strip:
        row = OptionList.render_line(self, y)
        try:
            option = self.get_option_at_index(self.scroll_offset.y + y)
        except OptionDoesNotExist:
            return row
        box = _ON if option.value in self.selected else _OFF
        style = next(iter(row)).style  # with it goes that a click on the box is one on the word
        return Strip([Segment(box, style), *row])
