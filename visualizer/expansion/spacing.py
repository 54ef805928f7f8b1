"""The white space before tokens, and what becomes of it where they vanish or take another's place.

`#` makes it visible: one blank in its string. A token that takes the place of a macro's name or of a
parameter has the white space that stood there, and where nothing came of one, its white space passes
to the next token. gcc and clang agree on this, but for one thing: for gcc a token keeps its own white
space where something vanished between the name and it. Of

    #define C(y, x) y #x
    #define STR(x) #x
    #define XSTR(x) STR(x)
    XSTR(+C(, a))

gcc makes `"+ \\"a\\""`, clang `"+\\"a\\""`: `y` vanished, and `#x` has a blank.

libcpp has *padding tokens* that say from where the next token takes its white space: one for each name
and each parameter, and one behind each that says to forget the last where that had none. Two bits are
enough of them all: whether there is a blank here, and whether one would be (it is `KEPT`) if a name
without any stood before it. What vanished leaves the same for what follows, and None is left where
nothing vanished.
"""

from __future__ import annotations

from visualizer.expansion.tokens import (
    Computed,
    Copied,
    Passed,
    Pasted,
    Respaced,
    Stringized,
    Token,
)

KEPT = 2


def behind(vanished: int | None, space: int) -> int:
    """The white space of what follows something that left `vanished`."""
    if vanished is None:
        return space
    return KEPT if space else vanished


def in_place_of(name: int, space: int | None, keeps: bool) -> int:
    """That of the first token, or of nothing, that takes the place of a name or of a parameter, before
    which `name` stood; `keeps` says that gcc's rule holds."""
    return KEPT if keeps and space == KEPT else name


def own(token: Token) -> int:
    """What stood before a token where it was written, whatever it has taken the place of since."""
    while True:
        if isinstance(token, Respaced):
            return token.own
        match token.origin:
            case Passed():
                token = token.origin.token
            case Pasted():
                token = token.origin.left
            case Copied(definition, place):
                return place > 0 and definition.replacement[place].space
            case Stringized() | Computed():
                return False
            case _:
                return token.space
