"""One entry of the registry, told: how its arguments were read off the C++ type.

PHI does two things with a kernel's type, and each is a list of small steps. `SetKernelArgsDef` goes
through the parameters and describes them. `KernelImpl::Compute` peels them off one at a time, each
by the template specialised for its type, until only `TypeTag<int>` is left. Sources:
`paddle/phi/core/kernel_registry.cc`, `kernel_utils.h`. The steps are found by asking the runtime,
parameter by parameter, so they are what it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

from registry_runtime.cxx import CxxError, FunctionType, Parameter, without_reference_and_const
from registry_runtime.phi.args_parse import set_kernel_args_def
from registry_runtime.phi.backend import CONTEXTS
from registry_runtime.phi.kernel import KernelArgsDef, TensorArgDef
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.registered import Registration
from registry_runtime.phi.runtime import Runtime

_Member = TypeVar("_Member")
Kind = Literal["context", "input", "attribute", "output"]
Held = Literal["KernelFactory", "CustomKernelMap", "replaced"]

_FACTS = ("backend", "layout", "dtype")
ALL_LAYOUT = (
    "ALL_LAYOUT is another word for Undefined(AnyLayout): the kernel takes any layout. Its tensors "
    "are nevertheless described as NCHW, which is what Fluid's had by default."
)
STRUCTURE = (
    "It is not called for this kernel, which is a structure of Fluid's: its Compute asks the context "
    "for tensors and attributes by name, and its type tells nothing."
)
_GUARDS = {
    "GPUContext": "PADDLE_WITH_CUDA or PADDLE_WITH_HIP",
    "XPUContext": "PADDLE_WITH_XPU",
    "CustomContext": "PADDLE_WITH_CUSTOM_DEVICE",
    "OneDNNContext": "PADDLE_WITH_DNNL",
}


def runs_by_names(registration: Registration) -> bool:
    """Whether it is a structure of Fluid's whose body is interpreted: nobody can hand it arguments in
    order, but a call of its operator runs it."""
    structure = registration.kernel.fn.structure
    if structure is None:
        return False
    from registry_runtime.fluid.compute import refused

    return refused(structure) is None


@dataclass(frozen=True, slots=True)
class ArgumentStep:
    """What became of one C++ parameter. `index` counts within its kind. `before` and `after` describe
    it before and after the braces ran; `note` says what the reader may not know. `type_index` is what
    a KernelArgsDef remembers of its type."""

    parameter: str
    kind: Kind
    index: int
    before: str
    after: str
    note: str = ""
    type_index: str = ""

    @property
    def changes(self) -> Iterator[tuple[str, str, str]]:
        """A tensor's backend, layout and dtype: what it is called, and what it was before and after."""
        if self.kind in ("input", "output"):
            yield from zip(_FACTS, self.before.split(), self.after.split(), strict=False)

    @property
    def becomes(self) -> str:
        """`input 0`; a context is skipped."""
        return "context" if self.kind == "context" else f"{self.kind} {self.index}"


@dataclass(frozen=True, slots=True)
class Peel:
    """One specialisation that takes the first parameter off: `at` are the numbers of contexts,
    inputs, attributes and outputs taken before."""

    specialisation: str
    at: tuple[int, int, int, int]
    takes: str


def held_in(runtime: Runtime, registration: Registration) -> Held:
    """Where the registration's kernel is now."""
    name, key = registration.kernel_name, registration.key
    if runtime.factory.kernels.get(name, {}).get(key) is registration.kernel:
        return "KernelFactory"
    if runtime.custom_kernels.kernels.get(name, {}).get(key) is registration.kernel:
        return "CustomKernelMap"
    return "replaced"


def argument_steps(registration: Registration) -> list[ArgumentStep]:
    """What `SetKernelArgsDef` made of each parameter; nothing for a function that isn't declared."""
    before, after = registration.args_def_before, registration.kernel.args_def
    counts: dict[Kind, int] = {}
    steps = []
    for parameter in _parameters(registration):
        kind = _kind(parameter, registration.key)
        index = counts[kind] = counts.get(kind, -1) + 1
        steps.append(
            ArgumentStep(
                _without_phi(str(parameter)),
                kind,
                index,
                _described(before, kind, index),
                _described(after, kind, index),
                _guard(parameter) if kind == "context" else "",
                _type_index(after, kind, index),
            )
        )
    return steps


def peeling(registration: Registration) -> list[Peel]:
    """`KernelImpl::Compute`, one specialisation after the other, down to `TypeTag<int>`."""
    taken: dict[Kind, int] = {"context": 0, "input": 0, "attribute": 0, "output": 0}
    peels = []
    words = {
        "context": "GetDeviceContext",
        "input": "InputRangeAt",
        "attribute": "AttrAt",
        "output": "OutputRangeAt",
    }
    for parameter in _parameters(registration):
        kind = _kind(parameter, registration.key)
        number = "" if kind == "context" else str(taken[kind])
        at = (taken["context"], taken["input"], taken["attribute"], taken["output"])
        takes = f"{words[kind]}({number})"
        peels.append(Peel(_without_phi(str(parameter.type)), at, takes))
        taken[kind] += 1
    if peels:
        at = (taken["context"], taken["input"], taken["attribute"], taken["output"])
        peels.append(Peel("TypeTag<int>", at, "calls the kernel"))
    return peels


def _parameters(registration: Registration) -> Iterable[Parameter]:
    function = registration.kernel.function
    return function.type.parameters if function is not None and function.type is not None else ()


def _kind(parameter: Parameter, key: KernelKey) -> Kind:
    """Asked of `SetKernelArgsDef` itself: what does it make of a function with this parameter?"""
    made = KernelArgsDef()
    try:
        set_kernel_args_def(FunctionType(parameter.type, (parameter,)), key, made)
    except CxxError:  # an attribute that Compute refuses too; such a kernel doesn't register
        return "attribute"
    if made.input_defs:
        return "input"
    if made.output_defs:
        return "output"
    return "attribute" if made.attribute_defs else "context"


def _described(args_def: KernelArgsDef, kind: Kind, index: int) -> str:
    if kind == "attribute" and index < len(args_def.attribute_defs):
        return str(args_def.attribute_defs[index].type_index)
    tensors = {"input": args_def.input_defs, "output": args_def.output_defs}.get(kind, [])
    return _tensor(tensors[index]) if index < len(tensors) else ""


def _type_index(args_def: KernelArgsDef, kind: Kind, index: int) -> str:
    if kind == "attribute":
        return _described(args_def, kind, index)
    tensors = {"input": args_def.input_defs, "output": args_def.output_defs}.get(kind, [])
    return tensors[index].type_index if index < len(tensors) else ""


def _tensor(tensor: TensorArgDef) -> str:
    return f"{tensor.backend} {tensor.layout} {tensor.dtype}"


def _guard(parameter: Parameter) -> str:
    bare = str(without_reference_and_const(parameter.type))
    assert bare in CONTEXTS
    guard = _GUARDS.get(bare.removeprefix("phi::"))
    return f"only with {guard}" if guard else "in every build"


def _without_phi(spelling: str) -> str:
    return spelling.replace("phi::", "")
