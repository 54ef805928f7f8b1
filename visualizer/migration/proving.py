"""The old body against the new one: both compiled, both run, on the same random inputs.

Fluid's class is put into a function with the new kernel's parameters, which makes an ExecutionContext
of them and calls its Compute; `old_world.h` is all of Fluid that it then sees. So both are kernels of
PHI's to whoever runs them, and what one leaves can be held beside what the other leaves, byte for byte.
An operator is proved where both ran at least twice for every type that was tried, and never differed.

Only what the samples' runtime can run is tried: kernels for the CPU that include the samples' headers,
whose parameters are tensors and plain attributes. Of everything else nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from registry_runtime.phi.data_type import DataType
from visualizer.expansion import InputError
from visualizer.migration.compiling import noted
from visualizer.migration.composing.destinations import namespace_of
from visualizer.migration.composing.element_types import dtypes
from visualizer.migration.composing.kernels import DEVICE_NAMES, template_line
from visualizer.migration.composing.shared_functions import needed_by
from visualizer.migration.migration import Mark, Migration
from visualizer.migration.reading.declarations import Class, Fluid, KernelRegistration
from visualizer.migration.reading.fluid_text import FluidText, parse
from visualizer.migration.reading.operators import FluidOperator, operators
from visualizer.migration.reading.signature import Parameter
from visualizer.migration.reading.sorting import understand
from visualizer.workbench.samples import samples_folder

if TYPE_CHECKING:
    from registry_runtime.native.call import Output, Words
    from registry_runtime.native.program import Program

_SHAPES = ((6,), (2, 3), (2, 3, 4))
_AT_LEAST = 2  # calls of each type that both must have answered
_TYPES = {"float": "FLOAT32", "double": "FLOAT64", "int": "INT32", "int64_t": "INT64"}


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of an operator whose kernel is `name`: `calls` that both answered alike, of `types`;
    `differs` says where they did not; `why_not` why nothing was run."""

    op_type: str
    name: str
    calls: int = 0
    types: tuple[str, ...] = ()
    differs: str = ""
    why_not: str = ""

    def told(self) -> str:
        """In words."""
        if self.why_not:
            return f"{self.op_type}: not run: {self.why_not}"
        if self.differs:
            return f"{self.op_type}: the old body and the new one differ: {self.differs}"
        listed = ", ".join(self.types)
        return f"{self.op_type}: {self.calls} calls gave the same in both worlds ({listed})"


def trials(
    migration: Migration, compiler: str, cancelled: Callable[[], bool] | None = None
) -> Iterator[Trial]:
    """One for each operator. This runs the operator's code, in children with limits: who calls has
    asked whether it may."""
    fluid = understand(tuple(_understood(migration)))
    for operator in operators(fluid):
        yield _tried(migration, fluid, operator, compiler, cancelled)


def _understood(migration: Migration) -> Iterator[FluidText]:
    """The operator's files without those that stay as they are."""
    for number, old in enumerate(migration.old):
        with suppress(InputError):
            yield parse(old.path, old.text, number)


def with_proofs(migration: Migration, found: list[Trial]) -> Migration:
    """The migration in which what was written of a proved kernel's body is proved."""
    proved = {t.name for t in found if t.calls and not t.differs and not t.why_not}
    bodies = {
        path
        for name in proved
        for path in (_of_the_cpu(name), f"phi/kernels/impl/{name}_kernel_impl.h")
    }

    def word(mark: Mark) -> Mark:
        new = mark.new
        ran = new is not None and migration.pieces[new.file].path in bodies
        if ran and mark.status == "written" and mark.rule.key not in _NO_BODY:
            return replace(mark, status="proved")
        return mark

    settled = replace(migration, marks=tuple(map(word, migration.marks)))
    for trial in found:
        if trial.differs:
            settled = _with_difference(settled, trial)
    return settled


_NO_BODY = ("register", "include", "output_dtype", "dependency")


def _with_difference(migration: Migration, trial: Trial) -> Migration:
    """A comment above the kernel, and a mark for it."""
    number, piece = next(
        (n, p) for n, p in enumerate(migration.pieces) if p.path == _of_the_cpu(trial.name)
    )
    at = piece.text.find("\ntemplate <typename T")
    line = piece.text.count("\n", 0, at + 1) + 1
    reason = f"run beside the old body, this one leaves something else: {trial.differs}"
    return noted(migration, number, line, reason)


def _of_the_cpu(name: str) -> str:
    return f"phi/kernels/cpu/{name}_kernel.cc"


def _tried(
    migration: Migration,
    fluid: Fluid,
    operator: FluidOperator,
    compiler: str,
    cancelled: Callable[[], bool] | None,
) -> Trial:
    from registry_runtime.native.compiler import CompilerFailed

    name = operator.signature.name
    registration = next((r for r in operator.kernels if r.backend == "CPU"), None)
    found = operator.class_for(fluid, registration) if registration is not None else None
    if registration is None or found is None:
        return Trial(operator.op_type, name, why_not="it has no kernel for the CPU in these files")
    path = _of_the_cpu(name)
    if all(piece.path != path for piece in migration.pieces):
        return Trial(
            operator.op_type, name, why_not="only what includes the samples' headers can be run"
        )
    if (why := _why_not(operator, found)) is not None:
        return Trial(operator.op_type, name, why_not=why)
    types = [t for t in dtypes(fluid, registration, found, found.base_arguments[0]) if t in _TYPES]
    if not types:
        return Trial(operator.op_type, name, why_not=f"none of its types is {', '.join(_TYPES)}")
    with TemporaryDirectory(prefix="unfold-") as folder:
        for piece in migration.pieces:
            file = Path(folder, piece.path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(piece.text, encoding="utf-8")
        new = Path(folder, path)
        old = new.with_name(f"{name}_in_fluid.cc")
        old.write_text(_old_text(fluid, operator, registration, found, types), encoding="utf-8")
        function = f"{namespace_of(operator.op_type, False)}::{operator.function_name()}"
        try:
            both = (
                _program(compiler, old, "phi::InFluid", cancelled),
                _program(compiler, new, function, cancelled),
            )
        except (CompilerFailed, OSError) as error:
            first = str(error).partition("\n")[0]
            return Trial(operator.op_type, name, why_not=f"the compiler refuses it: {first}")
        return _compared(operator, name, types, both)


def _why_not(operator: FluidOperator, found: Class) -> str | None:
    from registry_runtime.lab.phi.body_call import can_pass

    for parameter in operator.signature.parameters:
        if parameter.dynamic or parameter.cxx_type == "DataType" or parameter.rows:
            return f"{parameter.name} isn't read in one way in both worlds"
        if not can_pass(_passed(parameter).type):
            return f"{parameter.name} is a {parameter.type()}"
    others = [n for n in found.template if n not in DEVICE_NAMES and n not in found.base_arguments]
    if others or found.special or found.compute is None or not found.base_arguments:
        return "its class is a template over more than a type and a context"
    return None


def _passed(parameter: Parameter) -> Any:
    from registry_runtime.phi.parameter_types import Parameter as Passed

    return Passed(parameter.name, parameter.type("phi::DenseTensor"))


# --- The two programs -----------------------------------------------------------------------------


def _old_text(
    fluid: Fluid,
    operator: FluidOperator,
    registration: KernelRegistration,
    found: Class,
    types: list[str],
) -> str:
    """Fluid's class, and a kernel of PHI's that calls it."""
    held = [d.source.cut(d.item) for d in needed_by(fluid, found)]
    held.append(found.source.cut(found.item))
    given = ["Context" if n in DEVICE_NAMES else "T" for n in found.template]
    lines = [
        f'  ctx.Keep{p.kind.capitalize()}("{p.fluid_name}", {p.name});'
        for p in operator.signature.parameters
    ]
    parameters = ", ".join(
        ["const Context& dev_ctx", *(p.declared() for p in operator.signature.parameters)]
    )
    return "\n".join(
        [
            '#include "kernel_registry.h"',
            f'#include "{Path(__file__).with_name("old_world.h")}"',
            "namespace paddle {\nnamespace operators {",
            *held,
            "}  // namespace operators\n}  // namespace paddle\nnamespace phi {",
            f"{template_line('T')}void InFluid({parameters}) {{",
            "  paddle::framework::ExecutionContext ctx(dev_ctx);",
            *lines,
            f"  paddle::operators::{found.name}<{', '.join(given)}>().Compute(ctx);",
            "}\n}  // namespace phi",
            f"PD_REGISTER_KERNEL({operator.signature.name}, CPU, ALL_LAYOUT, phi::InFluid, "
            f"{', '.join(types)}) {{}}\n",
        ]
    )


def _program(
    compiler: str, file: Path, function: str, cancelled: Callable[[], bool] | None
) -> Program:
    from registry_runtime.native.program import Source, program_of

    samples = samples_folder()
    words = ("-std=gnu++17", "-iquote", str(file.parent), "-I", str(samples / "phi"))
    more = ("-I", str(samples / "fluid"), "-include", str(Path(__file__).with_name("new_world.h")))
    text = file.read_bytes()
    headers = str(samples / "phi")
    source = Source(text, str(file), compiler, (*words, *more), headers)
    return program_of(source, function, optimise=False, cancelled=cancelled)


# --- What they leave ------------------------------------------------------------------------------


def _compared(
    operator: FluidOperator, name: str, types: list[str], both: tuple[Program, Program]
) -> Trial:
    import numpy as np

    calls = 0
    for spelled in types:
        dtype, answered = DataType[_TYPES[spelled]], 0
        for number, shape in enumerate(_SHAPES * 2):
            rng = np.random.default_rng(number)
            words = _call(operator, dtype, shape, rng)
            left = [_left_or_none(program, name, dtype, words) for program in both]
            where = f"{spelled}, inputs of {list(shape)}"
            if left[0] != left[1]:
                if left[0] != _left_or_none(both[0], name, dtype, words):
                    why = f"the old body leaves something else each time: {where}"
                    return Trial(operator.op_type, name, why_not=why)
                return Trial(operator.op_type, name, differs=where)
            answered += left[0] is not None and all(o.data is not None for o in left[0])
        if answered < _AT_LEAST:
            why = f"for {spelled} too few random inputs suit it: {answered} of {2 * len(_SHAPES)}"
            return Trial(operator.op_type, name, why_not=why)
        calls += answered
    return Trial(operator.op_type, name, calls, tuple(types))


def _left_or_none(
    program: Program, name: str, dtype: Any, words: Words
) -> tuple[Output, ...] | None:
    """What the outputs hold; None where it refuses these inputs, or falls over them."""
    from registry_runtime.native import call
    from registry_runtime.native.crash import BodyFailed

    key = call.Key(name, "CPU", int(dtype))
    try:
        return call.run(program, key, words, lambda d: DataType(d).numpy.itemsize).outputs
    except BodyFailed:
        return None


def _call(operator: FluidOperator, dtype: Any, shape: tuple[int, ...], rng: Any) -> Words:
    from registry_runtime.lab.phi.body_call import BodyCall, words_of
    from registry_runtime.lab.values import made_up

    def made(parameter: Parameter) -> Any:
        if parameter.kind == "input":
            one = made_up(dtype.numpy, shape, rng, 5)
            return [one, made_up(dtype.numpy, shape, rng, 5)] if parameter.many else one
        whole = int(rng.integers(0, len(shape)))
        of = {"bool": bool(whole), "float": whole + 0.5, "double": whole + 0.5, "std::string": ""}
        if "vector" in parameter.cxx_type:
            return [whole]
        return of.get(parameter.cxx_type, whole)

    signature = operator.signature
    passed = [_passed(p) for p in signature.parameters]
    given = tuple(made(p) for p in signature.parameters if p.kind != "output")
    outs = {p.name: shape for p in signature.of("output")}
    return words_of(passed, BodyCall(given, outs), None)[0]
