"""Mutants of the samples, each opened: is there one that behaves as the sample does?

Run as a program it tries every sample: `python -m tests.samples.mutants 200` makes up to 200 changes to
each file, and prints those that make no difference.
"""

from __future__ import annotations

import random
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.samples.behaviour import behaviour
from tests.samples.mutations import Mutation, mutations
from visualizer.expansion import Options
from visualizer.expansion.compile_commands import compilations
from visualizer.workbench.samples import samples_folder

# What is opened, and which file of it is changed.
FLUID = (
    ("fluid/trace_op.cc", "fluid/trace_op.h"),
    ("fluid/trace_op.cc", "fluid/trace_op.cc"),
)
PHI = tuple(
    (f"phi/{path.name}", f"phi/{path.name}")
    for path in sorted((samples_folder() / "phi").glob("*.cc"))
    if path.name != "send_v2_kernel.cc"  # a structure that no operator here calls: nothing runs
)
# Those of which a plain call reaches all that is in them.
ATEN = tuple((f"aten/{name}.cc", f"aten/{name}.cc") for name in ("assert_async", "myops"))
_ADDS = ("ufunc_add_kernel", "ufunc_add", "add")  # what the others call
# What says once more what holds without it.
_SAID_ALREADY = frozenset(
    {"kernel->OutputAt(0).SetDataType(phi::DataType::INT8);"}
)  # of an int8 kernel
# On Meta nothing is computed: g++'s program gives the same shape and type with these, too.
_OF_ONE_SHAPE = (
    "lerp_to_meta(const at::Tensor& x, const at::Tensor& y, double) { return x.add(y, 2); }",
    "lerp_to_meta(const at::Tensor& y, const at::Tensor& x, double) { return x.add(y, 1); }",
)
# Which side of an equality comes first only its failure says, and this one can't fail: an input that is
# missing is refused before, by CheckAllInputOutputSet.
_NEVER_FAILS = 'PADDLE_ENFORCE_EQ(true, ctx->HasInput("Input"),'
_NEVER_MISSED = 'PADDLE_ENFORCE_EQ(ctx->HasInput("Input"),'  # for the same reason
# Of a value that fits either, nobody can tell which of the two it was kept in.
_ALIKE = {"int", "int64_t"}


def survivors(opened: str, edited: str, count: int, seed: int = 0) -> Iterator[str]:
    """Of `count` mutants of a file, those that behave as it does, as lines for a report."""
    with tempfile.TemporaryDirectory() as folder:
        samples = Path(shutil.copytree(samples_folder(), Path(folder) / "samples"))
        text = (samples / edited).read_text()
        before = _behaviours(samples / opened)
        for mutation in _chosen(text, count, seed):
            (samples / edited).write_text(mutation.of(text))
            if _behaviours(samples / opened) == before:
                yield f"{edited} {mutation.told(text)}"


def _behaviours(path: Path) -> list[str]:
    """As it is compiled without the part of a GPU or of a plug-in's device, and with it."""
    macros = sorted(set(re.findall(r"\bPADDLE_WITH_\w+", path.read_text())))
    if path.parent.name == "aten":
        others = [path.with_name(f"{name}.cc") for name in _ADDS if name != path.stem]
        return [behaviour(path, _flags(path), [(other, _flags(other)) for other in others])]
    ways = (Options(macros=(("D", macro),)) for macro in macros)
    return [behaviour(path), *(behaviour(path, way) for way in ways)]


def _flags(path: Path) -> Options:
    """Those of the first time that the samples' database has it compiled."""
    return compilations(path.parent, path)[0].options


def _chosen(text: str, count: int, seed: int) -> list[Mutation]:
    found = [m for m in mutations(text) if not {m.new, text[m.start : m.end]} <= _ALIKE]
    found = [m for m in found if text[m.start : m.end] not in _SAID_ALREADY]
    same = (*_OF_ONE_SHAPE, _NEVER_FAILS)
    found = [m for m in found if not any(one in m.of(text) for one in same)]
    found = [m for m in found if m.new or not text[m.start :].startswith(_NEVER_MISSED)]
    random.Random(seed).shuffle(found)
    return found[:count]


if __name__ == "__main__":
    tried = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    alive = [line for pair in (*FLUID, *PHI, *ATEN) for line in survivors(*pair, tried)]
    print("\n".join(alive) or "every mutant behaves otherwise")
    raise SystemExit(bool(alive))
