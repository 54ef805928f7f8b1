"""Questions about an operator that is called by names: what its mapping makes of a call, which kernel
that finds, what InferMeta says of the outputs, and what comes out.

    trace_grad Input=float32[3,3] Out@GRAD=float32[] offset=0 axis1=0 axis2=1

A tensor is an input, everything else an attribute. `float32[3,3]` holds 0, 1, 2 …; `int64:[1,3]`
holds what is listed; `float32[3,2]{0,2,3}` is two sequences, by its level of detail;
`float32[3,3]@SelectedRows` is one of that kind; a dim of -1 is not known yet, which only InferMeta
may be asked about. A name that is given twice holds two tensors. `2`, `1.5`, `True` and `[1,2]` are
values of attributes, and so is the name of a data type; any other word is a string.

The call is really made, in a program of its own: the open file, those that `beside FILE` puts in front
of a question, and of the samples the kernel that the call goes to, if neither has it. Mappings and
InferMeta functions are never fetched, for whether one is there is what lessons ask about.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from visualizer.frameworks.answers import (
    Answer,
    Unanswerable,
    affordable,
    no_words_behind,
    numbers,
)
from visualizer.workbench.samples import samples_folder

if TYPE_CHECKING:
    from registry_runtime.fluid.op_story import OpStory
    from registry_runtime.phi.arg_map_context import KernelSignature
    from registry_runtime.phi.data_type import DataType
    from registry_runtime.phi.runtime import Runtime
    from registry_runtime.program import Program
    from visualizer.workbench.bench import Workbench

Files = tuple[str, ...]  # those that are beside the open one
Asked = Callable[["Workbench", Files, list[str]], str]

_NAMED = re.compile(r"([A-Za-z_][\w@]*)=(.+)")
_TENSOR = re.compile(r"(\w+)\[([-\d,]*)\](?:\{([\d,]*)\})?(?:@(\w+))?")
_LISTED = re.compile(r"(\w+):(\[.*\])")


# --- Questions ------------------------------------------------------------------------------------


def _mapped(bench: Workbench, beside: Files, words: list[str]) -> str:
    """`mapped FIELD CALL`: the signature's `kernel`, `inputs`, `attributes` or `outputs`."""
    field, *call = words
    if field not in _FIELDS:
        raise Unanswerable(f"a signature has {', '.join(_FIELDS)}, and no {field}")
    return told(lambda: _field(Asking(bench, beside, call).signature(), field))


def _says(bench: Workbench, beside: Files, words: list[str]) -> str:
    """`op-says CALL`: the first sentence of the error, or `none`."""
    error = told(lambda: (Asking(bench, beside, words).results(), "")[1])
    return error or "none"


def _gives(bench: Workbench, beside: Files, words: list[str]) -> str:
    """`op-gives CALL`: type and shape of each output; or the error."""
    return told(lambda: _listed(Asking(bench, beside, words).results(), _spelled))


def _returns(bench: Workbench, beside: Files, words: list[str]) -> str:
    """`op-returns CALL`: the elements of each output; or the error."""
    return told(
        lambda: _listed(Asking(bench, beside, words).results(), lambda out: str(out.tolist()))
    )


def _infers(bench: Workbench, beside: Files, words: list[str]) -> str:
    """`infers CALL`: type and shape that InferMeta finds; of an operator of Fluid's, its
    InferShape. `UNDEFINED` is a type that it leaves open."""
    return _inferred(bench, beside, words, is_runtime=True)


def _infers_built(bench: Workbench, beside: Files, words: list[str]) -> str:
    """`infers-built CALL`: the same while the program is being built, and dims may be -1."""
    return _inferred(bench, beside, words, is_runtime=False)


def _infers_dims(bench: Workbench, beside: Files, words: list[str]) -> str:
    """`infers-dims CALL`: what `infers` tells, without types and LoD."""
    return told(lambda: _listed(Asking(bench, beside, words).metas(True), _spelled_dims))


def _inferred(bench: Workbench, beside: Files, words: list[str], is_runtime: bool) -> str:
    return told(lambda: _listed(Asking(bench, beside, words).metas(is_runtime), _spelled_meta))


def _known_type(bench: Workbench, beside: Files, words: list[str]) -> str:
    """`known-type OUTPUT CALL`: what is known of an output's type before the kernel runs. The row of
    the kernel's registration says it; where that is UNDEFINED, InferMeta. Or `UNDEFINED`: nobody."""
    output, *call = words
    return told(lambda: _of_type(Asking(bench, beside, call).known_type(output)))


def _gradient(bench: Workbench, beside: Files, words: list[str]) -> str:
    """`gradient FIELD CALL`: the call that the operator's grad op maker makes of this one: its
    `operator`, `inputs` or `outputs`; or `none`."""
    from registry_runtime.fluid.grad_op_maker import OpDesc
    from registry_runtime.phi.enforce import EnforceNotMet

    field, call = words[0], read(words[1:])
    try:
        info = program_of(bench, beside).fluid.op_info_map.Get(call.op_type)
        inputs = {name: [name] * len(given) for name, given in call.inputs.items()}
        outputs = {output.name: [output.name] for output in info.Proto().outputs}
        forward = OpDesc(call.op_type, inputs, outputs, dict(call.attrs))
        made = info.GradOpMaker(forward)
    except EnforceNotMet as error:
        raise Unanswerable(error.message) from None
    if not made:
        return "none"
    fields = {
        "operator": made[0].type,
        "inputs": ", ".join(made[0].inputs),
        "outputs": ", ".join(made[0].outputs),
    }
    if field not in fields:
        raise Unanswerable(f"a call has {', '.join(fields)}, and no {field}")
    return fields[field] or "none"


def told(answer: Callable[[], str]) -> str:
    """The answer, or the error that the learner would see: its first sentence, without the operator."""
    from registry_runtime.phi.kernel_template import KernelError

    try:
        return answer()
    except KernelError as error:
        said = re.split(r"\.? +\[Hint|\. +(?=[A-Z])|\n", str(error).strip(), maxsplit=1)[0]
        return re.sub(r"^\w+: ", "", said).removesuffix(".")


# --- A call ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Call:
    op_type: str
    inputs: Mapping[str, list[Any]]
    attrs: Mapping[str, Any]


def read(words: Sequence[str]) -> _Call:
    """A call of an operator. Raises Unanswerable for a word that is no part of one."""
    op_type, *given = words
    inputs: dict[str, list[Any]] = {}
    attrs: dict[str, Any] = {}
    for word in given:
        match = _NAMED.fullmatch(word)
        if match is None:
            raise Unanswerable(f"'{word}' has no name: write X=float32[2,3], or axis=1")
        tensor = _tensor(match[2])
        if tensor is None:
            attrs[match[1]] = _attribute(match[2])
        else:
            inputs.setdefault(match[1], []).append(tensor)
    return _Call(op_type, inputs, attrs)


def _tensor(word: str) -> Any:
    """A tensor, a MetaTensor where a dim isn't known; None for a word that is neither."""
    import numpy as np

    from registry_runtime.phi.dense_tensor import DenseTensor
    from registry_runtime.phi.meta_tensor import MetaTensor
    from registry_runtime.phi.selected_rows import SelectedRows

    if match := _LISTED.fullmatch(word):
        return np.asarray(_literal(match[2]), _data_type(match[1]).numpy)
    match = _TENSOR.fullmatch(word)
    if match is None:
        no_words_behind(word, r"\w+:?\[[^\]]*\](?=.)")
        return None
    dtype, dims, offsets, kind = _data_type(match[1]), numbers(match[2]), match[3], match[4]
    lod = () if offsets is None else (numbers(offsets),)
    if -1 in dims:
        return MetaTensor(dims, dtype, lod=lod)
    elements = np.arange(affordable(math.prod(dims))).astype(dtype.numpy).reshape(dims)
    if kind is None:
        return DenseTensor(elements, lod=lod) if lod else elements
    if kind != "SelectedRows" or not dims:
        raise Unanswerable(f"'{word}' is no tensor: float32[2,3]@SelectedRows is one")
    return SelectedRows(list(range(dims[0])), dims[0], DenseTensor.of(elements))


def _without_elements(tensor: Any) -> Any:
    from registry_runtime.phi.dense_tensor import DenseTensor
    from registry_runtime.phi.meta_tensor import MetaTensor
    from registry_runtime.phi.selected_rows import SelectedRows

    if isinstance(tensor, MetaTensor | SelectedRows):
        return tensor
    return MetaTensor.of(DenseTensor.of(tensor))


def _data_type(name: str) -> DataType:
    from registry_runtime.phi.data_type import DataType

    known = {str(dtype): dtype for dtype in DataType}
    if name not in known:
        raise Unanswerable(f"PHI has no data type '{name}'; float32 and int64 are some")
    return known[name]


def _literal(word: str) -> Any:
    try:
        return ast.literal_eval(word)
    except (ValueError, SyntaxError):
        raise Unanswerable(f"'{word}' is no value") from None


def _attribute(word: str) -> Any:
    with suppress(Unanswerable):
        return _literal(word)
    try:
        return _data_type(word)
    except Unanswerable:
        return word


# --- The call in its program ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asking:
    """A call, and the program that it is made in. What the runtime raises goes through."""

    bench: Workbench
    beside: Files
    words: Sequence[str]

    def signature(self) -> KernelSignature:
        call, program = read(self.words), self._program()
        return program.phi.op_signature(
            call.op_type,
            inputs=call.inputs,
            attrs=call.attrs,
            default=program.fluid.default_signature(call.op_type),
        )

    def results(self) -> Mapping[str, Any]:
        call, program = read(self.words), self._with_kernel()
        return program.fluid.call_op(call.op_type, call.inputs, call.attrs)

    def explained(self) -> OpStory:
        """The same call with its steps told."""
        call, program = read(self.words), self._with_kernel()
        return program.fluid.explain_op(call.op_type, call.inputs, call.attrs)

    def _with_kernel(self) -> Program:
        """The program with the kernel that the call goes to, of the samples if need be."""
        from registry_runtime.phi.call.op_call import OpError

        call, program = read(self.words), self._program()
        if not program.fluid.op_kernels.get(call.op_type):
            try:
                kernel = self.signature().name
            except OpError:  # which the call itself will raise, once there is a kernel
                kernel = program.phi.op_utils.GetBaseKernelName(call.op_type)
            _fetch_kernel(program, kernel)
        return program

    def metas(self, is_runtime: bool) -> Mapping[str, Any]:
        call, program = read(self.words), self._program()
        if program.fluid.op_info_map.Has(call.op_type):
            seen = {name: list(map(_without_elements, held)) for name, held in call.inputs.items()}
            return program.fluid.infer_op(call.op_type, seen, call.attrs, is_runtime=is_runtime)
        return program.phi.infer_op(call.op_type, call.inputs, call.attrs, is_runtime=is_runtime)

    def known_type(self, output: str) -> DataType:
        from registry_runtime.phi.data_type import DataType

        signature = self.signature()
        if output not in signature.output_names:
            raise Unanswerable(f"the signature has no output {output}")
        _fetch_kernel(self._program(), signature.name)
        at = signature.output_names.index(output)
        row = self._row(signature.name, at)
        return self.metas(is_runtime=True)[output].dtype if row is DataType.UNDEFINED else row

    def _row(self, kernel: str, output: int) -> DataType:
        """The output's data type in the kernel for the CPU and the first input's type."""
        first = next(iter(read(self.words).inputs.values()), [None])[0]
        for key, registered in self._phi().factory.kernels.get(kernel, {}).items():
            if str(key.backend) == "CPU" and str(key.dtype) == str(getattr(first, "dtype", "")):
                return registered.args_def.output_defs[output].dtype
        raise Unanswerable(f"no kernel {kernel} is registered on the CPU for such an input")

    def _phi(self) -> Runtime:
        return self._program().phi

    def _program(self) -> Program:
        return program_of(self.bench, self.beside)


@lru_cache(maxsize=8)
def program_of(bench: Workbench, beside: Files) -> Program:
    from registry_runtime.program import Program
    from visualizer.workbench.bench import open_file

    program = Program()
    program.run(bench.expanded.text)
    for name in beside:
        open_file(beside_file(bench, name), bench.options, program)
    return program


def beside_file(bench: Workbench, name: str) -> Path:
    own = bench.path.parent / name
    path = own if own.exists() else samples_folder() / name
    if not path.is_file():
        raise Unanswerable(f"there is no file {name} beside {bench.path.name}")
    return path


def _fetch_kernel(program: Program, kernel: str) -> None:
    """The sample that registers a kernel, if the program has none of that name."""
    from visualizer.workbench.bench import open_file

    if kernel in program.phi.factory.kernels:
        return
    registered = re.compile(rf"\bPD_REGISTER_\w*KERNEL\w*\(\s*{re.escape(kernel)}\s*,")
    for path in sorted((samples_folder() / "phi").glob("*.cc")):
        if registered.search(path.read_text(encoding="utf-8")):
            open_file(path, None, program)
            return


# --- How answers are written ----------------------------------------------------------------------

_FIELDS = ("kernel", "inputs", "attributes", "outputs")


def _field(signature: KernelSignature, field: str) -> str:
    if field == "kernel":
        return signature.name
    names = {
        "inputs": signature.input_names,
        "attributes": signature.attr_names,
        "outputs": signature.output_names,
    }[field]
    return ", ".join(names) or "none"


def _listed(outputs: Mapping[str, Any], spell: Callable[[Any], str]) -> str:
    """One output as it is; several behind their names."""
    if len(outputs) == 1:
        return spell(*outputs.values())
    return ", ".join(f"{name}: {spell(output)}" for name, output in outputs.items())


def _spelled(array: Any) -> str:
    return f"{array.dtype}[{','.join(map(str, array.shape))}]"


def _spelled_dims(meta: Any) -> str:
    return f"[{','.join(map(str, meta.dims))}]"


def _spelled_meta(meta: Any) -> str:
    lod = "".join(f"{{{','.join(map(str, level))}}}" for level in meta.lod)
    return f"{_of_type(meta.dtype)}{_spelled_dims(meta)}{lod}"


def _of_type(dtype: DataType) -> str:
    from registry_runtime.phi.data_type import DataType

    return "UNDEFINED" if dtype is DataType.UNDEFINED else str(dtype)


ASKED: dict[str, Asked] = {
    "mapped": _mapped,
    "op-says": _says,
    "op-gives": _gives,
    "op-returns": _returns,
    "infers": _infers,
    "infers-built": _infers_built,
    "infers-dims": _infers_dims,
    "known-type": _known_type,
    "gradient": _gradient,
}


def alone(asked: Asked) -> Answer:
    """The same, asked of the open file with no others beside it."""
    return lambda bench, place, words: asked(bench, (), words)


ANSWERS: dict[str, Answer] = {word: alone(asked) for word, asked in ASKED.items()}
AT_LEAST = {
    **dict.fromkeys(ASKED, 1),
    **dict.fromkeys(("mapped", "known-type", "gradient"), 2),
}
