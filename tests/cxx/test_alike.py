"""What is looked at once for all that is like it: to look at each says the same."""

from __future__ import annotations

import re
from random import Random

import pytest

from registry_runtime.cxx.alike import Shapes
from tests.cxx.toy import run

ITEM = """\
template <typename T{0}, typename C> void made{0}(const C& first{0}, T{0}* second{0}) {{
  int local{0} = 1; for (int i = 0; i < local{0}; ++i) {{ int inner{0} = i; }}
  auto l{0} = [](int a{0}) {{ const int b{0} = a{0}; return b{0}; }};
}}
struct Held{0} {{ int one{0}; enum {{ RED{0}, GREEN{0} }}; void f{0}(int x{0}, long x{0}_t); }};
static int __made{0}(unsigned n{0}, const char* s = "n{0}") {{ return static_cast<int>(n{0}); }}
namespace space{0} {{ enum E{0} {{ A{0}, B{0} }}; typedef E{0} Alias{0}; }}
"""
WORDS = (
    "const",
    "static",
    "int",
    "void",
    "extern",
    "class",
    "while",
    "static_cast",
    "__typeof",
    "::",
)
TOKEN = re.compile(r'"[^"\n]*"|\w+|::|[^\w\s]')


def edited(text: str, random: Random) -> str:
    """The text with some of its tokens left out, said twice, or exchanged for others."""
    for _ in range(random.randint(1, 3)):
        tokens = [*TOKEN.finditer(text)]
        at, other = random.choice(tokens), random.choice(tokens)
        new = random.choice(("", f"{at[0]} {at[0]}", f" {random.choice(WORDS)} ", other[0]))
        if random.random() < 0.6:  # a name for a name, which leaves all else as it is
            words = [token for token in tokens if token[0].isidentifier()]
            at, new = random.choice(words), random.choice(words)[0]
        text = f"{text[: at.start()]}{new}{text[at.end() :]}"
    return text


def told(text: str) -> list[tuple[str, str, int, int]]:
    result = run(text)
    found = [*result.errors, *result.warnings, *result.skipped]
    return [(e.message, e.hint, e.span.start, e.span.end) for e in found]


@pytest.mark.parametrize("seed", range(60))
def test_what_is_like_another_is_told_as_if_it_stood_alone(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(seed)
    items = [ITEM.format(n) for n in range(4)]
    at = random.randrange(len(items))
    once = edited(items[at], random)
    # The same edit in another, under other names: what is wrong is wrong in both.
    text = "".join([*items[:at], once, *items[at + 1 :], once.replace(str(at), "9")])
    alike = told(text)
    monkeypatch.setattr(Shapes, "of", lambda self, node: node.id)
    assert alike == told(text)


def test_names_that_are_the_same_make_another_shape() -> None:
    pieces = "void f(int a, int b) {}", "void g(int c, int d) {}", "void h(int e, int e) {}"
    assert [message for message, *_ in told("\n".join(pieces))] == ["`e` is declared twice"]


def test_keywords_and_the_implementations_names_make_another_shape() -> None:
    text = "void f(int a, __real__ b) {}\nvoid g(int c, int while) {}\nvoid h(int d, int e) {}\n"
    assert "`while` is a keyword, and can't be a name" in [message for message, *_ in told(text)]
