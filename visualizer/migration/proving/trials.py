"""What comes of running both: equal or not, or why nothing was run.

An operator is proved where both answered at least twice for every type that was tried, and never
differed. Kernels for the CPU are tried whose parameters are tensors and plain attributes. Of everything
else nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from registry_runtime.native.compiler import CompilerFailed
from registry_runtime.native.program import of_paddle
from registry_runtime.phi.data_type import DataType
from visualizer.expansion import InputError
from visualizer.expansion.tokens import Source
from visualizer.migration.composing.element_types import dtypes
from visualizer.migration.composing.kernels import DEVICE_NAMES
from visualizer.migration.migration import Mark, Migration
from visualizer.migration.noting import noted
from visualizer.migration.proving.inputs import TYPES, Search, asked_of, passed
from visualizer.migration.proving.programs import Both, Contested, Toolchain, cpu_file, programs
from visualizer.migration.reading.declarations import Class, Fluid
from visualizer.migration.reading.fluid_text import FluidText, parse
from visualizer.migration.reading.operators import FluidOperator, operators
from visualizer.migration.reading.sorting import understand
from visualizer.workbench.wheels import PADDLE, include_folders

if TYPE_CHECKING:
    from registry_runtime.native.call import Output, Words
    from registry_runtime.native.program import Program

_TRIES = 60  # calls that are made up for a type, until enough suit
_HOPELESS = 6  # of which none suits, where nothing says what would
_ENOUGH = 6
_AT_LEAST = 2  # calls of each type that both must have answered
_MOST_TYPES = 2


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of an operator whose kernel for the CPU is in `file`: `calls` that both answered alike,
    of `types`, the dims being set by `infer_meta`, if it is named; `differs` says where they did not;
    `why_not` why nothing was run."""

    op_type: str
    file: str
    calls: int = 0
    types: tuple[str, ...] = ()
    infer_meta: str = ""
    differs: str = ""
    why_not: str = ""

    def told(self) -> str:
        """In words."""
        if self.why_not:
            return f"{self.op_type}: not run: {self.why_not}"
        if self.differs:
            return f"{self.op_type}: the old body and the new one differ: {self.differs}"
        listed = ", ".join(self.types)
        shapes = ", with InferShape and InferMeta" if self.infer_meta else ""
        return f"{self.op_type}: {self.calls} calls gave the same in both worlds ({listed}){shapes}"


def trials(
    migration: Migration,
    compiler: str,
    words: Sequence[str] = (),
    paddle: str = "",
    cancelled: Callable[[], bool] | None = None,
) -> Iterator[Trial]:
    """One for each operator. `words` are the compiler's for the headers, and `paddle` names, as
    `--paddle` does, whose libraries Paddle's own operators are linked with.

    This runs the operator's code, in children with limits: who calls has asked whether it may. Raises
    InputError where there is no such Paddle, OSError where the compiler can't be started."""
    tools = Toolchain(compiler)
    if migration.in_paddle:
        folder = Path(include_folders(PADDLE, paddle)[0]).parent
        try:
            tools = Toolchain(compiler, tuple(words), of_paddle(folder))
        except FileNotFoundError as error:
            raise InputError(str(error), Source("unfold", 1, 1)) from None
    fluid = understand(tuple(_understood(migration)))
    for operator in operators(fluid):
        yield _tried(migration, fluid, operator, tools, cancelled)


def _understood(migration: Migration) -> Iterator[FluidText]:
    """The operator's files without those that stay as they are."""
    for number, old in enumerate(migration.old):
        with suppress(InputError):
            yield parse(old.path, old.text, number)


def with_proofs(migration: Migration, found: Sequence[Trial]) -> Migration:
    """The migration in which what was written of a proved kernel's body is proved, and so is its
    InferMeta where that ran, too."""
    proved = [t for t in found if t.calls and not t.differs and not t.why_not]
    bodies = {path for t in proved for path in (t.file, _impl_of(t.file))}
    metas = {span for t in proved for span in _infer_meta_of(migration, t)}

    def word(mark: Mark) -> Mark:
        new = mark.new
        if new is None or mark.status != "written" or mark.rule.key in _NO_BODY:
            return mark
        ran = migration.pieces[new.file].path in bodies or any(
            new.file == number and start <= new.span.start and new.span.end <= end
            for number, start, end in metas
        )
        return replace(mark, status="proved") if ran else mark

    settled = replace(migration, marks=tuple(map(word, migration.marks)))
    for trial in found:
        if trial.differs:
            settled = _with_difference(settled, trial)
    return settled


_NO_BODY = ("register", "include", "output_dtype", "dependency", "set_dtype", "is_runtime")


def _impl_of(file: str) -> str:
    """`phi/kernels/impl/x_kernel_impl.h` for `phi/kernels/cpu/x_kernel.cc`."""
    folder, _, name = file.replace("/cpu/", "/impl/").rpartition("/")
    return f"{folder}/{name.removesuffix('.cc')}_impl.h"


def _infer_meta_of(migration: Migration, trial: Trial) -> Iterator[tuple[int, int, int]]:
    """Where the InferMeta stands that a trial has run: the piece's number, and from where to where."""
    for number, piece in enumerate(migration.pieces):
        if trial.infer_meta and "/infermeta/" in piece.path and piece.path.endswith(".cc"):
            start = piece.text.find(f"void {trial.infer_meta}(")
            if start >= 0:
                yield number, start, piece.text.index("\n}\n", start)


def _with_difference(migration: Migration, trial: Trial) -> Migration:
    """A comment above the kernel, and a mark for it."""
    number, piece = next((n, p) for n, p in enumerate(migration.pieces) if p.path == trial.file)
    at = piece.text.find("\ntemplate <typename T")
    line = piece.text.count("\n", 0, at + 1) + 1
    reason = f"run beside the old body, this one leaves something else: {trial.differs}"
    return noted(migration, number, line, reason)


def _tried(
    migration: Migration,
    fluid: Fluid,
    operator: FluidOperator,
    tools: Toolchain,
    cancelled: Callable[[], bool] | None,
) -> Trial:
    nothing = Trial(operator.op_type, cpu_file(migration, operator))
    registration = next((r for r in operator.kernels if r.backend == "CPU"), None)
    found = operator.class_for(fluid, registration) if registration is not None else None
    if registration is None or found is None:
        return replace(nothing, why_not="it has no kernel for the CPU in these files")
    if all(piece.path != nothing.file for piece in migration.pieces):
        return replace(nothing, why_not="its kernel stays in Fluid")
    if (why := _why_not(operator, found)) is not None:
        return replace(nothing, why_not=why)
    listed = dtypes(fluid, registration, found, found.base_arguments[0])
    types = tuple(t for t in listed if t in TYPES)[:_MOST_TYPES]
    if not types:
        return replace(nothing, why_not=f"none of its types is {', '.join(TYPES)}")
    contested = Contested(migration, fluid, operator, found, types)
    with TemporaryDirectory(prefix="unfold-") as folder:
        try:
            both = programs(contested, tools, Path(folder), cancelled)
        except CompilerFailed as error:
            first = str(error).partition("\n")[0]
            return replace(nothing, why_not=f"the compiler refuses it: {first}")
        return _compared(contested, both, nothing)


def _why_not(operator: FluidOperator, found: Class) -> str | None:
    from registry_runtime.lab.phi.body_call import can_pass

    for parameter in operator.signature.parameters:
        if parameter.dynamic or parameter.cxx_type == "DataType" or parameter.rows:
            return f"{parameter.name} isn't read in one way in both worlds"
        if not can_pass(passed(parameter).type):
            return f"{parameter.name} is a {parameter.type()}"
    others = [n for n in found.template if n not in DEVICE_NAMES and n not in found.base_arguments]
    if others or found.special or found.compute is None or not found.base_arguments:
        return "its class is a template over more than a type and a context"
    return None


# --- What they leave ------------------------------------------------------------------------------


def _compared(contested: Contested, both: Both, nothing: Trial) -> Trial:
    compute = contested.found.compute
    assert compute is not None
    source = contested.fluid.source_of(compute)
    asked = asked_of(contested.fluid, contested.operator, source, compute)
    search, done = Search(contested.operator, asked), 0
    for spelled in contested.types:
        dtype, answered = DataType[TYPES[spelled]], 0
        for number in range(_TRIES):
            if not answered and number >= _HOPELESS and not both.with_shapes:
                break
            call = search.next()
            words = call.words(contested.operator, dtype)
            old, said = _left(both.old, both.name, dtype, words)
            search.learn(call, said)
            if said and both.with_shapes:
                continue  # whom InferShape refuses, nobody calls
            new, _ = _left(both.new, both.name, dtype, words)
            if old != new:
                where = f"{spelled}, {call.told()}"
                if old != _left(both.old, both.name, dtype, words)[0]:
                    why = f"the old body leaves something else each time: {where}"
                    return replace(nothing, why_not=why)
                return replace(nothing, differs=where)
            answered += old is not None and all(o.data is not None for o in old)
            if answered >= _ENOUGH:
                break
        if answered < _AT_LEAST:
            why = f"for {spelled} too few random inputs suit it: {answered}"
            return replace(nothing, why_not=why)
        done += answered
    ran = contested.infer_meta if both.with_shapes else ""
    return replace(nothing, calls=done, types=contested.types, infer_meta=ran)


def _left(
    program: Program, name: str, dtype: DataType, words: Words
) -> tuple[tuple[Output, ...] | None, str]:
    """What the outputs hold; or None, and what it said, where it refuses these inputs, or falls over
    them."""
    from registry_runtime.native import call
    from registry_runtime.native.crash import BodyFailed

    key = call.Key(name, "CPU", int(dtype))
    try:
        return call.run(program, key, words, lambda d: DataType(d).numpy.itemsize).outputs, ""
    except BodyFailed as error:
        return None, str(error) or "it fell over"
