"""`std::string` in a body: Python's own string, which nobody changes in place.

A character is a number, of the type `char`; so a string of more than ASCII can't be taken apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from registry_runtime.cxx.arithmetic import CHAR, SIZE_T, Integer, convert
from registry_runtime.cxx.bindings import Bindings, Class, Method
from registry_runtime.cxx.operators import kind
from registry_runtime.cxx.span import Code, Refusal

_NPOS = Integer(SIZE_T.greatest, SIZE_T)


def _string(*values: object) -> str:
    match values:
        case ():
            return ""
        case (str() as text,):
            return str(text)
        case (int() as count, int() as character) if 0 <= count <= 1000:
            return chr(character) * count
    raise Refusal("a string is made of a string, or of a count and a character")


def _from_list(*values: object) -> str:
    match values:
        case () | (str(),):
            return _string(*values)
    said = "not understood: a string made of characters in braces"
    raise Refusal(said, code=Code.NOT_UNDERSTOOD)


def characters(text: str) -> Sequence[Integer]:
    """The `char`s of a string. Raises Refusal."""
    if not text.isascii():
        raise Refusal("only the characters of ASCII text are known one by one")
    return [Integer(ord(character), CHAR) for character in text]


def _spelled(value: object) -> str:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int) and 0 < value < 128:
        return chr(value)
    raise Refusal(f"{kind(value)} where a string is wanted", argument=0)


def _find(text: str, wanted: object, start: object = 0) -> Integer:
    if not isinstance(start, int) or start < 0:
        raise Refusal("a place is wanted here", argument=1)
    characters(text)  # or places aren't what C++ counts
    place = text.find(_spelled(wanted), start)
    return _NPOS if place < 0 else Integer(place, SIZE_T)


def _substr(text: str, start: object = 0, count: object = _NPOS) -> str:
    characters(text)
    if isinstance(start, int) and isinstance(count, int) and 0 <= start <= len(text):
        return text[start : start + int(convert(SIZE_T, count))]  # a count below zero wraps around
    raise Refusal(f"substr({start}) is out of range: there are {len(text)}", argument=0)


def _at(text: str, index: object) -> Integer:
    if isinstance(index, int) and 0 <= index < len(text):
        return characters(text)[index]
    raise Refusal(f"at({index}) is out of range: there are {len(text)}", argument=0)


_METHODS: dict[str, Method] = {
    "size": lambda text: Integer(len(characters(text)), SIZE_T),
    "length": lambda text: Integer(len(characters(text)), SIZE_T),
    "empty": lambda text: not text,
    "c_str": lambda text: text,
    "at": _at,
    "front": lambda text: _at(text, 0),
    "back": lambda text: _at(text, len(text) - 1),
    "find": _find,
    "substr": _substr,
}

STRINGS = Bindings(
    {"std::string": Class(_string, {"npos": _NPOS}, registers=False, from_list=_from_list)},
    {str: _METHODS},
)
