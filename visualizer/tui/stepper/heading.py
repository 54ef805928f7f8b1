"""The first row: what is being stepped through, and where one can go from here.

Where there is no room for all panes at once, it carries the tabs to choose between them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.message import Message
from textual.reactive import reactive

from visualizer.expansion.passes import told
from visualizer.expansion.predefined import DEFAULT_CXX
from visualizer.expansion.source_files import is_header
from visualizer.expansion.tokens import spell
from visualizer.layout.words import Parts, Styles, clipped, length
from visualizer.messages import _
from visualizer.tui.ink.inked import Drawn

if TYPE_CHECKING:
    from visualizer.scene.scene import Scene
    from visualizer.workbench.bench import Workbench

TABS = ("line", "source", "registry", "tree")


class Heading(Drawn):
    MOUSE: ClassVar = ("heading", "a click on ◂ ▸ or a tab opens it")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "heading--quiet",
        "heading--file",
        "heading--macro",
        "heading--button",
        "heading--tab",
        "heading--tab-open",
    }

    tab: reactive[str] = reactive("line")
    tabbed: reactive[bool] = reactive(False)

    class TabWanted(Message):
        def __init__(self, tab: str) -> None:
            super().__init__()
            self.tab = tab

    class InvocationWanted(Message):
        """The reader wants the invocation so many places further down."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    def __init__(self, title: str, tabs: Mapping[str, int], *, id: str | None = None) -> None:
        """`tabs` are their names, with the keys that open them."""
        super().__init__(id=id)
        self._title, self._names = title, tabs
        self._targets: list[tuple[range, Message]] = []

    def draw(self, y: int) -> Parts:
        if y:
            return []
        width = self.size.width
        right = self._tabs() if self.tabbed else self._neighbours()
        left = clipped(self._subject(), max(width - length(p for p, _ in right), 0), "…")
        at = width - length(p for p, _ in right)
        parts = [*left, (" " * (at - length(left)), ())]
        self._targets = []
        for part, message in right:
            cells = length([part])
            if message is not None:
                self._targets.append((range(at, at + cells), message))
            parts.append(part)
            at += cells
        return parts

    def _subject(self) -> Parts:
        scene = self.scene
        if scene is None:
            return [(f" {self._title}", ("heading--file",))]
        where = scene.invocation.where
        file = where.file.rpartition("/")[2]
        parts: Parts = [
            (f" {file}", ("heading--file",)),
            (f":{where.line}{_included(scene.bench)}  ", ("heading--quiet",)),
            (_standard(scene.bench), ("heading--quiet",)),
        ]
        if self.tabbed:  # there is no room for the buttons, but for the place
            number, count = _number(scene)
            parts.append((f"{number}/{count} ", ("heading--quiet",)))
        macro, text = scene.invocation.macro, spell(scene.invocation.before[:40])
        macro = macro if text.startswith(macro) else text.partition(" ")[0]  # `# if`
        parts.append((macro, ("heading--macro",)))
        parts.append((text[len(macro) :] + "  ", ("heading--quiet",)))
        return parts

    def _neighbours(self) -> list[tuple[tuple[str, Styles], Message | None]]:
        scene = self.scene
        if scene is None:
            return []
        number, count = _number(scene)
        quiet, button = ("heading--quiet",), ("heading--button",)
        return [
            ((f"  {_('directive' if scene.invocation.directive else 'invocation')} ", quiet), None),
            ((" ◂ ", button), self.InvocationWanted(-1)),
            ((_(" {number} of {count} ").format(number=number, count=count), quiet), None),
            ((" ▸ ", button), self.InvocationWanted(1)),
            ((" ", quiet), None),
        ]

    def _tabs(self) -> list[tuple[tuple[str, Styles], Message | None]]:
        return [
            (
                (f" {key} {_(tab).capitalize()} ", (f"heading--tab{'-open' * (tab == self.tab)}",)),
                self.TabWanted(tab),
            )
            for tab, key in self._names.items()
        ]

    def on_click(self, event: events.Click) -> None:
        for cells, message in self._targets:
            if event.x in cells:
                self.post_message(message)
                return


def _number(scene: Scene) -> tuple[int, int]:
    """The place of an invocation among the invocations, or of a directive among those; how many."""
    among = scene.bench.among(scene.expansion)
    return scene.expansion - among.start + 1, len(among)


def _included(bench: Workbench) -> str:
    """By whom, if this is no file that is compiled itself, and which time."""
    said = told(bench.trace)
    return said and f", {said}"


def _standard(bench: Workbench) -> str:
    """By which the file is read. That of a `.cc` which nobody gave another goes without saying. And
    whose flags those are, where a build's."""
    std, database = bench.options.std, bench.options.database
    expected = std == DEFAULT_CXX and not is_header(str(bench.path))
    said = "" if expected else f"{std}  "
    return said + (
        _("flags of {file}  ").format(file="/".join(Path(database).parts[-2:])) if database else ""
    )
