"""The types that a kernel's parameters have in C++, a row each, and all that depends on them.

A kernel's C++ function says in types alone what it takes, and PHI goes by them in several places that
don't agree to the last: `SetKernelArgsDef` is a chain of ifs on what `typeid` sees, `KernelImpl` has a
specialisation for the exact spelling, `InferMetaFnImpl` for attributes has others again. A Python
kernel spells the same types, and what becomes of an argument depends on them too: how a caller's value
is converted, what may lie for it in a `KernelContext`, how it is read when somebody types it, and what
of it a plan depends on.

Source: `paddle/phi/core/kernel_registry.cc`, `kernel_utils.h`, `infermeta_utils.h`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from registry_runtime.phi import attribute_text as text
from registry_runtime.phi.contexts import CONTEXTS
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.int_array import IntArray
from registry_runtime.phi.kernel import AttributeType
from registry_runtime.phi.place import Place
from registry_runtime.phi.scalar import Scalar


class Kind(IntEnum):
    """What a parameter is for, in the order in which a kernel has them."""

    CONTEXT = 0
    INPUT = 1
    ATTRIBUTE = 2
    OUTPUT = 3


def _same(value: Any) -> Any:
    return value


def _anything(value: Any) -> bool:
    return True


@dataclass(frozen=True)
class ParameterType:
    """`cpp` is the type in full, `const phi::DenseTensor&`.

    described: whether SetKernelArgsDef has a branch for it, and `attribute` what it then becomes.
    taken: whether KernelImpl can take one out of a context.
    inferred: whether an InferMeta may have an attribute of this type.
    convert: a caller's value to what the C++ type promises; raises TypeError or ValueError.
    fits, take: whether a value in a KernelContext is one, and what is taken out then.
    read: what a person types, to a value; raises ValueError.
    key: an expression for what of an argument `{0}` a plan depends on; empty where there is none.
    """

    cpp: str
    kind: Kind
    attribute: AttributeType | None = None
    described: bool = True
    taken: bool = True
    inferred: bool = False
    convert: Callable[[Any], Any] = _same
    fits: Callable[[Any], bool] = _anything
    take: Callable[[Any], Any] = _same
    read: Callable[[str], Any] = str.strip
    key: str = ""

    @cached_property
    def short(self) -> str:
        """As it is spelled within PHI's namespace: `const DenseTensor&`."""
        return self.cpp.replace("phi::", "")

    @cached_property
    def type_index(self) -> str:
        """What `typeid` sees, which ignores a reference and an outermost const."""
        return self.cpp.removesuffix("&").removeprefix("const ")

    @cached_property
    def is_list(self) -> bool:
        return "std::vector<" in self.cpp

    @cached_property
    def is_optional(self) -> bool:
        return "paddle::optional<" in self.cpp


class Parameter(NamedTuple):
    """One parameter of the C++ function: its name, and its type as a template would spell it."""

    name: str
    cpp_type: str

    @property
    def type(self) -> ParameterType:
        return type_of(self.cpp_type)


# --- Arguments ------------------------------------------------------------------------------------


def _tensors(values: Any) -> list[DenseTensor]:
    return [DenseTensor.of(value) for value in values]


def _ints(values: Any) -> list[int]:
    if isinstance(values, DenseTensor):
        values = values.data
    return [operator.index(value) for value in (values if np.ndim(values) else (values,))]


def _bool(value: Any) -> bool:
    if not isinstance(value, bool | int | np.bool):
        raise TypeError("True or False is wanted")
    return bool(value)


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a string is wanted")
    return value


def _data_type(value: Any) -> DataType:
    return value if isinstance(value, DataType) else DataType.of(value)


def _single(value: Any) -> float:
    return float(np.float32(value))


def _is_int(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.bool)


def _within(bits: int) -> Callable[[Any], bool]:
    return lambda value: _is_int(value) and -(2 ** (bits - 1)) <= value < 2 ** (bits - 1)


def _is_number(value: Any) -> bool:
    return isinstance(value, float | np.floating) or _is_int(value)


def _is(*classes: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, classes)


def _can_be(make: Callable[[Any], Any]) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        try:
            make(value)
        except (TypeError, ValueError):
            return False
        return True

    return fits


def _scalar(value: Any) -> Scalar:
    # A tensor of one element stands for its number, as a phi::TensorRef does.
    size = getattr(value, "numel", getattr(value, "size", None))
    if hasattr(value, "dtype") and size == 1 and not isinstance(value, Scalar | np.generic):
        return Scalar.of(np.asarray(value).reshape(())[()])
    return Scalar.of(value)


# --- The table ------------------------------------------------------------------------------------

_TENSOR_KEY = "type({0}), {0}.dtype, {0}.shape"
_PLAIN_KEY = "type({0}), {0}"
_REAL_KEY = "type({0}), {0} or repr({0})"
_SCALAR_KEY = (
    "type({0}), *((type({0}.value), {0}.value or repr({0}.value)) if type({0}) is Scalar"
    " else ({0} or repr({0}),))"
)


def _input(cpp: str, **more: Any) -> ParameterType:
    return ParameterType(cpp, Kind.INPUT, **more)


def _output(cpp: str, **more: Any) -> ParameterType:
    return ParameterType(cpp, Kind.OUTPUT, **more)


def _attribute(cpp: str, index: AttributeType | None, **more: Any) -> ParameterType:
    return ParameterType(cpp, Kind.ATTRIBUTE, index, **{"inferred": True, **more})


def _list(of: ParameterType, index: AttributeType, **more: Any) -> ParameterType:
    """A vector of attributes, each of which must fit for itself."""

    def fits(values: Any) -> bool:
        return isinstance(values, list | tuple) and all(map(of.fits, values))

    cpp = f"const std::vector<{of.type_index}>&"
    return _attribute(cpp, index, fits=fits, take=list, **more)


CONTEXT = ParameterType(
    "const Context&", Kind.CONTEXT, described=False, taken=False
)  # a template's
DENSE = _input("const phi::DenseTensor&", convert=DenseTensor.of, key=_TENSOR_KEY)
OPTIONAL = _input(
    "const paddle::optional<phi::DenseTensor>&",
    convert=lambda x: None if x is None else DenseTensor.of(x),
    key=f"{{0}} is None or ({_TENSOR_KEY})",
)
LIST = _input("const std::vector<const phi::DenseTensor*>&", convert=_tensors)
OPTIONAL_LIST = _input(
    "const paddle::optional<std::vector<const phi::DenseTensor*>>&",
    convert=lambda xs: None if xs is None else _tensors(xs),
)
OUTPUT = _output("phi::DenseTensor*")
OUTPUTS = _output("std::vector<phi::DenseTensor*>")

BOOL = _attribute(
    "bool",
    AttributeType.BOOL,
    convert=_bool,
    fits=_is(bool, np.bool),
    take=bool,
    read=text.boolean,
    key=_PLAIN_KEY,
)
INT = _attribute(
    "int",
    AttributeType.INT32,
    convert=operator.index,
    fits=_within(32),
    take=int,
    read=text.integer,
    key=_PLAIN_KEY,
)
INT64 = replace(INT, cpp="int64_t", attribute=AttributeType.INT64, fits=_within(64))
FLOAT = _attribute(
    "float",
    AttributeType.FLOAT32,
    convert=_single,
    fits=_is_number,
    take=_single,
    read=text.real,
    key=_REAL_KEY,
)
DOUBLE = replace(FLOAT, cpp="double", attribute=AttributeType.FLOAT64, convert=float, take=float)
STRING = _attribute(
    "const std::string&", AttributeType.STRING, convert=_string, fits=_is(str), key=_PLAIN_KEY
)
SCALAR = _attribute(
    "const phi::Scalar&",
    AttributeType.SCALAR,
    convert=Scalar.of,
    fits=_can_be(_scalar),
    take=_scalar,
    read=text.number,
    key=_SCALAR_KEY,
)
INT_ARRAY = _attribute(
    "const phi::IntArray&",
    AttributeType.INT_ARRAY,
    convert=_ints,
    fits=_can_be(IntArray.of),
    take=IntArray.of,
    read=text.integers,
)
INTS = _list(
    INT,
    AttributeType.INT32S,
    convert=lambda values: [operator.index(value) for value in values],
    read=text.integers,
)
DATA_TYPE = _attribute(
    "phi::DataType",
    AttributeType.DATA_TYPE,
    convert=_data_type,
    fits=_is(DataType),
    read=text.data_type,
    key=_PLAIN_KEY,
)
PLACE = _attribute(
    "const phi::Place&",
    AttributeType.PLACE,
    taken=False,
    inferred=False,
    convert=str,
    fits=_is(Place),
)
ANYTHING = ParameterType(
    "", Kind.ATTRIBUTE, described=False, taken=False
)  # nobody says of what type

TYPES = (
    CONTEXT,
    *(ParameterType(f"const {context}&", Kind.CONTEXT) for context in sorted(CONTEXTS)),
    DENSE,
    _input("const phi::SelectedRows&"),
    _input("const phi::SparseCooTensor&"),
    _input("const phi::SparseCsrTensor&"),
    _input("const phi::StringTensor&"),
    _input("const phi::TensorArray&"),
    _input("const phi::ExtendedTensor&"),
    _input("const phi::Strings&", described=False),
    _input("const phi::FeedList&"),
    OPTIONAL,
    _input("const paddle::optional<phi::SelectedRows>&"),
    _input("const paddle::optional<phi::SparseCooTensor>&", described=False),
    _input("const paddle::optional<const phi::SparseCooTensor&>&", taken=False),
    _input("const paddle::optional<phi::SparseCsrTensor>&", described=False),
    _input("const paddle::optional<const phi::SparseCsrTensor&>&", taken=False),
    _input("const paddle::optional<phi::StringTensor>&", described=False),
    _input("const paddle::optional<phi::ExtendedTensor>&"),
    _input("const paddle::optional<phi::Strings>&"),
    LIST,
    OPTIONAL_LIST,
    _input("const std::vector<const phi::SelectedRows*>&"),
    _input("const std::vector<const phi::SparseCooTensor*>&", described=False),
    _input("const std::vector<const phi::SparseCsrTensor*>&", described=False),
    _input("const std::vector<const phi::StringTensor*>&", described=False),
    _input("const std::vector<const phi::TensorArray*>&"),
    _input("const std::vector<const phi::ExtendedTensor*>&"),
    _input("const std::vector<const phi::TensorBase*>&"),
    OUTPUT,
    _output("phi::SelectedRows*"),
    _output("phi::SparseCooTensor*"),
    _output("phi::SparseCsrTensor*"),
    _output("phi::StringTensor*"),
    _output("phi::TensorArray*"),
    _output("phi::ExtendedTensor*"),
    OUTPUTS,
    _output("std::vector<phi::SparseCooTensor*>", described=False),
    _output("std::vector<phi::SparseCsrTensor*>", described=False),
    _output("std::vector<phi::StringTensor*>", described=False),
    _output("std::vector<phi::ExtendedTensor*>"),
    _output("std::vector<phi::Vocab*>"),
    BOOL,
    INT,
    INT64,
    FLOAT,
    DOUBLE,
    _attribute("phi::dtype::float16", None, described=False, inferred=False),
    STRING,
    SCALAR,
    INT_ARRAY,
    _list(BOOL, AttributeType.BOOLS),
    INTS,
    _list(INT64, AttributeType.INT64S),
    _list(FLOAT, AttributeType.FLOAT32S),
    _list(DOUBLE, AttributeType.FLOAT64S),
    _list(STRING, AttributeType.STRINGS),
    replace(
        _list(SCALAR, AttributeType.SCALARS),
        take=lambda values: [_scalar(value) for value in values],
    ),
    DATA_TYPE,
    _attribute("phi::DataLayout", AttributeType.DATA_LAYOUT, fits=_is(DataLayout)),
    replace(PLACE, cpp="phi::Place", taken=True),
    PLACE,
    _attribute("phi::Backend", None, described=False, taken=False),
)

DESCRIBED = {row.type_index: row for row in TYPES if row.described}
TAKEN = {row.cpp: row for row in TYPES if row.taken}
INFERRED = {row.cpp: row for row in TYPES if row.inferred}
_SPELLED = {row.cpp: row for row in TYPES} | {row.short: row for row in TYPES}


def type_of(spelling: str) -> ParameterType:
    """The row of a type, in full or as within PHI's namespace; `ANYTHING` for one that PHI hasn't."""
    return _SPELLED.get(spelling, ANYTHING)
