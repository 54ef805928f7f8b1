"""A program of several files: those that somebody names, or all that belong to one.

An operator's kernel calls a stub, and what fills the stub's slots stands in other files, or in this
one as it is compiled for another processor. A linker would bring them together; here it is the
`compile_commands.json` beside the file that says which they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from registry_runtime.program import Program
from visualizer.expansion import InputError, Options, compile_commands
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.compilations import Compilation, compilations
from visualizer.workbench.reading import program_with


def load(
    paths: Iterable[str | Path],
    options: Options | Callable[[str | Path], Sequence[Options]] | None = None,
) -> Program:
    """The program that these files make together. `options` may depend on the file, which is then
    compiled with each of them; by default, as often as `compile_commands.json` beside it has it.

    Raises InputError at the first file that cannot be read, or that has an error.
    """
    program = program_with(options.macros if isinstance(options, Options) else ())
    open_files(paths, program, options)
    return program


def open_files(
    paths: Iterable[str | Path],
    program: Program,
    options: Options | Callable[[str | Path], Sequence[Options]] | None = None,
    instead: str = "",
) -> list[Workbench]:
    """The same into a program that is there already: each file on its bench. What can be done `instead`
    with a file that has an error is said with it."""
    benches: list[Workbench] = []
    for path in paths:
        each = (
            options(path) if callable(options) else [c.options for c in compilations(path, options)]
        )
        for one in each:
            bench = open_file(path, one, program)
            for diagnostic in bench.diagnostics:
                if diagnostic.severity == "error":
                    hint = "; ".join(filter(None, [diagnostic.hint, instead]))
                    raise InputError(diagnostic.message, diagnostic.where, hint)
            benches.append(bench)
    return benches


@lru_cache(maxsize=1)
def linked(bench: Workbench) -> Program:
    """The program of which the file is a part, with the file as it is on the bench; the bench's own
    program, where no database beside the file names it."""
    folder, here = bench.path.absolute().parent, bench.path.absolute()
    try:
        files = [Path(file) for file in compile_commands.files(folder)]
    except InputError:
        return bench.program
    if here not in files:
        return bench.program
    program = program_with(bench.options.macros)
    for file in files:
        for one in _others(bench, file) if file == here else compilations(file, None, str(folder)):
            _add(file, one.options, program)
    program.run(bench.expanded.text)
    return program


def _others(bench: Workbench, file: Path) -> list[Compilation]:
    """The compilations of the file that the bench doesn't have."""
    each = compilations(file)
    if len(each) == 1 or bench.options.unsaved:
        return []
    return [one for one in each if set(one.options.macros) != set(bench.options.macros)]


def _add(file: Path, options: Options, program: Program) -> None:
    """What is wrong in another file is told when that is opened."""
    try:
        open_file(file, options, program)
    except InputError:
        return
