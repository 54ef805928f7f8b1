"""A sample that is changed does another thing, or says that it isn't the one that was compared."""

from __future__ import annotations

import pytest

from tests.samples.mutants import survivors
from tests.samples.mutations import mutations

TEXT = """\
// 1 + 1
#include "a.h"
int f(int a, int b) { if (a < 3) g("name", "a text"); return a + b; }
"""


def test_every_kind_of_change_is_made_once() -> None:
    changed = {m.of(TEXT).splitlines()[2] for m in mutations(TEXT)}
    assert all(m.of(TEXT).startswith('// 1 + 1\n#include "a.h"\n') for m in mutations(TEXT))
    assert {
        "int f(int a, int b) {  }",
        "int f(int a, int b) {  return a + b; }",
        'int f(int a, int b) { if (a < 4) g("name", "a text"); return a + b; }',
        'int f(int a, int b) { if (a <= 3) g("name", "a text"); return a + b; }',
        'int f(int a, int b) { if (a < 3) g("name_", "a text"); return a + b; }',
        'int f(int a, int b) { if (a < 3) g("a text", "name"); return a + b; }',
        'int f(int b, int a) { if (a < 3) g("name", "a text"); return a + b; }',
        'int f(int a, int b) { if (a < 3) g("name", "a text"); return a - b; }',
    } <= changed


@pytest.mark.parametrize(
    ("opened", "edited", "count"),
    [
        ("fluid/trace_op.cc", "fluid/trace_op.h", 3),
        ("phi/full_kernel.cc", "phi/full_kernel.cc", 4),
        ("phi/as_strided_kernel.cc", "phi/as_strided_kernel.cc", 4),
        ("phi/dot_kernel.cc", "phi/dot_kernel.cc", 4),
    ],
)
def test_no_change_makes_no_difference(opened: str, edited: str, count: int) -> None:
    assert list(survivors(opened, edited, count)) == []
