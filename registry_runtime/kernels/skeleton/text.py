"""The file of a Python kernel, written from a registration: its C++ function, and its data types.

What the C++ says is filled in: the parameters, the data types, and, where the body visibly is a formula
of elements, that formula for Numba, NumPy and CUDA. What it doesn't say is marked `TODO`: until then
the reference raises, so that nothing unfinished agrees with anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import indent

from registry_runtime.cxx import CxxFunction
from registry_runtime.cxx.program import Program
from registry_runtime.kernels import dtypes
from registry_runtime.kernels.skeleton.elements import NUMERIC, WHOLE, formula_of
from registry_runtime.kernels.skeleton.formula import (
    Formula,
    in_cuda,
    in_numba,
    in_numpy,
    names_in,
)
from registry_runtime.kernels.skeleton.functors import NotSeen
from registry_runtime.phi import parameter_types as types
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.parameter_types import Kind, Parameter, ParameterType

_ANNOTATIONS = {
    types.CONTEXT: "Context",
    types.DENSE: "DenseTensor",
    types.OPTIONAL: "OptionalTensor",
    types.LIST: "Tensors",
    types.OPTIONAL_LIST: "OptionalTensors",
    types.OUTPUT: "Out",
    types.OUTPUTS: "Outs",
    types.SCALAR: "Scalar",
    types.INT_ARRAY: "IntArray",
    types.INT64: "Int64",
    types.DOUBLE: "Double",
    types.PLACE: "Place",
    types.INTS: "list[int]",
    types.DATA_TYPE: "DataType",
    types.BOOL: "bool",
    types.INT: "int",
    types.FLOAT: "float",
    types.STRING: "str",
}
_SAMPLES = {
    types.SCALAR: "Scalar(2)",
    types.INT_ARRAY: "[1]",
    types.INTS: "[1]",
    types.DATA_TYPE: "T",
    types.BOOL: "True",
    types.STRING: '""',
    types.FLOAT: "0.5",
    types.DOUBLE: "0.5",
    types.PLACE: '"cpu"',
}
_WIDTH = 92
_BUILTIN = frozenset({"list[int]", "bool", "int", "float", "str"})
_CONSTANTS = {"bool": "np.bool_", "float": "np.float32", "double": "np.float64"}


class NoKernel(Exception):
    """Why no Python kernel can be written for a registration; a sentence."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """`function`, registered as `name` for these data types, at `place` in its file."""

    name: str
    function: CxxFunction
    dtypes: frozenset[DataType]
    place: str


def file_of(wanted: Wanted, headers: Sequence[Program] = ()) -> tuple[str, str, str]:
    """The file's text; why its formula isn't filled in, empty where it is; and the class that is
    missing for it, which `headers` may define. Raises NoKernel."""
    parameters = _parameters(wanted.function)
    try:
        formula = formula_of(wanted.function, parameters, wanted.dtypes, headers)
    except NotSeen as seen:
        reason = str(seen)
        return _File(wanted, parameters, None).text(reason), reason, seen.missing
    return _File(wanted, parameters, formula).text(""), "", ""


def _parameters(function: CxxFunction) -> list[Parameter]:
    name = function.name
    if function.type is None:
        raise NoKernel(f"no C++ function {name} is declared: include the header that declares it")
    if len(function.arguments) != 2:
        raise NoKernel(f"{name} is no template of T and Context, as a Python kernel is")
    found = []
    for number, parameter in enumerate(function.type.parameters):
        called = parameter.name or ("dev_ctx" if not number else f"arg{number}")
        row = types.type_of(_short(str(parameter.type), function))
        if row.kind is Kind.CONTEXT:
            row = types.CONTEXT
        unlike = row.kind in (Kind.INPUT, Kind.OUTPUT) and row not in _ANNOTATIONS
        if row is types.ANYTHING or unlike:
            said = f"{called} is a {parameter.type}"
            raise NoKernel(f"{said}, and a Python kernel takes dense tensors and PHI's attributes")
        found.append(Parameter(called, row.short))
    if not any(p.type.kind is Kind.OUTPUT for p in found):
        raise NoKernel(f"{name} has no output, a DenseTensor* at its end")
    return found


def _short(spelling: str, function: CxxFunction) -> str:
    """A type as within PHI's namespace, its context's as the template has it."""
    context = str(function.arguments[1])
    bare = spelling.replace(context, "Context").replace("::phi::", "phi::").replace("phi::", "")
    return bare.replace("paddle::optional", "optional").replace("optional", "paddle::optional")


@dataclass(frozen=True, slots=True)
class _File:
    wanted: Wanted
    parameters: Sequence[Parameter]
    formula: Formula | None

    @property
    def inputs(self) -> list[Parameter]:
        return [p for p in self.parameters if p.type.kind is Kind.INPUT]

    @property
    def attributes(self) -> list[Parameter]:
        return [p for p in self.parameters if p.type.kind is Kind.ATTRIBUTE]

    @property
    def outputs(self) -> list[Parameter]:
        return [p for p in self.parameters if p.type.kind is Kind.OUTPUT]

    @property
    def tensor(self) -> str:
        return self.inputs[0].name if self.inputs else ""

    def text(self, reason: str) -> str:
        parts = [
            self._head(reason),
            "",
            self._imports(),
            "",
            "",
            self._signature(),
            "",
            "",
            self._infer_meta(),
            "",
            "",
            *self._compute(),
            *self._reference(),
            *self._sample(),
            self._template(),
        ]
        return "\n".join(parts) + "\n"

    def _head(self, reason: str) -> str:
        name, function = self.wanted.name, self.wanted.function.name
        lines = [
            f"`{name}` in Python, in the place of the body of {function}",
            f"({self.wanted.place}).",
            "",
        ]
        if self.formula is None:
            lines += [f"TODO: the formula isn't filled in: {reason}.", ""]
        file = self.wanted.place.rpartition(":")[0]
        tried = f"unfold run {name} --file {file} --kernels THIS_FILE --check"
        said = "\n".join([*lines, f"    {tried}"])
        # What stands in a stranger's text, or is its name, ends no docstring here.
        return '"""' + said.replace("\\", "/").replace('"', "'") + '\n"""'

    def _imports(self) -> str:
        names = {_annotation(p).partition("(")[0] for p in self.parameters} - _BUILTIN
        names |= {"DataType", "KernelTemplate", "MetaTensor", "cpu", "random_array"}
        names |= {"gpu", "wide"} if self.formula is not None else {"loop"}
        names |= {"DenseTensor", "wide"} if self.inputs else set()
        if any(p.type is types.SCALAR for p in self.attributes):
            names.add("Scalar")
        if self.formula is None:
            names.discard("cpu")
        listed = "".join(f"    {name},\n" for name in sorted(names))
        return (
            "from __future__ import annotations\n\nfrom typing import Any\n\nimport numpy as np\n\n"
            f"from registry_runtime.kernels.authoring import (\n{listed})"
        )

    def _signature(self) -> str:
        taken = [f"{p.name}: {_annotation(p)}" for p in self.parameters]
        return _listed("def signature(", taken, ") -> None: ...")

    def _infer_meta(self) -> str:
        """The outputs like the first tensor; of several that a formula has, like their broadcast."""
        params = [*self.inputs, *self.attributes, *self.outputs]
        taken = [f"{p.name}: {_meta(p)}" for p in params]
        lines = [_listed("def infer_meta(", taken, ") -> None:")]
        if self.formula is None:
            lines.append("    # TODO: what the outputs look like.")
        like = self.tensor
        is_list = bool(self.inputs) and self.inputs[0].type.is_list
        for out in self.outputs:
            each = f"{out.name}[0]" if out.type.is_list else out.name
            if not like:
                lines += [f"    {each}.set_dims((1,))", f"    {each}.set_dtype(DataType.FLOAT32)"]
                continue
            first = f"{like}[0]" if is_list else like
            if self.formula is not None and len(self.inputs) > 1:
                dims = ", ".join(f"{p.name}.dims" for p in self.inputs)
                lines.append(f"    {each}.set_dims(np.broadcast_shapes({dims}))")
            else:
                lines.append(f"    {each}.set_dims({first}.dims)")
            lines.append(f"    {each}.set_dtype({first}.dtype)")
        return "\n".join(lines)

    def _compute(self) -> Iterator[str]:
        if self.formula is None:
            yield from self._loop()
            return
        taken = [f"{p.name}: Any" for p in (*self.inputs, *self.attributes)]
        yield _listed("def element(", taken, ") -> Any:")
        yield '    """One element; Numba compiles it."""'
        yield f"    return {in_numba(self.formula, self.tensor)}"
        yield from ("", "")
        if self.attributes:
            given = ", ".join(
                f"{p.name}: {_annotation(p)} = {_default(p)}" for p in self.attributes
            )
            made = ", ".join(map(self._constant, self.attributes))
            yield f"def constants(T: DataType, {given}) -> tuple[Any, ...]:"
            yield '    """The attributes as the numbers that C++ computes with."""'
            yield f"    return ({made},)"
            yield from ("", "")

    def _constant(self, parameter: Parameter) -> str:
        name, kind = parameter
        if parameter.type is types.SCALAR:
            made = f"{name}.to(T)"
            return f"np.float32({made})" if self.wanted.dtypes & dtypes.HALF else made
        if kind in WHOLE and kind != "bool" and self.wanted.dtypes <= dtypes.FLOATS:
            return f"(np.float64 if T is DataType.FLOAT64 else np.float32)({name})"
        return f"{_CONSTANTS.get(kind, 'np.int64' if kind == 'int64_t' else 'np.int32')}({name})"

    def _loop(self) -> Iterator[str]:
        taken = ", ".join(p.name for p in (*self.inputs, *self.attributes, *self.outputs))
        yield f"def compute({taken}):  # type: ignore[no-untyped-def]"
        yield '    """A loop over arrays; Numba compiles it."""'
        yield "    # TODO: what the C++ body does. This writes zeros."
        for out in self.outputs:
            each = f"{out.name}[0]" if out.type.is_list else out.name
            yield f"    for i in range({each}.size):"
            yield f"        {each}.flat[i] = 0"
        yield from ("", "")

    def _reference(self) -> Iterator[str]:
        params = [*self.inputs, *self.attributes]
        taken = [f"{p.name}: {_annotation(p)}" for p in params]
        yield _listed("def reference(", taken, ") -> Any:")
        yield '    """What is right, by NumPy alone."""'
        if self.formula is None:
            yield from self._arrays()
            yield '    raise NotImplementedError("say in NumPy what the kernel computes")  # TODO'
        else:
            needed = names_in(self.formula)
            if self.attributes:
                names = ", ".join(p.name for p in self.attributes)
                targets = f"({names},)" if len(self.attributes) == 1 else names
                yield f"    {targets} = constants({self.tensor}.dtype, {names})"
            for p in self.inputs:
                if p.name in needed or p.name == self.tensor:
                    yield f"    {p.name} = wide({p.name})  # type: ignore[assignment]"
            yield f"    return {in_numpy(self.formula, self.tensor)}"
        yield from ("", "")

    def _arrays(self) -> Iterator[str]:
        """How a NumPy function is given them."""
        if not self.inputs:
            return
        yield "    # `wide` makes an array of a DenseTensor: of half precision as float32."
        for p in self.inputs:
            if p.type.is_list:
                yield f"    {p.name} = [wide(one) for one in {p.name}]"
            elif p.type.is_optional:
                yield f"    {p.name} = None if {p.name} is None else wide({p.name})"
            else:
                yield f"    {p.name} = wide({p.name})  # type: ignore[assignment]"

    def _sample(self) -> Iterator[str]:
        yield "def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:"
        yield '    """Arguments that the kernel makes sense for."""'
        made = [_sampled(p) for p in (*self.inputs, *self.attributes)]
        alone = "," if len(made) == 1 else ""
        yield indent(_listed("return (", made, f"{alone})"), "    ")
        yield from ("", "")

    def _template(self) -> str:
        own = [f"DataType.{T.name}" for T in sorted(self.wanted.dtypes)]
        if self.formula is None:
            builders = ['"CPU": loop(compute)']
        else:
            given = ", constants=constants" if self.attributes else ""
            cuda = in_cuda(self.formula)
            builders = [
                f'"CPU": cpu.elementwise(element{given})',
                f'"GPU": gpu.elementwise("out = {cuda}"{given})',
            ]
        lines = [
            f'name="{self.wanted.function.name.removeprefix("::")}",',
            "signature=signature,",
            _listed("dtypes=frozenset({", own, "}),"),
            "infer_meta=infer_meta,",
            "reference=reference,",
            _listed("builders={", builders, "},"),
            "sample=sample,",
        ]
        if self.formula is not None and self.wanted.dtypes & dtypes.FLOATS:
            lines.append("roundings=4,")
        if any(p.type.is_list for p in self.outputs):
            lines.append("how_many=lambda *arguments: 1,  # TODO: how many outputs there are")
        return "KERNEL = KernelTemplate(\n" + indent("\n".join(lines), "    ") + "\n)"


def _listed(head: str, parts: Sequence[str], tail: str) -> str:
    """In one line, or each part in a line of its own."""
    line = f"{head}{', '.join(parts)}{tail}"
    if len(line) <= _WIDTH:
        return line
    return "\n".join([head, *(f"    {part}," for part in parts), tail.removeprefix(",")])


def _annotation(parameter: Parameter) -> str:
    return _ANNOTATIONS.get(parameter.type) or f'Attribute("{parameter.type.cpp}")'


def _meta(parameter: Parameter) -> str:
    kind: ParameterType = parameter.type
    if kind.kind is Kind.ATTRIBUTE:
        return _annotation(parameter)
    if kind.is_list:
        return "list[MetaTensor]"
    return "MetaTensor | None" if kind.is_optional else "MetaTensor"


def _default(parameter: Parameter) -> str:
    return _SAMPLES.get(parameter.type, "1")


def _sampled(parameter: Parameter) -> str:
    kind = parameter.type
    if kind.kind is Kind.ATTRIBUTE:
        if kind in _SAMPLES or parameter.cpp_type in NUMERIC:
            return _default(parameter)
        return "[1]" if kind.is_list else "None"
    array = "random_array(T, (size,), rng)"
    if kind.is_optional:
        return "None"
    return f"[{array}, {array}]" if kind.is_list else array
