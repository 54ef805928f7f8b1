"""Kernels that others wrote in Python: in a file of their own, or in a package that they installed.

A file is brought by running it, and whatever stands in it is done then. So `bring` is for a process
that was started for it, with limits; whoever reads a stranger's folder never calls it. What an error of
its functions says is told at the line of the file that it came from (`KernelFileError`).

An installed package names its kernels by entry points of the group `unfold.kernels`, each after the C++
function that it stands for, and is imported for a name that nobody else has:

    [project.entry-points."unfold.kernels"]
    "phi::SwishKernel" = "my_kernels.swish:SwishKernel"
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, wraps
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

from registry_runtime.phi.enforce import EnforceNotMet
from registry_runtime.phi.kernel_template import KernelError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from registry_runtime.kernels.template import Build, Builder, KernelTemplate

GROUP = "unfold.kernels"
_FUNCTIONS = (  # of a template, that its author wrote
    *("infer_meta", "reference", "sample", "bytes_moved", "open_dtype", "out_dtype", "resize"),
    *("how_many", "magnitude"),
)
_IN_NUMBA = re.compile(r'File "(?P<path>.+)", line (?P<line>\d+)')

_brought: dict[str, tuple[KernelTemplate, Path]] = {}


class KernelFileError(KernelError):
    """What is wrong at a line of a kernel's file; line and column count from 1."""

    def __init__(self, path: Path, line: int, column: int, said: str) -> None:
        super().__init__(f"{path}:{line}:{column}: {said}")
        self.path, self.line, self.column, self.said = path, line, column, said


def bring(path: Path, text: bytes) -> tuple[KernelTemplate, ...]:
    """Run the file, and keep each `KernelTemplate` that it makes: from now on it is found by its name,
    before one of ours. Raises KernelFileError for an error in it, or where there is none."""
    from registry_runtime.kernels.template import KernelTemplate  # it brings NumPy

    module = ModuleType(f"unfold_brought_{len(_brought)}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    with _at_its_line(path):
        exec(compile(text, str(path), "exec"), module.__dict__)
    found = [value for value in vars(module).values() if isinstance(value, KernelTemplate)]
    if not found:
        raise KernelFileError(
            path, 1, 1, "no KernelTemplate stands in it; `unfold kernel new` writes one"
        )
    for template in found:
        _check_signature(path, template)
    for template in found:
        _brought[template.name] = _guarded(path, template), path
    return tuple(_brought[template.name][0] for template in found)


def find(name: str) -> KernelTemplate | None:
    """What a file brought under this C++ name."""
    return _brought[name][0] if name in _brought else None


def file_of(name: str) -> Path | None:
    """The file that brought it; None for a kernel of ours, or of a package's."""
    return _brought[name][1] if name in _brought else None


def names() -> tuple[str, ...]:
    return tuple(_brought)


def find_installed(name: str) -> KernelTemplate | None:
    """The kernel of an installed package. One that can't be loaded is warned of."""
    entry = _installed().get(name)
    if entry is None:
        return None
    from registry_runtime.kernels.template import KernelTemplate  # it brings NumPy

    try:
        template = entry.load()
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        warnings.warn(
            f"{entry.value}, installed for {name}, cannot be loaded: {said}", stacklevel=2
        )
        return None
    if isinstance(template, KernelTemplate):
        return template if template.name == name else replace(template, name=name)
    warnings.warn(f"{entry.value}, installed for {name}, is no KernelTemplate", stacklevel=2)
    return None


def package_of(name: str) -> str:
    """The installed package that names a kernel of this name; "" where none does."""
    entry = _installed().get(name)
    return "" if entry is None else entry.dist.name if entry.dist is not None else entry.module


@cache
def _installed() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # most kernels are ours, or nobody's

    return {entry.name: entry for entry in entry_points(group=GROUP)}


def error_at(path: Path, error: BaseException) -> KernelFileError | None:
    """The error at the innermost line of the file that it came through; None where it came through
    none."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return KernelFileError(path, error.lineno or 1, error.offset or 1, f"{error.msg}")
    where: tuple[int, int] | None = None
    for traceback in _tracebacks(error):
        if traceback.tb_frame.f_code.co_filename == str(path):
            where = traceback.tb_lineno, _column(traceback.tb_frame.f_code, traceback.tb_lasti)
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if where is None and (named := _named_by_numba(path, error)) is not None:
        line, said = named
        where = line, 1
    return None if where is None else KernelFileError(path, *where, said)


def _tracebacks(error: BaseException) -> Iterator[TracebackType]:
    at = error.__traceback__
    while at is not None:
        yield at
        at = at.tb_next


def _column(code: CodeType, instruction: int) -> int:
    positions = list(code.co_positions())
    column = positions[instruction // 2][2] if instruction // 2 < len(positions) else None
    return (column or 0) + 1


def _named_by_numba(path: Path, error: BaseException) -> tuple[int, str] | None:
    """Numba's errors come from Numba's own lines, and name ours in their text."""
    cause = error.__context__ if isinstance(error, KernelError) else error
    text = str(cause or "")
    lines = [int(m["line"]) for m in _IN_NUMBA.finditer(text) if m["path"] == str(path)]
    if not lines:
        return None
    rows = [row.strip() for row in text.splitlines() if row.strip()]
    said = next((row for row in rows if not row.startswith("Failed in")), rows[0])
    return lines[-1], f"Numba can't compile it: {said}"


class _at_its_line:
    """Errors inside are told at the file's line; what the kernel means to refuse goes through."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        passed = (KernelFileError, EnforceNotMet, KeyboardInterrupt)
        if error is None or isinstance(error, passed):
            return
        if isinstance(error, KernelError) and error.__context__ is None:
            return
        told = error_at(self.path, error)
        if told is not None:
            raise told from None


def _guarded(path: Path, template: KernelTemplate) -> KernelTemplate:
    def guarded(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(*args: Any, **named: Any) -> Any:
            with _at_its_line(path):
                return function(*args, **named)

        return call

    def builder(build: Builder) -> Builder:
        def built(of: KernelTemplate, T: Any) -> Build:
            made: Build = guarded(build)(of, T)
            return replace(made, launch=guarded(made.launch), launch_known=None)

        return built

    functions: dict[str, Any] = {
        name: guarded(getattr(template, name))
        for name in _FUNCTIONS
        if getattr(template, name) is not None
    }
    builders = {backend: builder(build) for backend, build in template.builders.items()}
    return replace(template, builders=builders, **functions)


def _check_signature(path: Path, template: KernelTemplate) -> None:
    """That each parameter has an annotation that is a C++ type."""
    line = template.signature.__code__.co_firstlineno
    try:
        parameters = template.parameters
    except KeyError as error:
        said = f"no parameter of a kernel is a {error}; the imports above name those that there are"
        raise KernelFileError(path, line, 1, said) from None
    except NameError as error:
        raise KernelFileError(path, line, 1, f"{error}") from None
    if not template.outputs:
        names = ", ".join(parameter.name for parameter in parameters)
        raise KernelFileError(path, line, 1, f"none of {names} is an output: the last is an Out")
