"""A kernel as C++ has it: a function template over the element type and the device's context.

`phi::BitwiseAndKernel` is no function yet: `template <typename T, typename Context>` stands before
it, and a registration instantiates it, once for each type that it lists. So here: a
`KernelTemplate` holds an operator's four faces (the signature, InferMeta, the NumPy reference that
says what is right, and a build for each device), `instantiate` picks a data type and a context,
and the `Instance` is built, once, when asked or when first launched.
"""

from __future__ import annotations

import reprlib
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Annotated, Any, NamedTuple, get_type_hints

import numpy as np
from numpy.typing import NDArray

from registry_runtime.kernels.closeness import off
from registry_runtime.kernels.device import to_device
from registry_runtime.kernels.machine_code import simd_width
from registry_runtime.phi import parameter_types as types
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor, Lod
from registry_runtime.phi.enforce import EnforceNotMet
from registry_runtime.phi.kernel_template import KernelError, as_tuple
from registry_runtime.phi.meta_tensor import MetaTensor
from registry_runtime.phi.parameter_types import Kind, Parameter
from registry_runtime.phi.scalar import Scalar


class Ragged(NamedTuple):
    """A tensor whose rows group into sequences: its array, and its LoD."""

    rows: Any
    lod: Lod


@dataclass(frozen=True)
class Build:
    """Machine code for one instance. `launch` is `Instance.launch` without the way there.

    `launch_known` is the same for who knows that the arguments are arrays of the right data types,
    as many as there should be, and gives no `out`.
    """

    backend: str
    launch: Callable[..., Any]
    compile_seconds: float
    from_cache: bool
    code: Callable[[], str]  # the inner loop: assembly on the CPU, CUDA source on the GPU
    llvm: Callable[[], str] = lambda: ""  # the same loop as LLVM IR; none on the GPU
    launch_known: Callable[..., Any] | None = None

    @property
    def simd_width(self) -> int:
        """The widest vector register in `code`, in bits: 512 for zmm; 0 where there is none."""
        return simd_width(self.code())


# What a signature's annotations are in C++. `Out` is a pointer there, for the kernel writes to it.
Context = Annotated[object, types.CONTEXT]
Out = Annotated[DenseTensor, types.OUTPUT]
OptionalTensor = Annotated[DenseTensor | None, types.OPTIONAL]
Outs = Annotated[list[DenseTensor], types.OUTPUTS]
Tensors = Annotated[list[DenseTensor], types.LIST]
OptionalTensors = Annotated[list[DenseTensor] | None, types.OPTIONAL_LIST]
IntArray = Annotated[Sequence[int], types.INT_ARRAY]
Int64 = Annotated[int, types.INT64]
Double = Annotated[float, types.DOUBLE]
Place = Annotated[str, types.PLACE]
_PLAIN: dict[Any, types.ParameterType] = {
    DenseTensor: types.DENSE,
    Scalar: types.SCALAR,
    list[int]: types.INTS,
    DataType: types.DATA_TYPE,
    bool: types.BOOL,
    int: types.INT,
    float: types.FLOAT,
    str: types.STRING,
}

# The build that each context runs. A plug-in device, `CustomCPU`, has its memory on the host; oneDNN
# is a library on the CPU, for which only what Paddle has it do is written.
_BACKENDS = {
    "CPUContext": "CPU",
    "GPUContext": "GPU",
    "CustomContext": "CPU",
    "OneDNNContext": "ONEDNN",
}

Builder = Callable[["KernelTemplate", DataType], Build]


class SecondWay(NamedTuple):
    """Another way to a reference's results, to hold it to where no device can run the kernel.

    `results` takes what the reference does and gives as many results, in double precision; `by`
    says in words how it comes to them.
    """

    by: str
    results: Callable[..., Any]


def _every_byte_once(*tensors_and_attributes: Any) -> int:
    tensors = (t for t in tensors_and_attributes if isinstance(t, DenseTensor))
    return sum(int(tensor.data.nbytes) for tensor in tensors)


def _one_tensor(dtype: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    return (random_array(dtype, (size,), rng),)


def two_tensors(dtype: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    """A sample of two tensors of one shape."""
    return random_array(dtype, (size,), rng), random_array(dtype, (size,), rng)


@dataclass(frozen=True, eq=False)
class KernelTemplate:
    """`template <typename T, typename Context> void name(signature)`.

    name: the qualified C++ name, `phi::BitwiseAndKernel`.
    signature: a function without a body, whose parameters are the C++ function's, in order.
    dtypes: the `T`s that the body makes sense for; C++ would fail to compile the others.
    infer_meta: a function of `registry_runtime.phi.infermeta`.
    reference: the inputs and attributes to the output, or to a tuple of outputs, by NumPy alone.
    second_way: what confirms the reference of a kernel that has no build for the CPU.
    builders: for each backend, the function that makes the machine code.
    sample: `(dtype, size, rng)` to random inputs and attributes; one array if not given.
    bytes_moved: `(inputs, attributes, outputs)` to the bytes that must cross the memory bus; each
        tensor's, once, if not given.
    param: what InferMeta takes of the inputs and attributes, by name and in its order, as
        `infer_meta: param` in Paddle's `ops.yaml`; all of them if not given.
    accepts: the inputs that don't hold `T`, each with the data types that it may hold; of an
        input that may hold any, only the dims are read, and it may lie on any device.
    out_dtype: what an element-wise kernel of `T` puts into its output, whatever InferMeta says: the
        C++ kernel allocates it so (`exp` of integers gives float32).
    open_dtype: `(output's name, T)` to the data type that InferMeta left UNDEFINED; T if not given.
    resize: `(inputs and attributes, outputs' metas)` to the metas that the body allocates by, where
        it changes what InferMeta said: an element, or a LoD, decides a dim.
    how_many: the inputs and attributes to the number of outputs that an `Outs` holds, which are
        results as the others are.
    in_place: outputs that must be an input's memory, as `inplace` in `ops.yaml`: `{"out": "x"}`.
        C++ insists; `launch` without `out` gives new ones, or a kernel could be tried but once.
    carried: outputs that hold what an earlier call left in them, and no input does. `launch` without
        `out` is a first call, and finds zeros there.
    ragged: inputs whose LoD the body reads: a CPU plan gets it, a GPU `run` finds it in a `Ragged`.
    roundings: how many units in the last place the outputs may be off the reference. 0: none.
    magnitude: the inputs and attributes to what these units are of, for each output, where it is
        not the output itself: a sum may be near 0, and what was added decides how exact it can be.
    """

    name: str
    signature: Callable[..., None]
    dtypes: frozenset[DataType]
    infer_meta: Callable[..., None]
    reference: Callable[..., Any]
    builders: Mapping[str, Builder]
    sample: Callable[[DataType, int, np.random.Generator], tuple[Any, ...]] = _one_tensor
    bytes_moved: Callable[..., int] = _every_byte_once
    param: tuple[str, ...] = ()
    accepts: Mapping[str, frozenset[DataType]] = field(default_factory=dict)
    open_dtype: Callable[[str, DataType], DataType] = lambda name, T: T
    out_dtype: Callable[[DataType], DataType] = lambda T: T
    resize: Callable[..., tuple[MetaTensor, ...]] | None = None
    how_many: Callable[..., int] | None = None
    in_place: Mapping[str, str] = field(default_factory=dict)
    carried: frozenset[str] = frozenset()
    ragged: frozenset[str] = frozenset()
    roundings: float = 0
    magnitude: Callable[..., Any] | None = None
    second_way: SecondWay | None = None

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        hints = get_type_hints(self.signature, include_extras=True)
        del hints["return"]
        rows = {
            name: hint.__metadata__[0] if hasattr(hint, "__metadata__") else _PLAIN[hint]
            for name, hint in hints.items()
        }
        return tuple(Parameter(name, row.short) for name, row in rows.items())

    @cached_property
    def inputs(self) -> tuple[Parameter, ...]:
        """What a caller passes: every parameter but the context and the outputs."""
        return tuple(p for p in self.parameters if p.type.kind in (Kind.INPUT, Kind.ATTRIBUTE))

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """The names of the outputs, in order; a vector of them is one, and the last."""
        return tuple(p.name for p in self.parameters if p.type.kind is Kind.OUTPUT)

    def result_names(self, count: int) -> tuple[str, ...]:
        """A name for each of `count` results: `outs[0]`, `outs[1]` for those of a vector."""
        if self.how_many is None:
            return self.outputs
        *single, several = self.outputs
        return (*single, *(f"{several}[{i}]" for i in range(count - len(single))))

    @property
    def backends(self) -> frozenset[str]:
        """Where it can be instantiated: a subset of `{"CPU", "GPU", "ONEDNN"}`."""
        return frozenset(self.builders)

    def instantiate(self, dtype: DataType, context: str) -> Instance:
        """The instance for `T = dtype` and a context: `CPUContext`, `GPUContext`, `CustomContext`,
        `OneDNNContext`.

        It is the same one each time. Raises KernelError for a context that the template isn't
        written for. A dtype that makes no sense fails in `Instance.build`, which is where C++ would
        compile it.
        """
        if _BACKENDS.get(context) not in self.builders:
            written_for = " and ".join(c for c, b in _BACKENDS.items() if b in self.builders)
            raise KernelError(f"{self.name} is written for {written_for}, not for {context}")
        return _instance(self, dtype, context)

    def bind(self, *args: Any) -> tuple[Any, ...]:
        """The arguments as their C++ types: arrays as `DenseTensor`s, numbers as `Scalar`s.

        Raises KernelError for a wrong number of them, or one that has no such form.
        """
        if len(args) != len(self.inputs):
            names = ", ".join(p.name for p in self.inputs)
            raise KernelError(
                f"{self.name} takes {len(self.inputs)} arguments ({names}), got {len(args)}"
            )
        return tuple(
            _bind(self.name, parameter, arg)
            for parameter, arg in zip(self.inputs, args, strict=True)
        )

    def infer(
        self, T: DataType, bound: tuple[Any, ...], *, leave_open: bool = False
    ) -> tuple[MetaTensor, ...]:
        """What InferMeta says of the outputs for these arguments, as `bind` gives them; `leave_open`
        keeps data types UNDEFINED that it leaves to the registration.

        Raises KernelError, in InferMeta's words.
        """
        values = {p.name: _meta(value) for p, value in zip(self.inputs, bound, strict=True)}
        several = 0 if self.how_many is None else self.how_many(*bound)
        single = len(self.outputs) - (self.how_many is not None)
        outs = tuple(MetaTensor() for _ in range(single + several))
        passed = outs if self.how_many is None else (*outs[:single], list(outs[single:]))
        try:
            self.infer_meta(*(values[name] for name in self.param or values), *passed)
        except EnforceNotMet as error:
            raise KernelError(f"{self.name}: {error.message}") from None
        for name, out in zip(self.result_names(len(outs)), outs, strict=True):
            if out.dtype is DataType.UNDEFINED:
                if not leave_open:
                    out.set_dtype(self.open_dtype(name, T))
            elif out.dtype is T:
                out.set_dtype(self.out_dtype(T))
        return outs

    def resized(
        self, bound: tuple[Any, ...], metas: tuple[MetaTensor, ...]
    ) -> tuple[MetaTensor, ...]:
        """`infer`'s metas as the body allocates by them. Raises KernelError, in the body's words."""
        if self.resize is None:
            return metas
        try:
            return self.resize(*bound, *metas)
        except EnforceNotMet as error:
            raise KernelError(f"{self.name}: {error.message}") from None


def _meta(value: Any) -> Any:
    if isinstance(value, DenseTensor):
        return MetaTensor.of(value)
    if isinstance(value, list) and value and isinstance(value[0], DenseTensor):
        return [MetaTensor.of(tensor) for tensor in value]
    return value


def _bind(kernel: str, parameter: Parameter, value: Any) -> Any:
    name, cpp_type = parameter
    try:
        return parameter.type.value.convert(value)
    except (TypeError, ValueError) as error:
        passed = reprlib.repr(value)
        raise KernelError(
            f"{kernel}: {name} must be a {cpp_type}, not {passed} ({error})"
        ) from None


@cache
def _instance(template: KernelTemplate, dtype: DataType, context: str) -> Instance:
    return Instance(template, dtype, context)


class Instance:
    """`name<T, Context>`: one function, built at most once, by whichever thread comes first.

    `launch(*inputs and attributes, out=None)` infers the outputs, allocates them and runs; tensors
    may be arrays or `DenseTensor`s, the result is an array, or a tuple of them where there are
    several outputs (`out` is one too, then). Raises KernelError.
    """

    launch: Callable[..., Any]

    def __init__(self, template: KernelTemplate, dtype: DataType, context: str) -> None:
        self.template, self.dtype, self.context = template, dtype, context
        self.backend = _BACKENDS[context]
        self._lock = threading.Lock()
        self._build: Build | None = None
        # Not a method: once built, the attribute is the built function itself, and a call on one
        # element doesn't pay for a frame that only passes arguments on.
        self.launch = self._build_and_launch

    def __repr__(self) -> str:
        return f"{self.template.name}<{self.dtype}, {self.context}>"

    def build(self) -> Build:
        """Compiles now, or returns what was compiled before.

        Raises KernelError where `T` makes no sense, or where the device or its library is missing.
        """
        with self._lock:
            if self._build is None:
                if self.dtype not in self.template.dtypes:
                    known = ", ".join(map(str, sorted(self.template.dtypes)))
                    raise KernelError(f"{self!r} makes no sense: T may be {known}")
                self._build = self.template.builders[self.backend](self.template, self.dtype)
                self.launch = self._build.launch
            return self._build

    def _build_and_launch(self, *args: Any, out: Any = None) -> Any:
        return self.build().launch(*args, out=out)

    def reference(self, *args: Any) -> Any:
        """What `launch` must return, computed by NumPy. Raises KernelError, as InferMeta does."""
        bound = self.template.bind(*args)
        metas = self.template.resized(bound, self.template.infer(self.dtype, bound))
        with np.errstate(all="ignore"):
            results = self.template.reference(*bound)
            if len(metas) == 1:
                return np.asarray(results, metas[0].dtype.numpy)
            return tuple(
                np.asarray(result, meta.dtype.numpy)
                for result, meta in zip(results, metas, strict=True)
            )

    def agrees(self, args: tuple[Any, ...], results: Any) -> bool:
        """Whether `results`, of `launch(*args)`, are the reference's, but for the last roundings."""
        references = as_tuple(self.reference(*args))
        masks = self.off(args, results, references)
        return all(mask is not None and not mask.any() for mask in masks)

    def off(
        self, args: tuple[Any, ...], results: Any, references: tuple[Any, ...]
    ) -> tuple[NDArray[np.bool] | None, ...]:
        """For each output, where it isn't the reference's; None if dtype or shape is another."""
        template, outs = self.template, [np.asarray(out) for out in as_tuple(results)]
        magnitudes: tuple[Any, ...] = references
        if template.magnitude is not None:
            with np.errstate(all="ignore"):
                magnitudes = as_tuple(template.magnitude(*template.bind(*args)))
        return tuple(
            off(out, reference, magnitude, template.roundings)
            if (out.dtype, out.shape) == (reference.dtype, reference.shape)
            else None
            for out, reference, magnitude in zip(outs, references, magnitudes, strict=True)
        )

    def sample_inputs(self, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
        """Random arguments for `launch`: arrays of shape `(size,)` and this dtype, and attributes.

        For a GPU instance the arrays lie on the GPU; raises KernelError where there is none. A
        tensor that has a LoD is a `DenseTensor`.
        """
        return self.placed(self.template.sample(self.dtype, size, rng))

    def placed(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments with their tensors where the instance runs. Raises KernelError."""
        if self.backend != "GPU":
            return args

        def copied(arg: Any) -> Any:
            if isinstance(arg, DenseTensor):
                return replace(arg, data=to_device(arg.data))
            if isinstance(arg, list):
                return [copied(element) for element in arg]
            return to_device(arg) if isinstance(arg, np.ndarray) else arg

        return tuple(map(copied, args))

    def bytes_moved(self, args: tuple[Any, ...], out: Any) -> int:
        """The bytes that `launch(*args)` must read and write at least, for its throughput."""
        return self.template.bytes_moved(
            *self.template.bind(*args), *(DenseTensor.of(result) for result in as_tuple(out))
        )


def random_array(dtype: DataType, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[Any]:
    """Uniform over all values of a bool or an integer type; standard normal otherwise."""
    target = dtype.numpy
    if target.kind == "b":
        return rng.integers(0, 2, shape).astype(target)
    if target.kind in "iu":
        limits = np.iinfo(target)
        return rng.integers(limits.min, limits.max, shape, dtype=target, endpoint=True)
    return rng.standard_normal(shape).astype(target)
