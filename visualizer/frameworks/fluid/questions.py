"""Questions about Fluid's half of an operator: what its classes ask for and list, who computes a call,
and what a linker misses.

Where a kernel's class asks for names, they are read off its body, which nobody calls for that. A call
is written as in `call_questions`, and really made. What the build finds is found as Paddle's finds
it: in the text of the file, comments and all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from visualizer.expansion.source_files import read_source
from visualizer.frameworks.answers import Answer, Place, Unanswerable
from visualizer.frameworks.fluid.call_questions import (
    Asked,
    Files,
    alone,
    beside_file,
    program_of,
    read,
    told,
)

if TYPE_CHECKING:
    from registry_runtime.fluid.op_proto import Attr, OpProto, Var
    from visualizer.workbench.bench import Workbench

_KINDS = ("inputs", "outputs", "attributes")


# --- Of the open file -----------------------------------------------------------------------------


def _reads(bench: Workbench, place: Place, words: list[str]) -> str:
    """`reads OPERATOR KIND`: the names that the body of its kernel's Compute asks the context for."""
    from registry_runtime.fluid.name_check import asked_names

    op_type, kind = words
    kernels = bench.program.fluid.op_kernels.get(op_type)
    if not kernels:
        raise Unanswerable(f"Fluid has no kernel of {op_type} here")
    of = next(iter(kernels.values())).kernel_type
    asked = (call.name for what, call in asked_names(of) if f"{what}s" == _kind(kind))
    return ", ".join(dict.fromkeys(asked)) or "none"


def _lists(bench: Workbench, place: Place, words: list[str]) -> str:
    """`lists OPERATOR KIND`: the names that its maker has, in its order."""
    op_type, kind = words
    return ", ".join(one.name for one in _of(_proto(bench, op_type), _kind(kind))) or "none"


def _listing(bench: Workbench, place: Place, words: list[str]) -> str:
    """`listing OPERATOR NAME`: what the maker says of one name: `int axis = 0`, `X (dispensable)`."""
    op_type, name = words
    proto = _proto(bench, op_type)
    found = next((one for kind in _KINDS for one in _of(proto, kind) if one.name == name), None)
    if found is None:
        raise Unanswerable(f"the maker of {op_type} lists no {name}")
    return str(found)


def _shapes_by(bench: Workbench, place: Place, words: list[str]) -> str:
    """`shapes-by OPERATOR`: `InferShape`, `InferMeta` for a functor that calls one, or `nothing`."""
    info = bench.program.fluid.op_info_map.GetNullable(words[0])
    if info is None:
        raise Unanswerable(f"no operator {words[0]} is registered")
    if info.infer_meta is not None:
        return "InferMeta"
    return "nothing" if info.infer_shape is None else "InferShape"


def _kind(kind: str) -> str:
    if kind not in _KINDS:
        raise Unanswerable(f"there are {', '.join(_KINDS)}, and no {kind}")
    return kind


def _of(proto: OpProto, kind: str) -> Sequence[Var | Attr]:
    """What the maker listed itself: Fluid's own attributes are no concern of a lesson."""
    from registry_runtime.fluid.op_proto import OF_EVERY_OPERATOR

    if kind == "attributes":
        return [attr for attr in proto.attrs if attr.name not in OF_EVERY_OPERATOR]
    return proto.inputs if kind == "inputs" else proto.outputs


def _proto(bench: Workbench, op_type: str) -> OpProto:
    info = bench.program.fluid.op_info_map.GetNullable(op_type)
    if info is None or info.proto is None:
        raise Unanswerable(f"no maker is registered for {op_type}")
    return info.proto


def _warning(bench: Workbench, place: Place, _: list[str]) -> str:
    """`warning`: the first warning's message, or `none`."""
    found = (d.message for d in bench.diagnostics if d.severity == "warning")
    return next(found, "none")


def _phi_key(bench: Workbench, place: Place, _: list[str]) -> str:
    """`phi-key`: where PHI looks for the last kernel that the open line registers in Fluid."""
    from registry_runtime.fluid.op_kernel_type import OpKernelType

    for entry in reversed(bench.entries):
        key = entry.registration.key
        if entry.expansion == place.expansion and isinstance(key, OpKernelType):
            return str(key.phi_kernel_key(bench.program.phi.devices))
    raise Unanswerable("this line registers no kernel of Fluid's")


def _build_writes(bench: Workbench, place: Place, _: list[str]) -> str:
    """`build-writes`: the lines that Paddle's build writes for this file, `USE_OP_ITSELF(trace);`,
    or `nothing`."""
    text = read_source(bench.path, unsaved=bench.options.unsaved)
    found = ((use, _found(macro, text)) for macro, use in _WRITTEN)
    return " ".join(use.format(match[1]) for use, match in found if match) or "nothing"


def _found(macro: str, text: str) -> re.Match[str] | None:
    # The first one alone counts, and `find_register` knows nothing of comments.
    return re.search(rf"{macro}\([ \t\r\n]*([a-z0-9_]*),", text)


# cmake/operators.cmake, `op_library`: what it searches for, and what it appends to pybind.h.
_WRITTEN = (
    ("REGISTER_OPERATOR", "USE_OP_ITSELF({});"),
    ("REGISTER_OP_CPU_KERNEL", "USE_OP_DEVICE_KERNEL({}, CPU);"),
    ("REGISTER_OP_CUDA_KERNEL", "USE_OP_DEVICE_KERNEL({}, CUDA);"),
)


# --- Of a program: the open file, and what is beside it -------------------------------------------


def _computed_by(bench: Workbench, beside: Files, words: list[str]) -> str:
    """`computed-by CALL`: the function of PHI's or the class of Fluid's that runs; or the error."""
    return told(lambda: _step(bench, beside, words, "launch"))


def _op_key(bench: Workbench, beside: Files, words: list[str]) -> str:
    """`op-key CALL`: the OpKernelType that a kernel of Fluid's operator is looked for under."""
    return told(lambda: _step(bench, beside, words, "key"))


def _step(bench: Workbench, beside: Files, words: list[str], kind: str) -> str:
    call = read(words)
    story = program_of(bench, beside).fluid.explain_op(call.op_type, call.inputs, call.attrs)
    for step in story.steps:
        if step.kind == kind:
            return _short(str(step.fact), kind == "launch")
    if story.error is not None:
        raise story.error
    raise Unanswerable(f"{call.op_type} is no operator of Fluid's here")


def _short(name: str, keep_first: bool) -> str:
    """Without the namespaces; of a template, those of its arguments."""
    first, bracket, rest = name.partition("<") if keep_first else ("", "", name)
    return first + bracket + re.sub(r"\b(?:\w+::)+|(?<!\w)::", "", rest)


def _unlinked(bench: Workbench, beside: Files, words: list[str]) -> str:
    """`unlinked`: the first function that a linker would miss in this file, once the others are in;
    or `none`."""
    from registry_runtime.cxx import Code
    from registry_runtime.program import Program
    from visualizer.workbench.bench import open_file

    program = Program()
    for name in beside:
        open_file(beside_file(bench, name), bench.options, program)
    text = bench.expanded.text
    for diagnostic in program.run(text).diagnostics:
        if diagnostic.code is Code.UNDEFINED_REFERENCE:
            return text[diagnostic.span.start : diagnostic.span.end].partition("(")[0]
    return "none"


# --- All of them ----------------------------------------------------------------------------------

ASKED: dict[str, Asked] = {
    "computed-by": _computed_by,
    "op-key": _op_key,
    "unlinked": _unlinked,
}
_OF_THE_FILE: dict[str, Answer] = {
    "reads": _reads,
    "lists": _lists,
    "listing": _listing,
    "shapes-by": _shapes_by,
    "warning": _warning,
    "phi-key": _phi_key,
    "build-writes": _build_writes,
}


ANSWERS = {**_OF_THE_FILE, **{word: alone(asked) for word, asked in ASKED.items()}}
ARGUMENTS = {"reads": 2, "lists": 2, "listing": 2, "shapes-by": 1}
AT_LEAST = {"computed-by": 1, "op-key": 1, "unlinked": 0}
