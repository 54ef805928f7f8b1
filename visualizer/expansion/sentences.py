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
from visualizer.expansion.wording import elided, fits, fitted, listed, plural, quoted, short

_CALLEE = 56  # characters of what is called
_MUCH = 60  # characters after which a list of pastes can wait


def sentence(step: Step) -> str:
    """What this step does to the line."""
    name = elided(step.macro)
    match step.kind:
        case "builtin":
            return _builtin(step)
        case "painted":
            return (
                f"{name} turned up while it is itself being replaced, so it is painted: from here "
                "on it is an ordinary name, never a macro."
            )
        case "refused":
            return f"{name} was given the wrong number of arguments, so its name stays."
        case "stopped":
            return f"The expansion of an argument of {name} was stopped at the limit."
        case "answered":
            return _answered(step)
        case "unknown" if spell(step.insert) == "1":
            return f"{name} is 1 in a condition of C++."
        case "unknown":
            return f"{name} is left when all macros are replaced: in a condition, it counts as 0."
        case "computed":
            return _computed(step)
        case "object" if not step.insert:
            return f"{name} stands for nothing, so it vanishes."
        case "object":
            told = [_failed_pastes(step.operations), _pastes(step.operations)]
            return fitted([f"{name} stands for {quoted(step.insert)}.", *told])
        case _:
            return _function(step)


def meeting(step: Step) -> str:
    """What is about to happen, where a macro's arguments have macros of their own."""
    waiting = [a.parameter for a in step.arguments if a.prescan and a.prescan.steps]
    each = "is expanded by itself" if len(waiting) == 1 else "are each expanded by themselves"
    which = listed(map(elided, waiting), "argument", "arguments")
    return f"{elided(step.macro)} is met. Its {which} {each} first: the prescan."


def ending(expansion: Expansion) -> str:
    """What the line is, when no step is left."""
    worth = expansion.after[2:]
    match expansion.directive:
        case "":
            return "Nothing is left to replace: this is what the compiler reads."
        case "if" | "elif" if (holds := _holds(worth)) is not None:
            which = (
                "not 0: the lines below it count" if holds else "0: the lines below it are skipped"
            )
            return f"The condition is {which}."
        case "if" | "elif":
            return "The condition has no value: the lines below it are skipped."
        case "line":
            return "Nothing is left to replace: from the next line on, lines are counted so."
        case _:
            return "Nothing is left to replace: this is the file that is read."


# ---------------------------------------------------------------------- kinds of step


def _builtin(step: Step) -> str:
    text = spell(step.insert)
    match step.macro:
        case "__COUNTER__":
            return f"__COUNTER__ gives {text}, and one more the next time that it is asked."
        case "_Pragma":
            return f"_Pragma turns its string into the directive {text or '#pragma once'}."
        case "__LINE__":
            return f"__LINE__ is the number of the source line, {text}."
        case _:
            return f"{step.macro} is built in: here it stands for {text}."


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
        why = "there is such a macro" if yes else "there is no such macro"
    elif name.startswith("__has_include"):
        why = "there is such a file" if yes else "no such file is found"
    elif name == "#":
        why = "that is asserted" if yes else "nothing asserts that"
    else:
        why = "so the compiler says"
    return f"{asked} is {text}: {why}."


def _computed(step: Step) -> str:
    asked, *remarks = step.operations[0].operands
    parts = [f"{elided(asked)} is {spell(step.insert)}."]
    if "needless" in remarks:
        chooses = "The first operand chooses one of the others, and only that"
        decides = "The left operand decides, and only that"
        parts.append(f"{chooses if step.macro == '?' else decides} is evaluated.")
    if "mixed" in remarks:
        parts.append("One operand is unsigned, so the negative one is read as unsigned too.")
    return fitted(parts)


def _function(step: Step) -> str:
    name = elided(step.macro)
    if not step.insert:
        return f"{name} is replaced by nothing: its replacement list leaves no token."
    failed = _failed_pastes(step.operations)
    parts = [f"{name}: {failed}" if failed else _opening(step)]
    names = _names_handed_on(step)
    pastes = _pastes(step.operations)
    pastes = "" if pastes and pastes in parts[0] else pastes
    parts += [names, pastes] if len(pastes) > _MUCH else [pastes]
    strings = [o for o in step.operations if o.kind == "stringize"]
    if strings and spell(strings[0].result) not in parts[0]:
        made = dict.fromkeys(f"#{o.parameter} gives {elided(spell(o.result))}" for o in strings)
        parts.append(listed(made) + ".")
    if any(o.kind == "comma" for o in step.operations):
        parts.append("There are no variable arguments, so the comma before ## goes away.")
    for operation in step.operations:
        if operation.kind == "va_opt":
            kept = operation.operands == ("kept",)
            why = "there are variable arguments" if kept else "there are no variable arguments"
            parts.append(f"__VA_OPT__ is {operation.operands[0]}: {why}.")
    empty = [o.parameter for o in step.operations if o.kind == "placemarker" and o.parameter]
    if empty:
        parts.append(f"Nothing was given for {listed(dict.fromkeys(empty))}.")
    parts += [_unused(step), names]
    return fitted(list(dict.fromkeys(parts)))


def _opening(step: Step) -> str:
    """What became of the invocation as a whole: the first shape that fits says it best."""
    name = elided(step.macro)
    if not step.arguments:
        return f"{name}() becomes {quoted(step.insert)}."
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
        return f"{name} drops its {_given(step)} and becomes {quoted(step.insert)}."
    given = sum(_count(step, a) for a in step.arguments)
    where = "1 place" if places == 1 else f"{places} places"
    fill = "fills" if given == 1 else "fill"
    if fits(step.insert):
        return f"{name} becomes {quoted(step.insert)}."
    filled = f": its {_given(step)} {fill} {where}" if given and places else ""
    return f"{name} is replaced{filled}."


# ---------------------------------------------------------------------- shapes


def _counting(step: Step) -> str:
    number = shapes.counted(step)
    if number is None:
        return ""
    pushed = "no argument pushes the row, so 0 stands" if number == 0 else ""
    pushed = pushed or f"{plural(number, 'argument pushes', 'arguments push')} {number}"
    where = "at" if number == 0 else "into"
    return f"{elided(step.macro)} counts: {pushed} {where} {shapes.picked_parameter(step)}."


def _picking(step: Step) -> str:
    picked = shapes.picked_parameter(step)
    if picked is None or step.definition is None:
        return ""
    name, result = elided(step.macro), quoted(step.insert)
    if picked != step.definition.variadic:
        return f"{name} picks {picked} out of its arguments: {result}."
    dropped = [quoted(a.raw) or "nothing" for a in step.arguments if a.parameter != picked]
    return f"{name} drops {listed(dropped)} and keeps the variable arguments: {result}."


def _identity(step: Step) -> str:
    definition = step.definition
    assert definition is not None
    body = definition.replacement
    if len(step.arguments) != 1 or len(body) != 1 or body[0].text not in definition.parameter_set:
        return ""
    prescan = step.arguments[0].prescan
    expanded = ", expanded" if prescan and prescan.steps else ""
    plural = _count(step, step.arguments[0]) > 1
    what = "arguments" if plural else "argument"
    return f"{elided(step.macro)} gives back its {what}{expanded}: {quoted(step.insert)}."


def _operator_only(step: Step) -> str:
    """Nothing but one paste, or one `#`."""
    assert step.definition is not None
    body = step.definition.replacement
    if len(step.insert) != 1:
        return ""
    name = elided(step.macro)
    if len(body) == 2 and body[0].text in HASH:
        return f"{name} makes a string of its argument, as written: {elided(step.insert[0].text)}."
    if len(body) >= 3 and all(t.text in PASTE for t in body[1::2]):
        told = _pastes(step.operations)
        return f"{name}: {told}" if told else ""
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
    use = f" for {_callee(step, shape.user)}" if shape.user and shape.user.pieces else ""
    are = "1 is left" if left == 1 else f"{left} are left"
    return (
        f"{elided(step.macro)} takes {quoted(taken.raw)} off the list{use}; "
        f"{are} for {_callee(step, shape.call)}."
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
        what = "its argument" if every == 1 else f"its {every} arguments"
    elif some == every - 1 and called == (0, 1) and body[0].text in _parameters(step):
        what = "its other argument" if some == 1 else f"its other {some} arguments"
    else:
        what = f"{some} of its {every} arguments"
    told = f"{elided(step.macro)} hands {what} on to {_callee(step, shape.call)}"
    if shape.inside is not None:
        told += f" inside {_callee(step, shape.inside)}"
    if shape.packed:
        told += " as one, in parentheses"
    for names, piece in shape.built:
        told += (
            f", {listed(map(elided, names))} as {quoted(shapes.made_at(step, piece)) or 'nothing'}"
        )
    added = [text for text in (quoted(shapes.made_at(step, p)) for p in shape.added) if text]
    return told + (f", adding {listed(added)}." if added else ".")


def _applying(step: Step) -> str:
    """`#define APPLY(list) F list`: the argument brings its own parentheses."""
    assert step.definition is not None
    body = step.definition.replacement
    if len(body) != 2 or len(step.arguments) != 1 or body[1].text not in _parameters(step):
        return ""
    raw = step.arguments[0].raw
    if not raw or raw[0].text != "(" or raw[-1].text != ")" or body[0].text in _parameters(step):
        return ""
    return (
        f"{elided(step.macro)} puts {elided(body[0].text)} before its argument, "
        "which brings the parentheses of a call."
    )


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
        what = listed(map(elided, parts)) if len(parts) <= 3 else f"{len(parts)} pieces"
        told[f"{what} into {elided(result.text)}"] = None
    return f"## pastes {listed(told)}." if told else ""


def _failed_pastes(operations: Iterable[Operation]) -> str:
    failed = [" and ".join(map(elided, o.operands)) for o in operations if o.fails()]
    if not failed:
        return ""
    return f"## makes no valid token of {listed(dict.fromkeys(failed))}: both stay."


def _unused(step: Step) -> str:
    assert step.definition is not None
    body = {t.text for t in step.definition.replacement}
    unused = [a.parameter for a in step.arguments if a.raw and a.parameter not in body]
    if not unused or len(step.definition.replacement) <= 1 or not body & _parameters(step):
        return ""  # a macro that picks or drops: that was said already
    verb = "appears" if len(unused) == 1 else "appear"
    return f"{listed(map(elided, unused), 'Argument', 'Arguments')} never {verb} in it."


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
        were = "was only a name" if len(called) == 1 else "were only names"
        who = "it" if len(called) == 1 else "each"
        told.append(f"{listed(called, most=2)} {were} in the argument; now a ( follows {who}.")
    if waiting:
        stay = "stays a name" if len(waiting) == 1 else "stay names"
        who = "it" if len(waiting) == 1 else "them"
        told.append(f"{listed(waiting, most=2)} {stay} until a ( follows {who}.")
    return " ".join(told)


def _is_called(step: Step, name: str) -> bool:
    """Whether the step has put that argument before a parenthesis."""
    return any(
        token.text == name and isinstance(token.origin, Passed) and behind.text == "("
        for token, behind in pairwise(step.insert)
    )


def _given(step: Step) -> str:
    """`2 arguments`, `16 arguments (6 of them as __VA_ARGS__)`."""
    given = sum(_count(step, a) for a in step.arguments)
    told = "argument" if given == 1 else f"{given} arguments"
    rest = next((a for a in step.arguments if _is_rest(step, a)), None)
    if rest is not None and rest.raw and len(step.arguments) > 1:
        told += f" ({_count(step, rest)} as {rest.parameter})"
    return told


def _callee(step: Step, call: shapes.Call) -> str:
    return short(shapes.made_at(step, call.callee), _CALLEE) or "what its argument names"


def _count(step: Step, argument: Argument) -> int:
    return shapes.how_many(argument) if _is_rest(step, argument) else 1


def _is_rest(step: Step, argument: Argument) -> bool:
    return step.definition is not None and argument.parameter == step.definition.variadic


def _parameters(step: Step) -> frozenset[str]:
    return step.definition.parameter_set if step.definition is not None else frozenset()
