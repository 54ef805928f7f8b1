"""Words for lists and for long names: plural, elided, and cut to the room that there is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from visualizer.expansion.tokens import Token, spell
from visualizer.messages import N_, _, ngettext

LONG = 40  # characters after which several tokens are too many to show
_ROOM = 180  # characters in a sentence: two lines of a terminal
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_NAME = 48  # characters of one name
_COUNTED = (
    N_("{count:,} step", "{count:,} steps"),
    N_("{count:,} token", "{count:,} tokens"),
    N_("{count:,} error", "{count:,} errors"),
    N_("{count:,} warning", "{count:,} warnings"),
    N_("{count:,} note", "{count:,} notes"),
    N_("{count:,} file", "{count:,} files"),
    N_("{count:,} lesson", "{count:,} lessons"),
    N_("{count:,} question", "{count:,} questions"),
    N_("{count:,} exercise", "{count:,} exercises"),
    N_("{count:,} kernel", "{count:,} kernels"),
)


def short(tokens: Sequence[Token], room: int = LONG) -> str:
    """Tokens as text, whole ones left out in the middle where it would be long."""
    if fits(tokens, room):
        return spell(tokens)
    head = tail = ""
    first, last = 0, len(tokens)
    while first < last and len(head) + len(tokens[first].text) < 2 * room // 3:
        head += (" " if tokens[first].space else "") + tokens[first].text
        first += 1
    while last > first and len(tail) + len(tokens[last - 1].text) < room // 3:
        last -= 1
        tail = (" " if tokens[last].space else "") + tokens[last].text + tail
    if not head.strip() or first == last:
        return elided(spell(tokens))
    return f"{head.strip()} … {tail.lstrip(', ')}".strip()


def outline(tokens: Sequence[Token], room: int) -> str:
    """Tokens as text. Where that would be long it ends early, with all brackets closed that are open
    there, and says how many tokens are left out."""
    if fits(tokens, room):
        return quoted(tokens, room)
    closed_by = _partners(tokens)
    begun, told, shown = "", elided(spell(tokens[:1])), 1
    closers: list[str] = []
    for at, token in enumerate(tokens):
        begun += (" " if token.space and at > 0 else "") + token.text
        if at in closed_by:
            closers.append(tokens[closed_by[at]].text)
        elif at in closed_by.values():
            closers.pop()
        ends = ("" if at in closed_by else " ") + "…" + "".join(reversed(closers))
        if len(begun) + len(ends) > room:
            break
        told, shown = begun + ends, at + 1 + len(closers)
    return f"{told} ({counted(len(tokens) - shown, 'token')} left out)"


def _partners(tokens: Sequence[Token]) -> dict[int, int]:
    """Of each opening bracket the place of its closing one."""
    opened: list[int] = []
    closed_by: dict[int, int] = {}
    for at, token in enumerate(tokens):
        if token.text in _BRACKETS:
            opened.append(at)
        elif opened and token.text == _BRACKETS[tokens[opened[-1]].text]:
            closed_by[opened.pop()] = at
    return closed_by


def quoted(tokens: Sequence[Token], room: int = LONG) -> str:
    """Tokens as a sentence says them: what ends as a sentence does stands between backticks, so that
    the two ends are told apart."""
    text = short(tokens, room)
    return f"`{text}`" if text.endswith((",", ";", ".", ":", "?", "!")) else text


def fits(tokens: Sequence[Token], room: int = LONG) -> bool:
    """Whether tokens are no longer than that as text. Each has a character at least."""
    return len(tokens) <= room and len(spell(tokens)) <= room


def listed(names: Iterable[str], one: str = "", many: str = "", most: int = 3) -> str:
    """`a, b and c`, or `a, b and 4 more`, behind the fitting noun."""
    every = list(names)
    noun = ngettext(one, many, len(every)) if one else ""
    if len(every) > most:
        some = _(", ").join(every[: most - 1])
        text = _("{some} and {count} more").format(some=some, count=len(every) - most + 1)
    elif len(every) == 1:
        text = every[0]
    else:
        text = _("{some} and {last}").format(some=_(", ").join(every[:-1]), last=every[-1])
    return _("{noun} {names}").format(noun=noun, names=text) if noun else text


def plural(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def counted(number: int, noun: str) -> str:
    """`1 token`, `2,000 tokens`."""
    one = f"{{count:,}} {noun}"
    return ngettext(one, f"{one}s", number).format(count=number)


def elided(text: str) -> str:
    """A long name without its middle: its two ends are what tells it from others."""
    return text if len(text) <= _NAME else f"{text[: _NAME // 2]}…{text[-_NAME // 3 :]}"


def fitted(parts: list[str]) -> str:
    """The first part, and of the others, in order, those that there is room for."""
    told = parts[0]
    for part in filter(None, parts[1:]):
        longer = _("{sentence} {another}").format(sentence=told, another=part)
        if len(longer) <= _ROOM:
            told = longer
    return told
