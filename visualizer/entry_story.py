"""One entry of the registry, told: how its arguments were read off the C++ type, and who finds it.

PHI does three things with a kernel's type, and each is a list of small steps. `SetKernelArgsDef` goes
through the parameters and describes them. `KernelImpl::Compute` peels them off one at a time, each
by the template specialised for its type, until only `TypeTag<int>` is left. And a call makes a key of
its tensors, by which `SelectKernelOrThrowError` finds the kernel, or another one in its place.
Sources: `paddle/phi/core/kernel_registry.cc`, `kernel_utils.h`, `kernel_factory.cc`. The steps are
found by asking the runtime, parameter by parameter and key by key, so they are what it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from registry_runtime.cxx import CxxError, FunctionType, Parameter, without_reference_and_const
from registry_runtime.phi.args_parse import CONTEXTS, set_kernel_args_def
from registry_runtime.phi.backend import Backend
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType, cpp_type_to_data_type
from registry_runtime.phi.enforce import NotFound
from registry_runtime.phi.kernel import Kernel, KernelArgsDef, TensorArgDef
from registry_runtime.phi.kernel_factory import KernelResult
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.runtime import Registration, Runtime

_Member = TypeVar("_Member")
Kind = Literal["context", "input", "attribute", "output"]
Held = Literal["KernelFactory", "CustomKernelMap", "replaced"]

ALL_LAYOUT = (
    "ALL_LAYOUT is another word for Undefined(AnyLayout): the kernel takes any layout. Its tensors "
    "are nevertheless described as NCHW, which is what Fluid's had by default."
)
_GUARDS = {
    "GPUContext": "PADDLE_WITH_CUDA or PADDLE_WITH_HIP",
    "XPUContext": "PADDLE_WITH_XPU",
    "CustomContext": "PADDLE_WITH_CUSTOM_DEVICE",
    "OneDNNContext": "PADDLE_WITH_DNNL",
}


@dataclass(frozen=True, slots=True)
class ArgumentStep:
    """What became of one C++ parameter. `index` counts within its kind. `before` and `after` describe
    it before and after the braces ran; `note` says what the reader may not know."""

    parameter: str
    kind: Kind
    index: int
    before: str
    after: str
    note: str = ""

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


@dataclass(frozen=True, slots=True)
class Selection:
    """How a key was looked for. `result` is None if no kernel was found, and `error` says so;
    `moves` tells which inputs are brought elsewhere before the call."""

    key: KernelKey
    steps: tuple[str, ...]
    result: KernelResult | None
    moves: tuple[str, ...] = ()
    error: str = ""

    @property
    def outcome(self) -> str:
        """`found`, `fell back to the CPU` or `not found`."""
        if self.result is None:
            return "not found"
        return "fell back to the CPU" if self.result.has_fallback_cpu else "found"


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


def explain_selection(runtime: Runtime, name: str, key: KernelKey) -> Selection:
    """The path by which `SelectKernelOrThrowError` goes for this key."""
    steps = list(_path(runtime, name, key))
    try:
        result = runtime.factory.SelectKernelOrThrowError(name, key)
    except NotFound as error:
        return Selection(key, tuple(steps), None, error=f"(NotFound) {error}")
    return Selection(key, tuple(steps), result, tuple(_moves(result.kernel, key)))


def key_named(runtime: Runtime, backend: str, layout: str, dtype: str) -> KernelKey:
    """The key in these words, as PHI prints them or as C++ spells them: `gpu`, `NCHW`, `int`.

    Raises ValueError, naming what there is, for a word that PHI doesn't have.
    """
    devices: dict[str, Backend] = {b.name: b for b in Backend}
    for kernels in (*runtime.factory.kernels.values(), *runtime.custom_kernels.kernels.values()):
        devices |= {str(key.backend): key.backend for key in kernels}
    layouts: dict[str, DataLayout] = dict(DataLayout.__members__)
    dtypes = {str(d): d for d in DataType}
    if dtype not in dtypes:
        try:
            dtype = str(cpp_type_to_data_type(dtype))
        except KeyError:
            raise ValueError(
                f"PHI has no data type '{dtype}'; it has {', '.join(dtypes)}"
            ) from None
    return KernelKey(
        _named("backend", backend, devices), _named("layout", layout, layouts), dtypes[dtype]
    )


def _named(what: str, word: str, members: Mapping[str, _Member]) -> _Member:
    for name, member in members.items():
        if name.lower() == word.lower():
            return member
    raise ValueError(f"PHI has no {what} '{word}'; it has {', '.join(members)}")


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


def _tensor(tensor: TensorArgDef) -> str:
    return f"{tensor.backend} {tensor.layout} {tensor.dtype}"


def _guard(parameter: Parameter) -> str:
    bare = str(without_reference_and_const(parameter.type))
    assert bare in CONTEXTS
    guard = _GUARDS.get(bare.removeprefix("phi::"))
    return f"only with {guard}" if guard else "in every build"


def _without_phi(spelling: str) -> str:
    return spelling.replace("phi::", "")


def _path(runtime: Runtime, name: str, key: KernelKey) -> Iterator[str]:
    factory = runtime.factory
    waiting = len(runtime.custom_kernels.kernels.get(name, ()))
    if waiting:
        yield f"{waiting} named {name} wait in CustomKernelMap for their runtime: no call finds them"
    kernels = factory.kernels.get(name)
    if kernels is None:
        yield f"KernelFactory holds no kernel named {name}"
        return
    yield f"KernelFactory holds {len(kernels)} kernel{'s' * (len(kernels) != 1)} named {name}"
    wanted = KernelKey(key.backend, DataLayout.ALL_LAYOUT, key.dtype)
    if key.layout is not DataLayout.ALL_LAYOUT:
        yield f"the call's layout {key.layout} does not count: kernels for any layout are looked for"
    if wanted in kernels:
        yield f"{wanted} is registered"
        return
    yield f"{wanted} is not registered"
    if key.backend is Backend.GPUDNN and factory.with_cuda:
        wanted = KernelKey(Backend.GPU, DataLayout.ALL_LAYOUT, key.dtype)
        there = "is" if wanted in kernels else "is not"
        yield f"without a kernel of cuDNN's the GPU's is looked for: {wanted} {there} registered"
        if wanted in kernels:
            return
    if key.backend is Backend.CPU:
        yield "there is nothing to fall back to from the CPU"
        return
    if not factory.enable_api_kernel_fallback:
        yield "FLAGS_enable_api_kernel_fallback is off"
        return
    on_cpu = KernelKey(Backend.CPU, DataLayout.ALL_LAYOUT, key.dtype)
    there = "is" if on_cpu in kernels else "is not"
    yield f"FLAGS_enable_api_kernel_fallback is on: {on_cpu} {there} registered"


def _moves(kernel: Kernel, key: KernelKey) -> Iterator[str]:
    """Inputs that the kernel expects elsewhere than where the call's key says that they are."""
    here = _DEVICES.get(key.backend, key.backend)
    for index, tensor in enumerate(kernel.args_def.input_defs):
        wanted = _DEVICES.get(tensor.backend, tensor.backend)
        if wanted not in (here, Backend.ALL_BACKEND):
            yield f"input {index} is copied from {key.backend} to {tensor.backend} before the call"


# Two backends for one device's memory.
_DEVICES = {Backend.GPUDNN: Backend.GPU}
