"""All keys, read off the bindings themselves, so that no list can be out of date.

First the screen that is open, then its panes, then what works everywhere. What the mouse does there,
a pane or a screen says in `MOUSE`: a name for it, and what a click on it does.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import Any, ClassVar

from textual.actions import parse
from textual.app import App
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.dom import DOMNode
from textual.keys import key_to_character
from textual.screen import Screen
from textual.widget import Widget

from visualizer.messages import N_, _
from visualizer.tui.dialogs.panel import Panel, table
from visualizer.tui.ink.keyboard import sign, sign_of

_OURS = "visualizer."
Row = tuple[str | Content, ...]
_ROLES = (
    (N_("underlined"), "underline", N_("is consumed by the next step")),
    (N_("bold"), "bold", N_("was produced by the last one")),
    (N_("italic"), "italic", N_("a painted name: never a macro again")),
    ("+ −", "", N_("at the left: a row that the last step wrote, where it took something away")),
    ("▸", "", N_("a row in which the next step happens")),
    (
        "┊",
        "",
        N_("in the source: a line that is skipped, for a conditional does not take its group"),
    ),
    ("◆", "", N_("the row of the token that is followed")),
    ("✓ ▸", "", N_("below: what just happened, what comes next")),
    ("★", "", N_("an entry of the registry is complete: in the registry, and on the timeline")),
)


_NAMES = {
    "LessonPane": N_("lesson"),
    "HomeFilter": N_("filter"),
    "HomePreview": N_("preview"),
    "Editor": N_("editor"),
    "StepsCompared": N_("list of steps"),
    "OutcomePane": N_("expansion"),
    "ProblemsPane": N_("list of problems"),
    "Listing": N_("text"),
    "ChoiceList": N_("list"),
    "Card": N_("card"),
}


class KeysScreen(Panel):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark,f1", "close", "Close")]

    def __init__(self, screen: Screen[Any], app: App[Any]) -> None:
        super().__init__(_("Keys"))
        self._about = screen, app

    def content(self) -> Content:
        screen, app = self._about
        panes = [node for node in screen.query("*") if _is_ours(node) and node.display]
        seen: set[tuple[str, str]] = set()
        focused = screen.focused
        rows = [*_rows(screen, seen, focused)]
        for pane in panes:
            rows += _under(
                _("in the {pane}").format(pane=_(_name(pane))), _rows(pane, seen, focused)
            )
        hidden = {binding.key for binding in own_bindings(screen)}
        everywhere = [
            *_rows(app, seen, focused, hidden),
            (_key(sign("tab")), _("Focus the next pane")),
            (_key(sign("ctrl+p")), _("Everything by name: the command palette")),
            (_key(sign("ctrl+q")), _("Quit, also where letters are typed")),
        ]
        rows += _under(_("everywhere"), everywhere)
        clicks = [*_mouse([screen, *panes]), (_("footer"), _("a click presses that key"))]
        rows += _under(_("mouse"), [(Content(_(where)), _(what)) for where, what in clicks])
        if screen.query("LineView"):
            roles = [(Content.styled(_(name), style), _(what)) for name, style, what in _ROLES]
            rows += _under(_("signs"), roles)
        return table(rows, width=self.width)


def _is_ours(node: DOMNode) -> bool:
    return type(node).__module__.startswith(_OURS)


def _under(heading: str, rows: Iterable[Row]) -> list[Row]:
    """Rows with a heading, or nothing where there are none."""
    found = list(rows)
    return [("", ""), (Content.styled(heading, "$quiet"), ""), *found] if found else []


def _name(pane: DOMNode) -> str:
    clicks = _clicks(pane)
    return clicks[0][0] if clicks else _NAMES.get(type(pane).__name__, N_("pane"))


def _rows(
    node: DOMNode,
    seen: set[tuple[str, str]],
    focused: Widget | None,
    hidden: Container[str] = (),
) -> Iterator[Row]:
    """A row for each key or pair of keys of a node that has not been `seen` at another, and isn't
    `hidden` by one that comes first."""
    bindings = []
    for binding in own_bindings(node):
        said = binding.key, binding.tooltip or binding.description
        comes_through = binding.priority or binding.key not in hidden
        if said not in seen and said[1] and comes_through and _is_there(node, binding, focused):
            seen.add(said)
            bindings.append(binding)
    for keys, meaning in _paired(bindings):
        yield _key(keys), _(meaning)


def _is_there(node: DOMNode, binding: Binding, focused: Widget | None) -> bool:
    """Whether the key does something here: a screen may have keys that not every file needs, and where
    the reader types, a letter is a letter before it is anybody else's key."""
    if focused is not None and node in focused.ancestors and not binding.priority:
        letter = key_to_character(binding.key)
        if focused.check_consume_key(binding.key, letter):
            return False
    whose, action, parameters = parse(binding.action)
    return bool(whose) or node.check_action(action, parameters) is not False


def own_bindings(node: DOMNode) -> Iterator[Binding]:
    """What our classes bind: Textual's own keys for focus and copying go without saying."""
    bound: set[str] = set()
    for cls in type(node).__mro__:
        if cls.__module__.startswith(_OURS):
            own = list(Binding.make_bindings(cls.__dict__.get("BINDINGS", ())))
            yield from (binding for binding in own if binding.key not in bound)
            bound.update(binding.key for binding in own)


def _key(keys: str) -> Content:
    return Content.styled(keys, "bold $accent")


def _mouse(nodes: Iterable[DOMNode]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        yield from _clicks(node)


def _clicks(node: DOMNode) -> tuple[tuple[str, str], ...]:
    """What a node says of its mouse: one thing, or several."""
    said = getattr(node, "MOUSE", ())
    return (said,) if said and isinstance(said[0], str) else said


def _paired(bindings: list[Binding]) -> Iterator[tuple[str, str]]:
    """Keys with their meanings; those with the same tooltip go together."""
    rows: dict[str, list[Binding]] = {}
    for binding in bindings:
        rows.setdefault(binding.tooltip or binding.description, []).append(binding)
    for meaning, row in rows.items():
        yield " ".join(dict.fromkeys(sign_of(b) for b in row)), meaning
