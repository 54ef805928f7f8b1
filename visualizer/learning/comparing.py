"""What a learner's text became, beside what it should have become."""

from __future__ import annotations

from visualizer.expansion.lexer import spellings

_LONG = 120  # characters that a message still quotes in full
_AROUND = 12  # tokens of a long text that it quotes


def stands_in(spelled: list[str], text: str) -> bool:
    return place_in(spelled, text) is not None


def place_in(spelled: list[str], text: str) -> int | None:
    """Where the tokens of `text` stand first; None if they don't."""
    tokens = spellings(text)
    starts = range(len(spelled) - len(tokens) + 1)
    return next((i for i in starts if spelled[i : i + len(tokens)] == tokens), None)


def read(text: str) -> list[str]:
    """Tokens as a compiler takes them: strings that stand side by side are one."""
    taken: list[str] = []
    for token in spellings(text):
        if taken and taken[-1][0] == token[0] == '"':
            taken[-1] = taken[-1][:-1] + token[1:]
        else:
            taken.append(token)
    return taken


def first_difference(became: str, wanted: str) -> tuple[str, str]:
    """Both, each from its first token that is not the other's if they are long."""
    if max(len(became), len(wanted)) <= _LONG:
        return became, wanted
    theirs, ours = read(became), read(wanted)
    pairs = enumerate(zip(theirs, ours, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(theirs), len(ours)))
    return _from(at, theirs), _from(at, ours)


def _from(at: int, tokens: list[str]) -> str:
    if at == len(tokens):
        return "nothing more"
    return "… " * (at > 0) + short(" ".join(tokens[at : at + _AROUND]))


def short(text: str, most: int = _LONG) -> str:
    return text if len(text) <= most else f"{text[: most - 40]} … ({len(text):,} characters)"
