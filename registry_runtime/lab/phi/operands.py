"""A kernel's arguments, from what somebody typed: a shape or values for each tensor, and attributes.

Every kernel brings a sample of itself, arguments that it makes sense for. Its shapes and attributes
are what stands in the blanks at first. A tensor whose shape in the sample is the first tensor's, or a
part of it, follows the first when its shape changes, as `y` follows `x` and a layer's `scale` the last
dim. Values, too, come from the sample where nothing else is asked for: an index must lie in its table,
and a variance isn't below 0.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, get_args

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from registry_runtime.kernels.template import KernelTemplate
from registry_runtime.lab.array_file import is_array_file
from registry_runtime.lab.given import Given, check_given, given, given_as
from registry_runtime.lab.values import (
    parse_attribute,
    parse_shape,
    shown_attribute,
    shown_shape,
)
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor, DenseTensorMeta, Lod
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.meta_tensor import MetaTensor
from registry_runtime.phi.parameter_types import Kind, Parameter

Data = Literal["random", "zeros", "ramp", "NaN and infinities"]
DATA: tuple[Data, ...] = get_args(Data)
SAMPLE_SIZE = 1 << 20

_SPECIAL = (math.nan, math.inf, -math.inf, -0.0)
_EACH_COPY = 4  # of the arguments: the kernel's, NumPy's wider one, and those that are timed


@dataclass(frozen=True, slots=True)
class Blank:
    """One parameter that somebody fills in. `text` is what stands there at first; `dtype` is that of
    a tensor's elements, None for an attribute."""

    parameter: Parameter
    text: str
    dtype: DataType | None

    @property
    def name(self) -> str:
        return self.parameter.name


@dataclass(frozen=True, slots=True)
class Outline:
    """Arguments before there is memory for them: tensors have dims and dtype alone. `outs` is what
    InferMeta says of the outputs."""

    arguments: tuple[Any, ...]
    outs: tuple[MetaTensor, ...]

    @property
    def bytes(self) -> int:
        """What inputs and outputs take, one copy of each."""
        metas: list[DenseTensorMeta | MetaTensor] = [
            tensor.meta
            for value in self.arguments
            for tensor in (value if isinstance(value, list) else [value])
            if isinstance(tensor, DenseTensor)
        ]
        metas += self.outs
        return sum(math.prod(meta.dims) * meta.dtype.numpy.itemsize for meta in metas)

    @property
    def largest(self) -> int:
        """The number of elements of the largest tensor."""
        dims = [value.dims for value in self.arguments if isinstance(value, DenseTensor)]
        return max(math.prod(d) for d in [(), *dims, *(out.dims for out in self.outs)])


def blanks(template: KernelTemplate, T: DataType, size: int = SAMPLE_SIZE) -> tuple[Blank, ...]:
    """What is to be filled in for `T`: every input and attribute, as in a sample of `size`."""
    return tuple(
        _blank(template, T, parameter, value)
        for parameter, value in zip(template.inputs, _sample(template, T, size), strict=True)
    )


def _blank(template: KernelTemplate, T: DataType, parameter: Parameter, value: Any) -> Blank:
    if _is_list(parameter):
        shapes = "; ".join(shown_shape(tensor.shape) for tensor in value or ())
        return Blank(parameter, shapes, DataType.of(value[0].dtype) if value else T)
    if not _is_tensor(parameter):
        return Blank(parameter, shown_attribute(value), None)
    if value is None:  # an optional tensor that the sample does without
        return Blank(parameter, "", min(template.accepts.get(parameter.name, (T,))))
    return Blank(parameter, shown_shape(value.shape), DataType.of(value.dtype))


def spelled(
    template: KernelTemplate, T: DataType, texts: Mapping[str, str], size: int = SAMPLE_SIZE
) -> dict[str, str]:
    """What each blank says where somebody typed `texts`: the others follow the first tensor's shape,
    or say what the sample does."""
    said = {blank.name: blank.text for blank in blanks(template, T, size)} | dict(texts)
    tensors = [
        (parameter.name, value.shape)
        for parameter, value in zip(template.inputs, _sample(template, T, size), strict=True)
        if _is_tensor(parameter) and value is not None
    ]
    for name, theirs in tensors[1:]:
        first, shape = tensors[0][1], _first_shape(said[tensors[0][0]])
        if name not in texts and shape is not None:
            followed = _follow(theirs, first, shape)
            if followed is not None:
                said[name] = shown_shape(followed)
    return said


def _first_shape(text: str) -> tuple[int, ...] | None:
    """The dims of what is given; None for what can't be read."""
    try:
        return given(text).shape
    except ValueError:
        return None


def _follow(
    theirs: tuple[int, ...], first: tuple[int, ...], shape: tuple[int, ...]
) -> tuple[int, ...] | None:
    if theirs == first:
        return shape
    count = len(theirs)
    if not 0 < count <= len(shape):
        return None
    if theirs == first[-count:]:
        return shape[-count:]
    for begin in range(len(first) - count):
        if theirs == first[begin : begin + count] and begin + count <= len(shape):
            return shape[begin : begin + count]
    return None


def outline(
    template: KernelTemplate, T: DataType, texts: Mapping[str, str], size: int = SAMPLE_SIZE
) -> Outline:
    """The arguments' facts and what InferMeta makes of them; no memory is touched.

    Raises KernelError: for what can't be read, in words of ours that begin with the parameter's name,
    and for what the kernel refuses, in its own.
    """
    said = spelled(template, T, texts, size)
    arguments = tuple(
        _declared(template, b, said[b.name], lod)
        for b, lod in zip(blanks(template, T, size), _lods(template, T, size), strict=True)
    )
    try:
        bound = template.bind(*arguments)
        drawn = Outline(bound, template.infer(T, bound))
        _ = drawn.bytes  # an output of a type that no array holds is refused here
    except (TypeError, ValueError, OverflowError) as error:
        raise KernelError(f"{template.name}: {error}") from None
    return drawn


def arguments(
    template: KernelTemplate,
    T: DataType,
    texts: Mapping[str, str],
    data: Data,
    rng: np.random.Generator,
    size: int = SAMPLE_SIZE,
) -> tuple[Any, ...]:
    """Arguments for `launch`, in host memory. `data` fills the tensors that hold `T`.

    Raises KernelError, as `outline` does, and where they don't fit into memory.
    """
    _check_memory(template, outline(template, T, texts, size).bytes)
    there = blanks(template, T, size)
    said = spelled(template, T, texts, size)
    typed = {b.name: [] if b.dtype is None else _given(template, b, said[b.name]) for b in there}
    largest = max((math.prod(one.shape) for each in typed.values() for one in each), default=1)
    sampled = template.sample(T, max(largest, 1), rng)
    made: list[Any] = []
    for blank, value in zip(there, sampled, strict=True):
        if blank.dtype is None:
            made.append(_attribute(blank, said[blank.name]))
            continue
        filled_with = data if blank.name not in template.accepts else "random"
        samples = (value or [None]) if isinstance(value, list) else [value]
        arrays = [
            _array(blank, one, samples[min(i, len(samples) - 1)], filled_with)
            for i, one in enumerate(typed[blank.name])
        ]
        if _is_list(blank.parameter):
            made.append(arrays or None)
        else:
            lod = value.lod if isinstance(value, DenseTensor) else ()
            made.append(_grouped(arrays[0], lod) if arrays else None)
    return tuple(made)


def _array(blank: Blank, one: Given, sample: Any, data: Data) -> NDArray[Any]:
    """The values that are given, or as many of the sample's as there are to be."""
    assert blank.dtype is not None
    if one.values is None:
        if sample is None:  # an optional tensor that the sample does without
            sample = np.ones(1, blank.dtype.numpy)
        array = sample.data if isinstance(sample, DenseTensor) else np.asarray(sample)
        return _filled(array, one.shape, data)
    try:
        return one.values(blank.dtype)
    except ValueError as error:
        raise KernelError(f"{blank.name}: {error}") from None


def _grouped(array: NDArray[Any], lod: Lod) -> Any:
    """The array, in the sample's sequences if it has some."""
    return DenseTensor(array, lod=_fitting(lod, array.shape[:1])) if lod and array.ndim else array


def _fitting(lod: Lod, rows: tuple[int, ...]) -> Lod:
    """The sample's sequences, as long as there are rows for them; none without a first dim."""
    if not lod or not rows:
        return ()
    (*upper, offsets), count = lod, rows[0]
    if len(offsets) > count + 1:
        return (*upper, tuple(range(count + 1)))
    return (*upper, tuple(offset * count // max(offsets[-1], 1) for offset in offsets))


def _declared(template: KernelTemplate, blank: Blank, text: str, lod: Lod) -> Any:
    """A tensor with its facts alone, a list of such tensors, or an attribute."""
    if blank.dtype is None:
        return _attribute(blank, text)
    metas = [
        DenseTensorMeta(one.dtype(blank.dtype), one.shape) for one in _given(template, blank, text)
    ]
    if _is_list(blank.parameter):
        return [DenseTensor.with_meta(meta) for meta in metas] or None
    if not metas:
        return None
    return DenseTensor.with_meta(replace(metas[0], lod=_fitting(lod, metas[0].dims[:1])))


def _given(template: KernelTemplate, blank: Blank, text: str) -> list[Given]:
    """The tensors of a blank: one; of a list as many as there are between `;`; of an optional one that
    is left empty none."""
    assert blank.dtype is not None
    is_list, text = _is_list(blank.parameter), text.strip()
    if not text and (is_list or blank.parameter.type.is_optional):
        return []
    found = [given_as(blank.name, one) for one in (text.split(";") if is_list else [text])]
    accepted = template.accepts.get(blank.name, frozenset({blank.dtype}))
    for one in found:
        if (dtype := one.dtype(blank.dtype)) not in accepted:
            wanted = " or ".join(map(str, sorted(accepted)))
            raise KernelError(
                f"{blank.name}: {one.file} holds {dtype}, and this kernel takes {wanted}: choose "
                "another data type, or convert the file with NumPy's astype"
            )
    return found


def _attribute(blank: Blank, text: str) -> Any:
    try:
        return parse_attribute(text.strip(), blank.parameter.cpp_type)
    except ValueError as error:
        raise KernelError(f"{blank.name}: {error}") from None


def _filled(sample: NDArray[Any], shape: tuple[int, ...], data: Data) -> NDArray[Any]:
    dtype, count = sample.dtype, math.prod(shape)
    if data == "zeros":
        return np.zeros(shape, dtype)
    if data == "ramp":
        return (np.arange(count) % _exact_up_to(dtype)).astype(dtype).reshape(shape)
    filled = np.resize(sample, shape) if sample.size else np.zeros(shape, dtype)
    if data == "NaN and infinities" and DataType.of(dtype) in _WITH_NAN:
        flat = filled.reshape(-1)
        for i, value in enumerate(_SPECIAL):
            flat[i :: 2 * len(_SPECIAL)] = value
    return filled


_WITH_NAN = frozenset(
    {
        DataType.FLOAT16,
        DataType.BFLOAT16,
        DataType.FLOAT32,
        DataType.FLOAT64,
        DataType.COMPLEX64,
        DataType.COMPLEX128,
    }
)


def has_nan(T: DataType) -> bool:
    """Whether there are NaN and infinities of this type."""
    return T in _WITH_NAN


def _exact_up_to(dtype: np.dtype[Any]) -> int:
    """So many whole numbers, from 0, has the type."""
    if dtype.kind == "b":
        return 2
    if dtype.kind in "iu":
        return int(np.iinfo(dtype).max) + 1 if dtype.itemsize < 8 else 1 << 62
    finfo: Any = ml_dtypes.finfo
    return int(2 / float(finfo(np.empty(0, dtype).real.dtype).eps))


def _is_tensor(parameter: Parameter) -> bool:
    return parameter.type.kind is Kind.INPUT and not parameter.type.is_list


def _is_list(parameter: Parameter) -> bool:
    return parameter.type.kind is Kind.INPUT and parameter.type.is_list


@cache
def _lods(template: KernelTemplate, T: DataType, size: int) -> tuple[Lod, ...]:
    sampled = template.sample(T, size, np.random.default_rng(0))
    return tuple(value.lod if isinstance(value, DenseTensor) else () for value in sampled)


@cache
def _sample(template: KernelTemplate, T: DataType, size: int) -> tuple[Any, ...]:
    """The sample's facts: a tensor that is one number, spread over the shape, and the attributes."""
    sampled = template.sample(T, size, np.random.default_rng(0))
    arrays = (value.data if isinstance(value, DenseTensor) else value for value in sampled)
    return tuple(
        np.broadcast_to(np.zeros((), value.dtype), value.shape)
        if isinstance(value, np.ndarray)
        else value
        for value in arrays
    )


def check_names(template: KernelTemplate, inputs: Iterable[str], attributes: Iterable[str]) -> None:
    """Raises KernelError for a name that no input, or no attribute, of the kernel has."""
    tensors = [p.name for p in template.inputs if p.type.kind is Kind.INPUT]
    others = [p.name for p in template.inputs if p.type.kind is not Kind.INPUT]
    check_given(template.name, "input", inputs, tensors, others)
    check_given(template.name, "attribute", attributes, others, tensors)


def dtype_given(template: KernelTemplate, texts: Mapping[str, str]) -> DataType | None:
    """That of the first file among the tensors that hold `T`; None where no file says one. Raises
    KernelError for a file that can't be read."""
    for parameter in template.inputs:
        text = texts.get(parameter.name, "").partition(";")[0].strip()
        if is_array_file(text) and parameter.name not in template.accepts:
            return given_as(parameter.name, text).dtype(DataType.UNDEFINED)
    return None


def own_values(blank: Blank) -> str:
    """A small tensor of that rank, spelt out, for somebody to change."""
    shape = tuple(min(dim, 3) for dim in parse_shape(blank.text))
    return str(np.arange(math.prod(shape)).reshape(shape).tolist()) if shape else "[0]"


def _check_memory(template: KernelTemplate, needed: int) -> None:
    try:
        there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not on Windows
        return
    if needed * _EACH_COPY > there:
        raise KernelError(
            f"{template.name}: fail to alloc memory: inputs and outputs take {needed / 1e9:,.1f} GB, "
            f"to try them {_EACH_COPY} times that, and this machine has {there / 1e9:,.1f} GB; "
            "write smaller shapes"
        )
