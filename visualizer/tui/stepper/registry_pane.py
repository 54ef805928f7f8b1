"""The registry as of this state, two maps deep: kernel names, and under each the keys that it is
registered with.

The newest entry has a star. One that is only half produced is dim and ends in dots, and says how much
of its declaration there is. The selection follows the newest entry until the reader chooses one; a
chosen entry stays chosen for as long as it exists, forwards and backwards.

The cursor stands on an entry or on a name. Enter folds and unfolds a name, and `/` begins to filter:
letters typed then leave only the entries that have them. Rows are drawn when they come into sight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from visualizer.frameworks.presenter import presenter_of
from visualizer.layout.words import Parts, Styles
from visualizer.messages import _
from visualizer.scene.scene import Scene
from visualizer.tui.ink.pane import Pane
from visualizer.tui.stepper.registry_rows import (
    Kernels,
    NameRow,
    Row,
    first_choice,
    grouped,
    row_of,
    rows_of,
    with_letters,
)

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry, Shown


_SELECTS = "Select an entry, when the registry has the focus"


class RegistryPane(Pane):
    MOUSE: ClassVar = ("registry", "a click selects an entry, or folds a kernel's")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "registry--name",
        "registry--newest",
        "registry--pending",
        "registry--cursor",
        "registry--declared",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "select(-1)", "above", tooltip=_SELECTS, show=False),
        Binding("down", "select(1)", "below", tooltip=_SELECTS, show=False),
        Binding("enter", "fold", "fold", tooltip="Fold or unfold a kernel's name", show=False),
        Binding("z", "fold_all", "fold all", tooltip="Fold or unfold all names", show=False),
        Binding("slash", "filter", "filter", tooltip="Only entries with some letters", show=False),
        Binding("escape", "unfilter", "all", tooltip="All entries again", show=False),
    ]

    scene: reactive[Scene | None] = reactive[Scene | None](None, repaint=False)
    chosen: reactive[Entry | None] = reactive["Entry | None"](None)
    letters: reactive[str | None] = reactive[str | None](None)

    class Selected(Message):
        """Another entry is selected, or its state has changed; None if the registry is empty."""

        def __init__(self, shown: Shown | None) -> None:
            super().__init__()
            self.shown = shown

    def __init__(self, bench: Workbench, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._bench = bench
        self.entitle(_("Registry"))
        self._kernels: Kernels = {}
        self._rows: list[Row] = []
        self._cursor = 0
        self._at_name: str | None = None
        self._folds: dict[str, bool] = {}  # what the reader did; the rest is as it is at first
        self._typing = False
        self._selected: Shown | None = None
        self._reported: Shown | None = None

    @property
    def selected(self) -> Shown | None:
        """The chosen entry; if there is none, the newest, the last that is complete, the first."""
        return self._selected

    @property
    def picked(self) -> bool:
        """Whether the reader has chosen it, with the cursor or by its letters."""
        return self.chosen is not None or self._at_name is not None or bool(self.letters)

    # What there is to see

    def watch_scene(self, scene: Scene | None) -> None:
        registry = self._bench.registry_at(0, 0) if scene is None else scene.registry
        self._kernels = grouped(registry)
        self._show()

    def watch_chosen(self) -> None:
        self._show()

    def watch_letters(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        if not self.is_mounted:
            return
        there = with_letters(self._kernels, self.letters) if self.letters else self._kernels
        at_name = self._at_name if self._at_name in there else None
        self._selected = there[at_name][0] if at_name else first_choice(there, self.chosen)
        name = self._selected.entry.registration.kernel_name if self._selected else None
        self._rows = rows_of(there, self._folds, name)
        self._cursor = row_of(self._rows, None if at_name else self._selected, name)
        self.hold(max(len(self._rows), 1))
        self._entitle(sum(not s.pending for entries in there.values() for s in entries))
        if self._rows:
            above = self._cursor - isinstance(self._rows[self._cursor - 1], NameRow)
            self.reveal(max(above, 0), self._cursor)
        self.repaint()
        if _differ(self._selected, self._reported):
            self._reported = self._selected
            self.post_message(self.Selected(self._selected))

    def _entitle(self, complete: int) -> None:
        if self.letters is None:
            self.entitle(_("Registry"), _("{complete:,} registered").format(complete=complete))
        else:
            caret = "▏" if self._typing else ""
            self.entitle(
                f"{_('Registry')} /{self.letters}{caret}",
                _("{complete:,} with these letters").format(complete=complete),
            )

    # Drawing

    def draw(self, row: int) -> Parts:
        if not self._rows:
            nothing = (
                _("nothing is registered yet")
                if self._bench.entries
                else _("nothing is registered")
            )
            nothing = _("none has these letters") if self.letters else nothing
            return [(f"  {nothing}", ("pane--quiet",))]
        ground: Styles = ("registry--cursor",) if row == self._cursor else ()
        item = self._rows[row]
        if isinstance(item, NameRow):
            return self._spread(
                f" {'▾' if item.open else '▸'} {item.name}",
                (*ground, "registry--name"),
                "" if item.open else f"{item.count} ",
                ground,
            )
        styles: Styles = ground
        mark = "  "
        if item.pending:
            styles = (*ground, "registry--pending")
        elif item.newest:
            styles, mark = (*ground, "registry--newest"), "★ "
        registration = item.entry.registration
        presenter = presenter_of(registration)
        text = f"  {mark}{presenter.label(registration)}{' …' if item.pending else ''}"
        note = "declared " if presenter.is_declared_only(registration) else ""
        function = f" → {presenter.function(registration)} "
        if len(text) + len(function) + len(note) <= self.room:
            note = function + note
        if item.pending:
            note = self._progress(item) if len(text) + 6 < self.room else ""
        return self._spread(text, styles, note, ground)

    def _spread(self, text: str, styles: Styles, note: str, ground: Styles) -> Parts:
        """A text, and a note at the right edge."""
        blanks = " " * max(self.room - len(text) - len(note), 1)
        return [(text, styles), (blanks, ground), (note, (*ground, "registry--declared"))]

    def _progress(self, shown: Shown) -> str:
        """How many of its declaration's tokens are there."""
        scene, expansion = self.scene, shown.entry.expansion
        if scene is None or expansion is None:
            return ""
        timeline, tokens = self._bench.timeline(expansion), shown.entry.tokens
        there = sum(timeline.born(token) <= scene.whole_state for token in tokens)
        return f"{100 * there // len(tokens)} % "

    # Selecting, folding, filtering

    def action_select(self, by: int) -> None:
        if self._rows:
            self._go_to(min(max(self._cursor + by, 0), len(self._rows) - 1))

    def _go_to(self, row: int) -> None:
        item = self._rows[row]
        if isinstance(item, NameRow):
            self._at_name = item.name
            self._show()
        else:
            self._at_name = None
            self.chosen = item.entry
            self._show()

    def action_page_up(self) -> None:
        self.action_select(-max(self.rows_visible - 1, 1))

    def action_page_down(self) -> None:
        self.action_select(max(self.rows_visible - 1, 1))

    def action_fold(self) -> None:
        """On a name: fold or unfold it. On an entry Enter is the screen's."""
        if self._typing:
            self._typing = False
            self._show()
            return
        item = self._rows[self._cursor] if self._rows else None
        if not isinstance(item, NameRow):
            raise SkipAction
        self._fold(item)

    def _fold(self, item: NameRow) -> None:
        self._folds[item.name] = not item.open
        self._at_name = item.name
        self._show()

    def action_fold_all(self) -> None:
        names = [row for row in self._rows if isinstance(row, NameRow)]
        unfold = not any(name.open for name in names)
        self._folds = dict.fromkeys(self._kernels, unfold)
        self._at_name = None
        self._show()

    def action_filter(self) -> None:
        self._typing = True
        self.letters = self.letters or ""
        self._show()

    def action_unfilter(self) -> None:
        if self.letters is None:
            raise SkipAction
        self._typing = False
        self.letters = None

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        return self._typing and character is not None and character.isprintable()

    def on_key(self, event: events.Key) -> None:
        """Letters for the filter, before they are keys of the screen."""
        if not self._typing:
            return
        letters = self.letters or ""
        if event.key == "backspace":
            self.letters = letters[:-1]
        elif event.character is not None and event.is_printable:
            self.letters = letters + event.character
        else:
            return
        event.stop()
        event.prevent_default()

    def on_blur(self) -> None:
        self._typing = False
        self.letters = self.letters or None

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        row = self.top + offset.y if offset is not None else -1
        if 0 <= row < len(self._rows):
            item = self._rows[row]
            if isinstance(item, NameRow):
                self._fold(item)
            else:
                self._go_to(row)


def _differ(a: Shown | None, b: Shown | None) -> bool:
    if a is None or b is None:
        return a is not b
    return a.entry is not b.entry or a.pending != b.pending
