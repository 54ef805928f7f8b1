"""Choosing from what is there, and adding patterns of one's own: breakpoints, and macros to hide.

Both are a list of words, each of which can be on or off: those that the file offers, and below an
input line those that were typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, Static

from registry_runtime.near import nearest
from visualizer.expansion.ask_compiler import system_folders
from visualizer.expansion.breakpoints import of_words
from visualizer.expansion.hiding import OTHERS, SYSTEM_HEADERS, fits, policy_of
from visualizer.expansion.moments import Moment
from visualizer.expansion.trace import Step
from visualizer.messages import N_, _
from visualizer.scene.scene import Scene
from visualizer.tui.dialogs.dialog import Dialog
from visualizer.tui.dialogs.tick_list import TickList

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench

Pattern = tuple[str, str]  # a word, and what it says to a reader


class _Word(Input):
    """No name has a blank in it: where one is typed, the list is meant."""

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        return character != " " and super().check_consume_key(key, character)


class PatternsScreen(Dialog[tuple[str, ...]]):
    """Dismissed with the words that are on; with None if the reader changed nothing."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Done"),
        Binding("delete,backspace", "none", "None of them", tooltip="Take all of them off"),
        Binding("space", "tick", "Turn the chosen one", show=False, priority=True),
    ]

    def __init__(
        self,
        title: str,
        hint: str,
        choices: Sequence[Pattern],
        chosen: Sequence[str],
        fits_any: Callable[[str], bool],
        known: Iterable[str],
    ) -> None:
        """`fits_any` says of a word that is typed whether there is something for it in the file; where
        not, one of the `known` names may be meant."""
        super().__init__(title, _("Space turns one on or off, Enter or Esc is done"))
        self._hint, self._fits_any, self._known = hint, fits_any, known
        offered = {word for word, _ in choices}
        self._choices = [*((w, w) for w in chosen if w not in offered), *choices]
        self._before = tuple(chosen)

    def inside(self) -> ComposeResult:
        yield Static(self._hint, classes="told", id="patterns-hint")
        adds = _("a name, or a pattern such as PD_*; Enter adds it")
        yield _Word(placeholder=adds, select_on_focus=False)  # what was begun goes on
        yield TickList(*((text, word, word in self._before) for word, text in self._choices))

    @on(Input.Submitted)
    def _add(self, event: Input.Submitted) -> None:
        word = event.value.strip()
        listed = self.query_one(TickList)
        if not word:
            self.action_close()
            return
        if not self._fits_any(word):
            self.query_one("#patterns-hint", Static).update(self._nothing_fits(word))
            event.input.action_select_all()
            return
        if word not in [listed.get_option_at_index(i).value for i in range(listed.option_count)]:
            listed.add_option((word, word, True))
        else:
            listed.select(word)
        self.query_one("#patterns-hint", Static).update(Content(self._hint))
        event.input.clear()

    def _nothing_fits(self, word: str) -> Content:
        near = nearest(word, self._known)
        question = _(" Did you mean {near}?").format(near=near) if near else ""
        said = _("Nothing in this file is met that fits {word}.{question}").format(
            word=word, question=question
        )
        return Content.assemble(("✗ ", "bold $error"), (said, "$foreground"))

    def on_key(self, event: events.Key) -> None:
        if event.key == "down" and isinstance(self.focused, Input):
            self.query_one(TickList).focus()
            event.stop()
        elif event.is_printable and event.key != "space" and isinstance(self.focused, TickList):
            self._go_on_typing(event.character or "")
            event.stop()

    def _go_on_typing(self, letter: str) -> None:
        """No row is chosen by a letter: one that is typed there belongs to a name."""
        typed = self.query_one(_Word)
        typed.focus()
        typed.insert_text_at_cursor(letter)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "tick" or isinstance(self.focused, Input)

    def action_tick(self) -> None:
        listed = self.query_one(TickList)
        if listed.highlighted is None:
            listed.action_first()
        listed.focus()
        listed.action_select()

    def action_none(self) -> None:
        self.query_one(TickList).deselect_all()

    def action_close(self) -> None:
        chosen = tuple(self.query_one(TickList).selected)
        self.dismiss(None if set(chosen) == set(self._before) else chosen)


_EVENTS = {
    "paste": "## pastes",
    "stringize": N_("# makes a string"),
    "va_opt": "__VA_OPT__ decides",
    "comma": N_("a comma goes with an empty list (, ##__VA_ARGS__)"),
    "painted": N_("a name is painted"),
    "builtin": N_("the preprocessor itself answers (__LINE__, __COUNTER__)"),
    "refused": N_("the number of arguments is wrong"),
    "prescan": N_("an invocation is met whose arguments are expanded first"),
}


def where_to_stop(scene: Scene, chosen: Sequence[str]) -> PatternsScreen:
    """Breakpoints: events, and the macros of this expansion."""
    events_ = [
        (f"on:{event}", _("where {text}").format(text=_(text))) for event, text in _EVENTS.items()
    ]
    macros = [(name, _("at {name}").format(name=name)) for name in _macros(scene)]
    hint = _("Space runs on to the next of these, Backspace runs back.")

    def is_met(word: str) -> bool:
        return any(map(of_words([word]), _moments(scene.bench)))

    return PatternsScreen(
        _("Breakpoints"), hint, [*events_, *macros], chosen, is_met, _names(scene)
    )


def what_to_hide(scene: Scene) -> PatternsScreen:
    """Macros of this expansion, and the files that define them."""
    files = {
        step.definition.where.file.rpartition("/")[2]: None
        for step in _steps(scene)
        if step.definition is not None
    }
    hint = _(
        "Steps of hidden macros are drawn together. A pattern with a dot or a slash is a file's."
    )
    choices = [
        (SYSTEM_HEADERS, _("whatever a system header defines")),
        (OTHERS, _("whatever isn't defined in my files")),
        *((file, _("whatever {file} defines").format(file=file)) for file in files),
        *((name, name) for name in _macros(scene)),
    ]

    def is_met(word: str) -> bool:
        folders = partial(system_folders, scene.bench.options)
        hides = policy_of([word], folders, scene.bench.path)
        return hides is not None and any(fits(m.step, hides) for m in _moments(scene.bench))

    return PatternsScreen(
        _("Hidden macros"), hint, choices, scene.look.hidden, is_met, _names(scene)
    )


def _moments(bench: Workbench) -> Iterator[Moment]:
    """Those of the whole file."""
    return chain.from_iterable(bench.timeline(i).moments for i in range(len(bench.expansions)))


def _names(scene: Scene) -> list[str]:
    return list(scene.bench.trace.definitions)


def _macros(scene: Scene) -> list[str]:
    return list(dict.fromkeys(step.macro for step in _steps(scene)))


def _steps(scene: Scene) -> list[Step]:
    return [moment.step for moment in scene.view.whole.moments]
