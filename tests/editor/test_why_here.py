"""Why a name isn't expanded, as the editor says it at once: held against `unfold why`, which reads all
headers with eyes open."""

from __future__ import annotations

import re
from pathlib import Path

from visualizer.editor.texts import read
from visualizer.editor.why_here import looked_into, may_be_macro
from visualizer.expansion import Options
from visualizer.expansion.why.answers import why
from visualizer.expansion.why.wording import sentence
from visualizer.workbench.bench import open_file

HEADER = """\
#pragma once
#define OWN 1
#define AGAIN(x) x
#define GONE 1
#undef GONE
#if 0
#define HIDDEN 1
#endif
"""
TEXT = """\
#ifdef OWN
int before;
#endif
#define EARLY 0
#include "own.h"
#ifdef OWN
int a = OWN; int AGAIN;
#endif
#if defined(EARLY) && !defined(LATE) && AGAIN(1)
#define LATE AGAIN
#elif defined OWN
#endif
int b = LATE; /* EARLY */
#undef EARLY  // EARLY no more
#undef OWN
#ifndef OWN
int OWN, EARLY;
#endif
#define OWN(x) #x
const char* c = OWN(EARLY LATE); int OWN;
#if 0
int d = OWN(LATE);
#elif HIDDEN || GONE || NEVER
#endif
#ifdef HIDDEN
#endif
#undef NEVER
int f = AGAIN(OWN
  (LATE)) NEVER HIDDEN GONE;
"""


def test_each_name_is_told_as_unfold_why_tells_it(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text(HEADER)
    file = tmp_path / "file.cc"
    file.write_text(TEXT)
    bench, text = open_file(file, Options(cc="none")), read(TEXT, "utf-16")
    asked = 0
    for m in re.finditer(r"\b[A-Z]+\b", TEXT):
        if not may_be_macro(bench, text, m[0]):
            continue
        ours = looked_into(bench, text, m.start())
        where = text.place(m.start())
        (theirs,) = why(file, where.line, bench.options, where.column).each
        assert ours is not None
        told = (ours.kind, ours.definition and ours.definition.where)
        assert told == (theirs.kind, theirs.definition and theirs.definition.where), where
        if ours.value is None:
            # What the condition came to is told by its own steps.
            assert sentence(ours) == sentence(theirs) or theirs.value is not None, where
        asked += 1
    assert asked > 30
