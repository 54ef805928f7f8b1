"""The card of the macro that is about to change the line, or that has just changed it.

It holds the definition as its author laid it out, and below it what each parameter is bound to: the
argument's tokens as they were written, and `⇒` what the argument prescan made of them. At the foot,
what `#` and `##` do is drawn. A parameter has the same hue in all these places, and in the line.
In its place the card may hold a picture of what the macros do together.
"""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from visualizer.expansion.definitions import HASH, PASTE, VA_ARGS, Definition
from visualizer.expansion.hiding import Merged, narration
from visualizer.expansion.moments import Moment
from visualizer.expansion.tokens import Source, Token, spell, spelled_at
from visualizer.expansion.trace import Argument, Step
from visualizer.layout.line_breaks import INDENT
from visualizer.layout.words import Parts, Styles, Word, fill, hued, prose, words_of
from visualizer.messages import N_, _, spoken
from visualizer.scene.marks import hue_of
from visualizer.scene.scene import Scene
from visualizer.tui.ink.pane import Pane
from visualizer.tui.stepper.operations import operation_rows

_QUIET: Styles = ("pane--quiet",)
_BUILT_IN = N_("{} has no definition: the preprocessor itself knows it.")
_UNDEFINED = {
    "answered": N_(
        "{} is an operator that only conditions have. It is answered before the macros around "
        "it are replaced."
    ),
    "unknown": N_(
        "{} is no macro, or one that is not invoked. A condition has no variables: a name that "
        "is left in it counts as 0."
    ),
    "computed": N_(
        "A condition is computed with whole numbers of 64 bits. Of the operands of &&, || and "
        "?: only those are evaluated that matter."
    ),
}
_ASKED = N_("The lesson asks which macro this is. Its card is shown once you have answered.")
_ARGUMENT_ROWS = 4  # an argument that is longer ends in an ellipsis


class Card(Pane):
    COMPONENT_CLASSES: ClassVar[set[str]] = {"card--operator", "card--parameter", "card--name"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "seek", "definition", tooltip="To the definition that the card shows"),
    ]

    scene: reactive[Scene | None] = reactive[Scene | None](None, repaint=False)

    class Sought(Message):
        """The place is wanted at which the macro is defined."""

        def __init__(self, name: str, where: Source) -> None:
            super().__init__()
            self.name, self.where = name, where

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._content: list[Parts] = []
        self._shown: tuple[Scene | None, Moment | None, str, int, bool, str] | None = None

    def watch_scene(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self._show()
        self.hold(len(self._content))  # in another height, too, what fits has no scrollbar

    def _show(self) -> None:
        scene = self.scene
        moment = scene.card if scene else None
        if scene is None or not self.room:
            return
        pictured, picture = _picture(scene, self.room)
        if picture:
            self.entitle(pictured, _("P: the next · Esc: the card"))
        elif moment is None:
            self.entitle(_("next: ?") if scene.asks_next else _("done"))
        else:
            said = _("just happened: {macro}") if scene.faces_back else _("next: {macro}")
            macro = _("hidden macros") if _stands_for_hidden(moment) else moment.step.macro
            title = said.format(macro=f"{macro}{_place(scene, moment)}")
            self.entitle(title, self._subtitle(moment))
        summary = "" if moment else _(_ASKED) if scene.asks_next else scene.summary()
        drawn_of = scene if picture else None
        shown = drawn_of, moment, summary, self.room, bool(scene.asked), spoken()
        if shown == self._shown:
            return
        self._shown = shown
        if picture:
            self._content = picture
        elif moment is None:
            self._content = prose(summary, self.room)
        else:
            self._content = _content(moment, self.room, bool(scene.asked))
            told = [row for note in scene.taken for row in prose(note.text, self.room)]
            self._content += [[], *told] if told else []
        self.hold(len(self._content))
        self.scroll_to(y=0, animate=False)
        self.repaint()

    @property
    def _definition(self) -> Definition | None:
        """What there is to go to."""
        moment = self.scene.card if self.scene is not None else None
        if moment is None or _stands_for_hidden(moment):
            return None
        return moment.step.definition

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "seek" or self._definition is not None

    def action_seek(self) -> None:
        if (definition := self._definition) is not None:
            self.post_message(self.Sought(definition.name, definition.where))

    def draw(self, row: int) -> Parts:
        return self._content[row]

    @staticmethod
    def _subtitle(moment: Moment) -> str:
        definition = moment.step.definition
        if _stands_for_hidden(moment):
            return _("x shows them")
        if definition is None:
            return _("of a condition") if moment.step.kind in _UNDEFINED else _("built in")
        file, line = definition.where[:2]
        return f"{file.rpartition('/')[2]}:{line}"


def _picture(scene: Scene, width: int) -> tuple[str, list[Parts]]:
    """What a picture in the card's place is called, and its rows."""
    if not scene.picture:
        return "", []
    from visualizer.scene.pictures import PICTURES, drawn  # the first picture of the app has none

    rows = drawn(scene.picture, scene, width)
    return _(PICTURES[scene.picture][0]) if rows else "", rows


def _stands_for_hidden(moment: Moment) -> bool:
    return isinstance(moment, Merged) and not moment.whole_call


def _place(scene: Scene, moment: Moment) -> str:
    """Where a moment takes place, if that is in an argument of another macro."""
    if moment.prescan is None:
        return ""
    argument, outer = moment.prescan
    whose = scene.timeline.moments[outer].step.macro
    return _(", in the prescan of {whose}'s {parameter}").format(
        whose=whose, parameter=argument.parameter
    )


def _content(moment: Moment, width: int, definition_only: bool) -> list[Parts]:
    step = moment.step
    if _stands_for_hidden(moment):
        return prose(narration(moment), width)
    if step.definition is None:
        return prose(_(_UNDEFINED.get(step.kind, _BUILT_IN)).format(step.macro), width)
    rows = _definition_rows(step.definition, width)
    if definition_only:
        return rows
    if step.arguments:
        rows.append([])
        rows.extend(_argument_rows(step, width))
    if not moment.meeting and (drawings := operation_rows(step, width)):
        rows.append([])
        rows.extend(drawings)
    return rows


def _definition_rows(definition: Definition, width: int) -> list[Parts]:
    """The `#define`, broken and indented as in the source."""
    head_line = definition.where.line
    lines: dict[int, list[Token]] = {}
    for token in definition.replacement:
        lines.setdefault(_line(token), []).append(token)
    further = [_column(tokens[0]) for line, tokens in lines.items() if line != head_line]
    margin = min(further, default=1)
    head = _head(definition)
    beside = lines.pop(head_line, [])
    head += _body_words(definition, beside, first_gap=1)
    rows = fill(head, width)
    for tokens in lines.values():
        indent = INDENT + min(_column(tokens[0]) - margin, width // 3)
        rows.extend(fill(_body_words(definition, tokens), width, indent))
    return rows


def _line(token: Token) -> int:
    return spelled_at(token).line


def _column(token: Token) -> int:
    origin = token.origin
    return origin.column if isinstance(origin, Source) else 1


def _head(definition: Definition) -> list[Word]:
    words = [Word("#define", 0, _QUIET), Word(definition.name, 1, ("card--name",))]
    if definition.parameters is None:
        return words
    names = definition.all_parameters
    words.append(Word("(" if names else "()", 0, _QUIET))
    for i, name in enumerate(names):
        text = name
        if name == definition.variadic:
            text = "..." if name == VA_ARGS else f"{name}..."
        words.append(Word(text, int(i > 0), _parameter_styles(definition, name)))
        words.append(Word("," if i + 1 < len(names) else ")", 0, _QUIET))
    return words


def _body_words(definition: Definition, tokens: list[Token], first_gap: int = 0) -> list[Word]:
    def styles(token: Token) -> Styles:
        if token.text in definition.parameter_set:
            return _parameter_styles(definition, token.text)
        if token.text in PASTE or (token.text in HASH and definition.parameters is not None):
            return ("card--operator",)
        return ()

    words = words_of(tokens, styles)
    if words:
        words[0] = words[0]._replace(gap=first_gap)
    return words


def _parameter_styles(definition: Definition, name: str) -> Styles:
    return ("card--parameter", *hued(hue_of(definition, name)))


def _argument_rows(step: Step, width: int) -> list[Parts]:
    """`parameter ← tokens`, a row or a few for each."""
    longest = max(len(a.parameter) for a in step.arguments)
    column = min(longest, max(width // 3, 8))
    rows: list[Parts] = []
    for argument in step.arguments:
        hue = hued(hue_of(step.definition, argument.parameter))
        name = argument.parameter
        if len(name) > column:
            name = name[: column - 1] + "…"
        bound = _bound_rows(argument, hue, width - column - 3)
        for i, parts in enumerate(bound):
            label = name.rjust(column) if i == 0 else " " * column
            arrow = " ← " if i == 0 else "   "
            rows.append([(label, ("card--parameter", *hue)), (arrow, _QUIET), *parts])
    return rows


def _bound_rows(argument: Argument, hue: Styles, width: int) -> list[Parts]:
    if not argument.raw:
        return [[("nothing", _QUIET)]]
    rows = _shortened(argument.raw, hue, width)
    prescan = argument.prescan
    if prescan is not None and prescan.steps and not _alike(prescan.after, argument.raw):
        for i, parts in enumerate(_shortened(prescan.after, hue, width - 2)):
            rows.append([("⇒ " if i == 0 else "  ", _QUIET), *parts])
        if not prescan.after:
            rows.append([("⇒ nothing", _QUIET)])
    return rows


def _alike(tokens: list[Token], others: list[Token]) -> bool:
    """Whether the reader would see no difference."""
    return len(tokens) == len(others) and spell(tokens) == spell(others)


def _shortened(tokens: list[Token], hue: Styles, width: int) -> list[Parts]:
    """Tokens in a few rows at most."""
    most = width * _ARGUMENT_ROWS  # every token takes a cell at least
    rows = fill(words_of(tokens[:most], lambda _: hue), width, most=_ARGUMENT_ROWS + 1)
    if len(rows) <= _ARGUMENT_ROWS and len(tokens) <= most:
        return rows
    note = _("… {count:,} tokens in all").format(count=len(tokens))
    return [*rows[: _ARGUMENT_ROWS - 1], [(note, _QUIET)]]
