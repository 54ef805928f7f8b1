"""The program that a question about PyTorch is asked of: the open file's, and what is dropped from it.

A call is made in the program that the file makes together with PyTorch's own `add`, so a kernel that
calls `add` works as it would there. What is dropped are static objects: of a block, or all that stand
further on than the reader has come.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from visualizer.frameworks.answers import Place, Unanswerable
from visualizer.workbench.samples import samples_folder

if TYPE_CHECKING:
    from registry_runtime.aten.library.registered import Initialisation, StubRegistration
    from registry_runtime.aten.library.torch_library_init import TorchLibraryInit
    from registry_runtime.cxx import Span
    from registry_runtime.program import Program
    from visualizer.workbench.bench import Workbench

Dropped = frozenset["Span"]  # the static objects whose handles are dropped
NOTHING: Dropped = frozenset()


@lru_cache(maxsize=8)
def program_of(bench: Workbench, dropped: Dropped) -> Program:
    """The open file's program, or a new one without what is dropped."""
    from registry_runtime.program import Program

    if not dropped:
        return bench.program
    program = Program()
    _run_into(program, bench, dropped)
    return program


@lru_cache(maxsize=8)
def whole_program(bench: Workbench, dropped: Dropped = NOTHING) -> Program:
    """The open file's program with PyTorch's own `add` in it, which is compiled as PyTorch does; and
    with its products, where the file has a backward of its own, which is written with them."""
    from registry_runtime.program import Program

    folder = (samples_folder() / "aten").resolve()
    more = _FILES_OF_MUL if _BACKWARD.search(bench.expanded.text) else ()
    own = [folder / name for name in (*_FILES_OF_ADD, *more)]
    is_own = not dropped and bench.path.resolve() in own
    others = [path for path in own if is_own or path != bench.path.resolve()]
    if not is_own and any(
        (e.registration.kernel_name, e.registration.key) == _AS_ADD for e in bench.entries
    ):
        others = [path for path in others if path.name != "add.cc"]  # the file does all of that
    program = Program()
    for path in others:
        for text in _texts(path):
            program.run(text)
    if not is_own:
        _run_into(program, bench, dropped)
    return program


_AS_ADD = ("aten", "TORCH_LIBRARY")
_FILES_OF_ADD = ("add.cc", "ufunc_add.cc", "ufunc_add_kernel.cc")
_FILES_OF_MUL = ("binary_ops.cc", "binary_ops_kernel.cc", "scalar_ops.cc")  # sub and div too
_BACKWARD = re.compile(r"\bFunction\s*<")


@cache
def _texts(path: Path) -> list[str]:
    """What the preprocessor makes of a sample, as often as it is compiled."""
    from registry_runtime.program import Program
    from visualizer.workbench.linking import open_files

    return [bench.expanded.text for bench in open_files([path], Program())]


def _run_into(program: Program, bench: Workbench, dropped: Dropped) -> None:
    made = program.run(bench.expanded.text)
    gone = tuple(thing for span, thing in _objects(made.aten) if span in dropped)
    program.aten.take_back(replace(made.aten, objects=gone, members=()))


def _objects(
    made: Initialisation,
) -> Iterator[tuple[Span, TorchLibraryInit | StubRegistration]]:
    """Each static object that registered something, and the span of its declaration."""
    from registry_runtime.aten.library.torch_library_init import TorchLibraryInit

    registrations = iter(made.registrations)
    for thing in made.objects:
        count = len(thing.lib_.registered) if isinstance(thing, TorchLibraryInit) else 1
        its_own = list(islice(registrations, count))
        if its_own:
            yield its_own[0].span, thing


def here(bench: Workbench, place: Place) -> Dropped:
    """What is registered only further on than this place."""
    whole = bench.view(place.expansion, place.look).in_whole(place.state)
    shown = bench.registry_at(place.expansion, whole)
    there = {s.entry.registration.span for s in shown if not s.pending}
    return frozenset(e.registration.span for e in bench.entries) - there


def block_on(bench: Workbench, line: str) -> Dropped:
    """What the block on that line of the file registers, or the `last` one. Raises Unanswerable."""
    if line == "last":
        return frozenset(e.registration.span for e in bench.entries[-1:])
    if not line.isdecimal() or (at := bench.expansion_at(int(line))) is None:
        raise Unanswerable(f"there is no block on line {line}")
    found = frozenset(e.registration.span for e in bench.entries if e.expansion == at)
    if not found:
        raise Unanswerable(f"the block on line {line} registers nothing")
    return found
