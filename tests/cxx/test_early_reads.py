"""What a function reads of its outputs before it wrote them, in the words of a made-up framework."""

import pytest

from registry_runtime.cxx import Bindings, Class, CxxFunction, Vocabulary, initialise
from registry_runtime.cxx.early_reads import early_reads

WORDS = Vocabulary(type="Box", allocating=frozenset({"Alloc"}), reading=frozenset({"data"}))


@pytest.mark.parametrize(
    ("parameter", "body", "found"),
    [
        ("n::Box* out", "float* p = out->data();", [("out", False)]),
        ("Box* out", "float* p = Alloc(out); return p[0];", [("out", True)]),
        ("Box* out", "float* p = Alloc(out); p[0] += 1;", [("out", True)]),
        ("Box* out", "float* p = Alloc(out); p[0] = 1; p[1] = p[0];", []),
        ("Box* out", "float* p = Alloc(out); float* q = p + 3; q[0] = 1; return p[3];", []),
        ("Box* out", "float* p = Alloc(out); float* q = &p[3]; *q = 1; return p[3];", []),
        ("const n::Box* in", "float* p = in->data(); return p[0];", []),
    ],
)
def test_early_reads(parameter: str, body: str, found: list[tuple[str, bool]]) -> None:
    kept: list[CxxFunction] = []
    text = f"float f({parameter}) {{ {body} }}\nstatic Keep keep(&f);"
    assert not initialise(text, Bindings({"Keep": Class(kept.append)})).errors
    assert [(read.output, read.has_memory) for read in early_reads(kept[0], WORDS)] == found
