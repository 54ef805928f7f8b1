"""One sentence for each step: what happened, in plain words.

The sentences come from general rules about what was recorded, never from knowing a macro by name, so
that they are right for anybody's macros.
"""

from __future__ import annotations

from collections.abc import Iterable

from visualizer.expansion.tokens import Token, spell
from visualizer.expansion.trace import Argument, Operation, Step

_LONG = 40


def sentence(step: Step) -> str:
    """What this step does to the line."""
    match step.kind:
        case "builtin":
            return _builtin(step)
        case "painted":
            return (
                f"{step.macro} turned up while {step.macro} itself is being replaced, so it is "
                "painted: from here on it is an ordinary name, never a macro."
            )
        case "refused":
            return f"{step.macro} was given the wrong number of arguments, so its name stays."
        case "stopped":
            return f"The expansion of an argument of {step.macro} was stopped at the limit."
        case "object":
            return _object(step)
        case _:
            return _function(step)


def meeting(step: Step) -> str:
    """What is about to happen, where a macro's arguments have macros of their own."""
    waiting = [a.parameter for a in step.arguments if a.prescan and a.prescan.steps]
    which = _names(waiting, "argument", "arguments")
    return (
        f"{step.macro} is met. Before {which} can go into its replacement list, "
        f"{'it is' if len(waiting) == 1 else 'each is'} expanded completely by itself: "
        "the argument prescan."
    )


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


def _object(step: Step) -> str:
    if not step.insert:
        return f"{step.macro} stands for nothing, so it vanishes."
    return f"{step.macro} stands for {_short(step.insert)}.{_pastes(step.operations)}"


def _function(step: Step) -> str:
    definition = step.definition
    assert definition is not None
    if not step.insert:
        return f"{step.macro} is replaced by nothing: its replacement list leaves no token."
    parts = [_opening(step)]
    strings = [o for o in step.operations if o.kind == "stringize"]
    if strings:
        made = ", ".join(f"#{o.parameter} gives {spell(o.result)}" for o in strings)
        parts.append(made[0].upper() + made[1:] + ".")
    parts.append(_pastes(step.operations).strip())
    empty = [o.parameter for o in step.operations if o.kind == "placemarker" and o.parameter]
    if empty:
        parts.append(f"Nothing was given for {_names(dict.fromkeys(empty))}.")
    if any(o.kind == "comma" for o in step.operations):
        parts.append("There are no variable arguments, so the comma before ## goes away.")
    for operation in step.operations:
        if operation.kind == "va_opt":
            kept = operation.operands == ("kept",)
            why = "there are variable arguments" if kept else "there are no variable arguments"
            parts.append(f"__VA_OPT__ is {operation.operands[0]}: {why}.")
    dropped = _dropped(step)
    if dropped:
        parts.append(f"{_names(dropped, 'Argument', 'Arguments')} never appears in it.")
    return " ".join(p for p in parts if p)


def _opening(step: Step) -> str:
    definition = step.definition
    assert definition is not None
    if not step.arguments:
        return f"{step.macro}() becomes {_short(step.insert)}."
    used = [o for o in step.operations if o.kind == "substitute"]
    if len(definition.replacement) == 1 and len(used) == 1:
        argument = next(a for a in step.arguments if a.parameter == used[0].parameter)
        result = _short(step.insert)
        if len(step.arguments) == 1:
            return f"{step.macro} gives back its argument, expanded: {result}."
        what = f"the variable arguments, {result}" if _is_rest(step, argument) else result
        return f"{step.macro} picks {argument.parameter} out of its arguments: {what}."
    count = sum(1 for t in definition.replacement if t.text in definition.parameter_set)
    places = "1 place" if count == 1 else f"{count} places"
    if count == 0:
        return f"{step.macro} drops its arguments and becomes {_short(step.insert)}."
    bound = len(step.arguments)
    tail = ""
    rest = next((a for a in step.arguments if _is_rest(step, a)), None)
    if rest is not None:
        number = _count_arguments(rest)
        bound += number - 1
        tail = f" ({number} of them as {rest.parameter})" if len(step.arguments) > 1 else ""
    arguments = "its argument goes" if bound == 1 else f"its {bound} arguments{tail} go"
    return f"{step.macro} is replaced: {arguments} into {places} of its replacement list."


def _pastes(operations: Iterable[Operation]) -> str:
    """The pastes, those that build on each other told as one."""
    made: dict[str, list[str]] = {}
    for operation in operations:
        if operation.kind != "paste":
            continue
        left, right = operation.operands
        result = operation.result[0].text
        made[result] = [*made.pop(left, [left]), right]
    if not made:
        return ""
    told = ["## pastes " + " and ".join(parts) + f" into {name}" for name, parts in made.items()]
    return " " + "; ".join(told) + "."


def _dropped(step: Step) -> list[str]:
    assert step.definition is not None
    body = {t.text for t in step.definition.replacement}
    if len(step.arguments) > 3 and len(step.definition.replacement) <= 1:
        return []  # a macro that picks one of many: saying so once is enough
    return [a.parameter for a in step.arguments if a.raw and a.parameter not in body][:4]


def _is_rest(step: Step, argument: Argument) -> bool:
    return step.definition is not None and argument.parameter == step.definition.variadic


def _count_arguments(argument: Argument) -> int:
    depth, commas = 0, 0
    for token in argument.raw:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        commas += token.text == "," and depth == 0
    return commas + 1 if argument.raw else 0


def _names(names: Iterable[str], one: str = "", many: str = "") -> str:
    listed = list(names)
    text = listed[0] if len(listed) == 1 else ", ".join(listed[:-1]) + " and " + listed[-1]
    noun = one if len(listed) == 1 else many
    return f"{noun} {text}".strip()


def _short(tokens: list[Token]) -> str:
    text = spell(tokens)
    return text if len(text) <= _LONG else text[: _LONG - 1].rstrip() + "…"
