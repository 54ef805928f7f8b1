"""One sentence for each step: what happened, in plain words.

The sentences come from general rules about what was recorded (`shapes.py`), never from knowing a
macro by name, so that they are right for anybody's macros. A sentence has room for two lines of a
terminal: what matters most stands first, and what no longer fits is left to the details.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from visualizer.expansion import shapes
from visualizer.expansion.arithmetic import Trouble, evaluate
from visualizer.expansion.definitions import HASH, PASTE
from visualizer.expansion.tokens import IDENTIFIER, Passed, Pasted, Token, spell
from visualizer.expansion.trace import Argument, Expansion, Operation, Step
from visualizer.expansion.wording import elided, fits, fitted, listed, quoted, short
from visualizer.messages import _, ngettext

_CALLEE = 56  # characters of what is called
_MUCH = 60  # characters after which a list of pastes can wait


def sentence(step: Step) -> str:
    """What this step does to the line."""
    name = elided(step.macro)
    match step.kind:
        case "builtin":
            return _builtin(step)
        case "painted":
            return _(
                "{name} turned up while it is itself being replaced, so it is painted: from here "
                "on it is an ordinary name, never a macro."
            ).format(name=name)
        case "refused":
            return _("{name} was given the wrong number of arguments, so its name stays.").format(
                name=name
            )
        case "stopped":
            return _("The expansion of an argument of {name} was stopped at the limit.").format(
                name=name
            )
        case "answered":
            return _answered(step)
        case "unknown" if spell(step.insert) == "1":
            return _("{name} is 1 in a condition of C++.").format(name=name)
        case "unknown":
            return _(
                "{name} is left when all macros are replaced: in a condition, it counts as 0."
            ).format(name=name)
        case "computed":
            return _computed(step)
        case "object" if not step.insert:
            return _("{name} stands for nothing, so it vanishes.").format(name=name)
        case "object":
            told = [_failed_pastes(step.operations), _pastes(step.operations)]
            meant = _("{name} stands for {result}.").format(name=name, result=quoted(step.insert))
            return fitted([meant, *told])
        case _:
            return _function(step)


def meeting(step: Step) -> str:
    """What is about to happen, where a macro's arguments have macros of their own."""
    waiting = [a.parameter for a in step.arguments if a.prescan and a.prescan.steps]
    return ngettext(
        "{name} is met. Its argument {arguments} is expanded by itself first: the prescan.",
        "{name} is met. Its arguments {arguments} are each expanded by themselves first: "
        "the prescan.",
        len(waiting),
    ).format(name=elided(step.macro), arguments=listed(map(elided, waiting)))


def ending(expansion: Expansion) -> str:
    """What the line is, when no step is left."""
    worth = expansion.after[2:]
    match expansion.directive:
        case "":
            return _("Nothing is left to replace: this is what the compiler reads.")
        case "if" | "elif" if (holds := _holds(worth)) is not None:
            return (
                _("The condition is not 0: the lines below it count.")
                if holds
                else _("The condition is 0: the lines below it are skipped.")
            )
        case "if" | "elif":
            return _("The condition has no value: the lines below it are skipped.")
        case "line":
            return _("Nothing is left to replace: from the next line on, lines are counted so.")
        case _:
            return _("Nothing is left to replace: this is the file that is read.")


# ---------------------------------------------------------------------- kinds of step


def _builtin(step: Step) -> str:
    text = spell(step.insert)
    match step.macro:
        case "__COUNTER__":
            return _(
                "__COUNTER__ gives {text}, and one more the next time that it is asked."
            ).format(text=text)
        case "_Pragma":
            return _("_Pragma turns its string into the directive {text}.").format(
                text=text or "#pragma once"
            )
        case "__LINE__":
            return _("__LINE__ is the number of the source line, {text}.").format(text=text)
        case _:
            return _("{name} is built in: here it stands for {text}.").format(
                name=step.macro, text=text
            )


def _holds(worth: list[Token]) -> bool | None:
    """Whether what is left of a condition is not 0; None where something went wrong."""
    if any(token.kind == IDENTIFIER for token in worth):
        return None
    try:
        without_sign = [token.text.removeprefix("-") for token in worth]
        return bool(evaluate([text for text in without_sign if text], cxx=True).bits)
    except Trouble:
        return None


def _answered(step: Step) -> str:
    asked, text = elided(step.operations[0].operands[0]), spell(step.insert)
    name, yes = step.macro, text != "0"
    if name == "defined":
        why = _("there is such a macro") if yes else _("there is no such macro")
    elif name.startswith("__has_include"):
        why = _("there is such a file") if yes else _("no such file is found")
    elif name == "#":
        why = _("that is asserted") if yes else _("nothing asserts that")
    else:
        why = _("so the compiler says")
    return _("{asked} is {text}: {why}.").format(asked=asked, text=text, why=why)


def _computed(step: Step) -> str:
    asked, *remarks = step.operations[0].operands
    parts = [_("{asked} is {value}.").format(asked=elided(asked), value=spell(step.insert))]
    if "needless" in remarks:
        chooses = _("The first operand chooses one of the others, and only that is evaluated.")
        decides = _("The left operand decides, and only that is evaluated.")
        parts.append(chooses if step.macro == "?" else decides)
    if "mixed" in remarks:
        parts.append(_("One operand is unsigned, so the negative one is read as unsigned too."))
    return fitted(parts)


def _function(step: Step) -> str:
    name = elided(step.macro)
    if not step.insert:
        return _("{name} is replaced by nothing: its replacement list leaves no token.").format(
            name=name
        )
    failed = _failed_pastes(step.operations)
    parts = [_("{name}: {told}").format(name=name, told=failed) if failed else _opening(step)]
    names = _names_handed_on(step)
    pastes = _pastes(step.operations)
    pastes = "" if pastes and pastes in parts[0] else pastes
    parts += [names, pastes] if len(pastes) > _MUCH else [pastes]
    strings = [o for o in step.operations if o.kind == "stringize"]
    if strings and spell(strings[0].result) not in parts[0]:
        gives = _("#{parameter} gives {string}")
        made = dict.fromkeys(
            gives.format(parameter=o.parameter, string=elided(spell(o.result))) for o in strings
        )
        parts.append(_("{made}.").format(made=listed(made)))
    if any(o.kind == "comma" for o in step.operations):
        parts.append(_("There are no variable arguments, so the comma before ## goes away."))
    for operation in step.operations:
        if operation.kind == "va_opt":
            kept = operation.operands == ("kept",)
            parts.append(
                _("__VA_OPT__ is kept: there are variable arguments.")
                if kept
                else _("__VA_OPT__ is dropped: there are no variable arguments.")
            )
    empty = [o.parameter for o in step.operations if o.kind == "placemarker" and o.parameter]
    if empty:
        given = listed(dict.fromkeys(empty))
        parts.append(_("Nothing was given for {parameters}.").format(parameters=given))
    parts += [_unused(step), names]
    return fitted(list(dict.fromkeys(parts)))


def _opening(step: Step) -> str:
    """What became of the invocation as a whole: the first shape that fits says it best."""
    name = elided(step.macro)
    if not step.arguments:
        return _("{name}() becomes {result}.").format(name=name, result=quoted(step.insert))
    for shape in (_counting, _picking, _identity, _operator_only, _peeling, _handing_on, _applying):
        told = shape(step)
        if told:
            return told
    definition = step.definition
    assert definition is not None
    empty = {a.parameter for a in step.arguments if _is_rest(step, a) and not a.raw}
    named = [t.text for t in definition.replacement if t.text in definition.parameter_set]
    places = sum(name not in empty for name in named)
    if not named:
        return _("{name} drops {given} and becomes {result}.").format(
            name=name, given=_given(step), result=quoted(step.insert)
        )
    given = sum(_count(step, a) for a in step.arguments)
    if fits(step.insert):
        return _("{name} becomes {result}.").format(name=name, result=quoted(step.insert))
    if not (given and places):
        return _("{name} is replaced.").format(name=name)
    where = ngettext("{count} place", "{count} places", places).format(count=places)
    return ngettext(
        "{name} is replaced: {given} fills {where}.",
        "{name} is replaced: {given} fill {where}.",
        given,
    ).format(name=name, given=_given(step), where=where)


# ---------------------------------------------------------------------- shapes


def _counting(step: Step) -> str:
    number = shapes.counted(step)
    if number is None:
        return ""
    if number == 0:
        said = _("{name} counts: no argument pushes the row, so 0 stands at {parameter}.")
    else:
        said = ngettext(
            "{name} counts: {number} argument pushes {number} into {parameter}.",
            "{name} counts: {number} arguments push {number} into {parameter}.",
            number,
        )
    picked = shapes.picked_parameter(step)
    return said.format(name=elided(step.macro), number=number, parameter=picked)


def _picking(step: Step) -> str:
    picked = shapes.picked_parameter(step)
    if picked is None or step.definition is None:
        return ""
    name, result = elided(step.macro), quoted(step.insert)
    if picked != step.definition.variadic:
        return _("{name} picks {parameter} out of its arguments: {result}.").format(
            name=name, parameter=picked, result=result
        )
    dropped = [quoted(a.raw) or _("nothing") for a in step.arguments if a.parameter != picked]
    return _("{name} drops {dropped} and keeps the variable arguments: {result}.").format(
        name=name, dropped=listed(dropped), result=result
    )


def _identity(step: Step) -> str:
    definition = step.definition
    assert definition is not None
    body = definition.replacement
    if len(step.arguments) != 1 or len(body) != 1 or body[0].text not in definition.parameter_set:
        return ""
    prescan = step.arguments[0].prescan
    count = _count(step, step.arguments[0])
    if prescan and prescan.steps:
        said = ngettext(
            "{name} gives back its argument, expanded: {result}.",
            "{name} gives back its arguments, expanded: {result}.",
            count,
        )
    else:
        said = ngettext(
            "{name} gives back its argument: {result}.",
            "{name} gives back its arguments: {result}.",
            count,
        )
    return said.format(name=elided(step.macro), result=quoted(step.insert))


def _operator_only(step: Step) -> str:
    """Nothing but one paste, or one `#`."""
    assert step.definition is not None
    body = step.definition.replacement
    if len(step.insert) != 1:
        return ""
    name = elided(step.macro)
    if len(body) == 2 and body[0].text in HASH:
        return _("{name} makes a string of its argument, as written: {string}.").format(
            name=name, string=elided(step.insert[0].text)
        )
    if len(body) >= 3 and all(t.text in PASTE for t in body[1::2]):
        told = _pastes(step.operations)
        return _("{name}: {told}").format(name=name, told=told) if told else ""
    return ""


def _peeling(step: Step) -> str:
    assert step.definition is not None
    shape = shapes.peeling(step.definition)
    if shape is None:
        return ""
    taken = next(a for a in step.arguments if a.parameter == shape.taken)
    left = _count(step, step.arguments[-1])
    if not taken.raw or not left:
        return ""
    user = _callee(step, shape.user) if shape.user and shape.user.pieces else ""
    if user:
        said = ngettext(
            "{name} takes {taken} off the list for {user}; {left} is left for {called}.",
            "{name} takes {taken} off the list for {user}; {left} are left for {called}.",
            left,
        )
    else:
        said = ngettext(
            "{name} takes {taken} off the list; {left} is left for {called}.",
            "{name} takes {taken} off the list; {left} are left for {called}.",
            left,
        )
    called = _callee(step, shape.call)
    return said.format(
        name=elided(step.macro), taken=quoted(taken.raw), user=user, left=left, called=called
    )


def _handing_on(step: Step) -> str:
    assert step.definition is not None
    shape = shapes.handing_on(step.definition)
    if shape is None:
        return ""
    every = sum(_count(step, a) for a in step.arguments)
    if not any(_count(step, a) for a in step.arguments if a.parameter in shape.handed):
        return ""
    landed = {*shape.handed, *(name for names, _ in shape.built for name in names)}
    some = sum(_count(step, a) for a in step.arguments if a.parameter in landed)
    body, called = step.definition.replacement, shape.call.callee
    if some == every:
        what = ngettext("its argument", "its {count} arguments", every)
    elif some == every - 1 and called == (0, 1) and body[0].text in _parameters(step):
        what = ngettext("its other argument", "its other {some} arguments", some)
    else:
        what = _("{some} of its {count} arguments")
    told = _("{name} hands {what} on to {called}").format(
        name=elided(step.macro),
        what=what.format(count=every, some=some),
        called=_callee(step, shape.call),
    )
    if shape.inside is not None:
        told += _(" inside {outer}").format(outer=_callee(step, shape.inside))
    if shape.packed:
        told += _(" as one, in parentheses")
    for names, piece in shape.built:
        made = quoted(shapes.made_at(step, piece)) or _("nothing")
        told += _(", {names} as {made}").format(names=listed(map(elided, names)), made=made)
    added = [text for text in (quoted(shapes.made_at(step, p)) for p in shape.added) if text]
    if added:
        told += _(", adding {added}").format(added=listed(added))
    return _("{made}.").format(made=told)


def _applying(step: Step) -> str:
    """`#define APPLY(list) F list`: the argument brings its own parentheses."""
    assert step.definition is not None
    body = step.definition.replacement
    if len(body) != 2 or len(step.arguments) != 1 or body[1].text not in _parameters(step):
        return ""
    raw = step.arguments[0].raw
    if not raw or raw[0].text != "(" or raw[-1].text != ")" or body[0].text in _parameters(step):
        return ""
    return _(
        "{name} puts {called} before its argument, which brings the parentheses of a call."
    ).format(name=elided(step.macro), called=elided(body[0].text))


# ---------------------------------------------------------------------- parts


def _pastes(operations: Iterable[Operation]) -> str:
    """The pastes, those that build on each other told as one."""
    made: dict[Token, list[str]] = {}
    for operation in operations:
        if not operation.pastes():
            continue
        left, right = operation.operands
        result = operation.result[0]
        origin = result.origin
        before = made.pop(origin.left, [left]) if isinstance(origin, Pasted) else [left]
        made[result] = [*before, right]
    told: dict[str, None] = {}
    for result, parts in made.items():
        few = len(parts) <= 3
        said = _("{parts} into {result}") if few else _("{count} pieces into {result}")
        what = listed(map(elided, parts)) if few else ""
        into = said.format(parts=what, count=len(parts), result=elided(result.text))
        told[into] = None
    return _("## pastes {pasted}.").format(pasted=listed(told)) if told else ""


def _failed_pastes(operations: Iterable[Operation]) -> str:
    failed = [listed(map(elided, o.operands)) for o in operations if o.fails()]
    if not failed:
        return ""
    return _("## makes no valid token of {operands}: both stay.").format(
        operands=listed(dict.fromkeys(failed))
    )


def _unused(step: Step) -> str:
    assert step.definition is not None
    body = {t.text for t in step.definition.replacement}
    unused = [a.parameter for a in step.arguments if a.raw and a.parameter not in body]
    if not unused or len(step.definition.replacement) <= 1 or not body & _parameters(step):
        return ""  # a macro that picks or drops: that was said already
    return ngettext(
        "Argument {names} never appears in it.",
        "Arguments {names} never appear in it.",
        len(unused),
    ).format(names=listed(map(elided, unused)))


def _names_handed_on(step: Step) -> str:
    """Names of function-like macros among the arguments, where they are first passed on: whether they
    have got their parentheses now."""
    names = [
        token.text
        for argument in step.arguments
        if argument.prescan is not None
        for token in argument.prescan.left
        if any(token is t for t in argument.prescan.after) and not isinstance(token.origin, Passed)
    ]
    called = dict.fromkeys(name for name in names if _is_called(step, name))
    waiting = dict.fromkeys(name for name in names if name not in called)
    told = []
    if called:
        were = ngettext(
            "{names} was only a name in the argument; now a ( follows it.",
            "{names} were only names in the argument; now a ( follows each.",
            len(called),
        )
        told.append(were.format(names=listed(called, most=2)))
    if waiting:
        stay = ngettext(
            "{names} stays a name until a ( follows it.",
            "{names} stay names until a ( follows them.",
            len(waiting),
        )
        told.append(stay.format(names=listed(waiting, most=2)))
    return " ".join(told)


def _is_called(step: Step, name: str) -> bool:
    """Whether the step has put that argument before a parenthesis."""
    return any(
        token.text == name and isinstance(token.origin, Passed) and behind.text == "("
        for token, behind in pairwise(step.insert)
    )


def _given(step: Step) -> str:
    """`its 2 arguments`, `its 16 arguments (6 as __VA_ARGS__)`."""
    given = sum(_count(step, a) for a in step.arguments)
    told = ngettext("its argument", "its {count} arguments", given).format(count=given)
    rest = next((a for a in step.arguments if _is_rest(step, a)), None)
    if rest is not None and rest.raw and len(step.arguments) > 1:
        told += _(" ({count} as {parameter})").format(
            count=_count(step, rest), parameter=rest.parameter
        )
    return told


def _callee(step: Step, call: shapes.Call) -> str:
    return short(shapes.made_at(step, call.callee), _CALLEE) or _("what its argument names")


def _count(step: Step, argument: Argument) -> int:
    return shapes.how_many(argument) if _is_rest(step, argument) else 1


def _is_rest(step: Step, argument: Argument) -> bool:
    return step.definition is not None and argument.parameter == step.definition.variadic


def _parameters(step: Step) -> frozenset[str]:
    return step.definition.parameter_set if step.definition is not None else frozenset()
