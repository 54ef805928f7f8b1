"""The listing that a call gets which fits no signature.

PyTorch reads the printed signatures back to find which argument is at fault
(`torch/csrc/utils/invalid_arguments.cpp`). Its reader is older than keyword-only arguments: to it
the `*` is an argument of its own, and in `Number alpha = 1` the name is `1`. So `add(x, 1, 2)` is
said to have three arguments, two of them wrong. The sentences are theirs, with that in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_HEAP_TYPE = 1 << 9


def tp_name(value: object) -> str:
    """`Py_TYPE(value)->tp_name`: with the module, for a type written in C outside of Python."""
    kind = type(value)
    if kind.__flags__ & _HEAP_TYPE or kind.__module__ == "builtins":
        return kind.__name__
    return f"{kind.__module__}.{kind.__qualname__}"


def format_invalid_args(
    arguments: tuple[Any, ...], named: Mapping[str, Any] | None, function: str, options: list[str]
) -> str:
    """`add() received an invalid combination of arguments - got …`; `options` are signatures."""
    given = dict(named or {})
    message = f"{function} received an invalid combination of arguments - "
    if len(options) == 1:
        expected = _arguments_of(options[0])
        unmatched = _unmatched(expected, given)
        if unmatched:
            return f"{message}got unrecognized keyword arguments: {', '.join(unmatched)}"
        got = _described(expected, arguments, given)
        return f"{message}got {got}, but expected {options[0]}"
    message += f"got {_plain(arguments, given)}, but expected one of:\n"
    for option in options:
        expected = _arguments_of(option)
        message += f" * {option}\n"
        if len(arguments) + len(given) != len(expected):
            continue
        unmatched = _unmatched(expected, given)
        if unmatched:
            message += (
                "      didn't match because some of the keywords were incorrect: "
                f"{', '.join(unmatched)}\n"
            )
        else:
            message += (
                "      didn't match because some of the arguments have invalid types: "
                f"{_described(expected, arguments, given)}\n"
            )
    return message


def _arguments_of(option: str) -> list[tuple[str, str]]:
    """Type and name of each argument, as PyTorch's reader takes a printed signature."""
    parted = (argument.rpartition(" ") for argument in option[1:-1].split(", "))
    return [(type or name, name) for type, _, name in parted]


def _unmatched(expected: list[tuple[str, str]], given: Mapping[str, Any]) -> list[str]:
    start = max(0, len(expected) - len(given))
    names = {name for _, name in expected[start:]}
    # They come out of a std::unordered_map, the newest first.
    return [name for name in reversed(list(given)) if name not in names]


def _described(
    expected: list[tuple[str, str]], arguments: tuple[Any, ...], given: Mapping[str, Any]
) -> str:
    if len(arguments) + len(given) != len(expected):
        return _plain(arguments, given)
    names = [name for _, name in expected[len(arguments) :]]
    words = []
    for (type, _), value, name in zip(
        expected,
        (*arguments, *(given[name] for name in names)),
        (*[""] * len(arguments), *names),
        strict=True,
    ):
        mark = "" if _matches(type, value) else "!"
        words.append(f"{mark}{f'{name}=' if name else ''}{_spelled(value)}{mark}")
    return f"({', '.join(words)})"


def _matches(type: str, value: object) -> bool:
    accepted = {"float": ("float", "int", "long"), "int": ("int", "long")}
    return tp_name(value) in accepted.get(type, (type,))


def _spelled(value: object) -> str:
    if not isinstance(value, list | tuple):
        return tp_name(value)
    inside = ", ".join(tp_name(item) for item in value)
    if isinstance(value, list):
        return f"{tp_name(value)} of [{inside}]"
    return f"{tp_name(value)} of ({inside}{',' if len(value) == 1 else ''})"


def _plain(arguments: Sequence[object], given: Mapping[str, object]) -> str:
    words = [tp_name(value) for value in arguments]
    words += [f"{name}={tp_name(given[name])}" for name in reversed(list(given))]
    # With nothing given by position, PyTorch leaves the last comma standing.
    trailing = ", " if given and not arguments else ""
    return f"({', '.join(words)}{trailing})"
