"""A Python kernel beside a registration: which one is meant, what the file is called and holds.

`NAME_kernel.py` lies beside the C++ file. Its name is all that ties the two: what it gives, a registry
learns when it is run, and that is for somebody else to decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from registry_runtime.cxx import Bindings, initialise
from registry_runtime.phi.data_type import DataType, cpp_type_to_data_type
from registry_runtime.phi.registered import Registration
from visualizer.expansion.source_files import display_path
from visualizer.expansion.tokens import spell

if TYPE_CHECKING:
    from registry_runtime.cxx import CxxFunction
    from registry_runtime.cxx.program import Program
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry


@dataclass(frozen=True, slots=True)
class NewKernel:
    """The file to be written, and why its formula isn't filled in; `reason` is empty where it is."""

    name: str
    path: Path
    text: str
    reason: str

    def write(self) -> None:
        """Raises OSError: FileExistsError for a file that is there already, which stays as it is."""
        with self.path.open("x", encoding="utf-8") as file:
            file.write(self.text)


def kernel_file(file: Path, name: str) -> Path:
    """Where the Python kernel of a registration in `file` lies."""
    return file.parent / f"{name.replace('::', '_').replace('/', '_')}_kernel.py"


def new_kernel(bench: Workbench, line: int | None) -> NewKernel:
    """For the registration on that line, or the file's only one. Raises NoKernel: what there is."""
    from registry_runtime.kernels.skeleton.text import NoKernel, Wanted, file_of

    entry, registration = _registration_on(bench, line)
    function = registration.kernel.function
    if function is None:
        raise NoKernel(f"{registration.kernel_name} is registered without a C++ function")
    name, where = registration.kernel_name, entry.where
    wanted = Wanted(
        name, function, _dtypes(bench, function), f"{Path(where.file).name}:{where.line}"
    )
    text, reason, missing = file_of(wanted)
    headers: list[Program] = []
    while missing and (found := _class_in_headers(bench, missing)) is not None:
        headers.append(found)
        asked = missing
        text, reason, missing = file_of(wanted, headers)
        if missing == asked:
            break
    return NewKernel(name, kernel_file(bench.path, name), text, reason)


def _registration_on(bench: Workbench, line: int | None) -> tuple[Entry, Registration]:
    from registry_runtime.kernels.skeleton.text import NoKernel

    every = [(e, r) for e in bench.entries if isinstance(r := e.registration, Registration)]
    there = {r.kernel_name: (e, r) for e, r in every if line is None or _stands_on(bench, e, line)}
    if len(there) == 1:
        return next(iter(there.values()))
    if not every:
        said = f"{display_path(bench.path)} registers no kernel of PHI's"
        raise NoKernel(f"{said}; the bodies of other frameworks are interpreted as they stand")
    where = f"line {line} registers none" if line is not None and not there else "there are several"
    lines = dict.fromkeys(f"{e.where.line} ({r.kernel_name})" for e, r in every)
    raise NoKernel(f"{where}; kernels are registered on lines {', '.join(lines)}")


def _class_in_headers(bench: Workbench, name: str) -> Program | None:
    """The text that an included header defines the class in; None where none does."""
    from visualizer.workbench.header_classes import classes_in_headers

    definitions = classes_in_headers(bench.trace, bench.options, {name})
    tokens = [token for _, _, definition in definitions for token in definition]
    return initialise(spell(tokens), Bindings()).program if tokens else None


def _stands_on(bench: Workbench, entry: Entry, line: int) -> bool:
    if entry.expansion is None:
        return entry.where.line == line
    return bench.expansions[entry.expansion].stands_on(line)


def _dtypes(bench: Workbench, function: CxxFunction) -> frozenset[DataType]:
    """All for which the file registers the function template."""
    found = set()
    for entry in bench.entries:
        other = getattr(getattr(entry.registration, "kernel", None), "function", None)
        if other is not None and other.name == function.name and other.arguments:
            found.add(cpp_type_to_data_type(str(other.arguments[0])))
    return frozenset(found)
