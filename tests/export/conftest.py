"""Tours to export: of a kernel's registration, and of macros that have nothing to do with kernels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from visualizer.expansion import preprocess
from visualizer.scene.tour import Tour, tour
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.samples import sample_files

_TRICKY = r"""
#define EMPTY
#define STR(x) #x
#define EXPANDED(x) STR(x)
#define OR(a, b) ((a) || (b))
#define LOG(format, ...) printf(format __VA_OPT__(,) __VA_ARGS__)
#define SELF(x) x + SELF(x)
#define EACH(f, g, \
             first, ...) \
  f(first) \
    g(__VA_ARGS__)
EACH(STR, EXPANDED, </script><script>alert(1)</script>, <!-- OR(EMPTY, "a|b\|c") ``` ]]> &amp; \u00e9)
LOG("%s\n", OR(1, SELF(EMPTY)), __LINE__);
"""


@pytest.fixture(scope="session")
def bitwise() -> Workbench:
    return open_file(next(f for f in sample_files() if f.stem == "bitwise_kernel"))


@pytest.fixture(scope="session")
def registration(bitwise: Workbench) -> Tour:
    """The registration of bitwise_and for six types, in 142 steps."""
    return tour(bitwise.trace, bitwise.trace.expansions[3], bitwise)


@pytest.fixture
def of_text(tmp_path: Path) -> Callable[..., Tour]:
    """The tour of an invocation, by default the last, in a file with this text."""

    def toured(text: str, expansion: int = -1) -> Tour:
        path = tmp_path / "sample.cc"
        path.write_text(text, encoding="utf-8")
        trace = preprocess(path)
        return tour(trace, trace.expansions[expansion])

    return toured


@pytest.fixture(params=[-2, -1], ids=["EACH", "LOG"])
def tricky(request: pytest.FixtureRequest, of_text: Callable[..., Tour]) -> Tour:
    """Macros whose tokens mean something in Markdown, HTML and JSON."""
    return of_text(_TRICKY, request.param)
