"""The types that a kernel's parameters have in C++, a row each, and all that depends on them.

A kernel's C++ function says in types alone what it takes, and PHI goes by them in several places that
don't agree to the last: `SetKernelArgsDef` is a chain of ifs on what `typeid` sees, `KernelImpl` has a
specialisation for the exact spelling, `InferMetaFnImpl` for attributes has others again. A Python
kernel spells the same types, and what becomes of an argument's value (`argument_values`) and what of it
a plan depends on hang on them too.

Source: `paddle/phi/core/kernel_registry.cc`, `kernel_utils.h`, `infermeta_utils.h`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from registry_runtime.phi.backend import CONTEXTS
from registry_runtime.phi.kernel import AttributeType

if TYPE_CHECKING:
    from registry_runtime.phi.argument_values import ArgumentValue


class Kind(IntEnum):
    """What a parameter is for, in the order in which a kernel has them."""

    CONTEXT = 0
    INPUT = 1
    ATTRIBUTE = 2
    OUTPUT = 3


@dataclass(frozen=True)
class ParameterType:
    """`cpp` is the type in full, `const phi::DenseTensor&`.

    described: whether SetKernelArgsDef has a branch for it, and `attribute` what it then becomes.
    taken: whether KernelImpl can take one out of a context.
    inferred: whether an InferMeta may have an attribute of this type.
    key: an expression for what of an argument `{0}` a plan depends on; empty where there is none.
    """

    cpp: str
    kind: Kind
    attribute: AttributeType | None = None
    described: bool = True
    taken: bool = True
    inferred: bool = False
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
    def value(self) -> ArgumentValue:
        """What becomes of an argument of this type."""
        from registry_runtime.phi.argument_values import ANY, VALUES  # they bring NumPy

        return VALUES.get(self.type_index, ANY)

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


def _list(of: ParameterType, index: AttributeType) -> ParameterType:
    return _attribute(f"const std::vector<{of.type_index}>&", index)


CONTEXT = ParameterType(
    "const Context&", Kind.CONTEXT, described=False, taken=False
)  # a template's
DENSE = _input("const phi::DenseTensor&", key=_TENSOR_KEY)
OPTIONAL = _input(
    "const paddle::optional<phi::DenseTensor>&", key=f"{{0}} is None or ({_TENSOR_KEY})"
)
LIST = _input("const std::vector<const phi::DenseTensor*>&")
OPTIONAL_LIST = _input("const paddle::optional<std::vector<const phi::DenseTensor*>>&")
OUTPUT = _output("phi::DenseTensor*")
OUTPUTS = _output("std::vector<phi::DenseTensor*>")

BOOL = _attribute("bool", AttributeType.BOOL, key=_PLAIN_KEY)
INT = _attribute("int", AttributeType.INT32, key=_PLAIN_KEY)
INT64 = _attribute("int64_t", AttributeType.INT64, key=_PLAIN_KEY)
FLOAT = _attribute("float", AttributeType.FLOAT32, key=_REAL_KEY)
DOUBLE = _attribute("double", AttributeType.FLOAT64, key=_REAL_KEY)
STRING = _attribute("const std::string&", AttributeType.STRING, key=_PLAIN_KEY)
SCALAR = _attribute("const phi::Scalar&", AttributeType.SCALAR, key=_SCALAR_KEY)
INT_ARRAY = _attribute("const phi::IntArray&", AttributeType.INT_ARRAY)
INTS = _list(INT, AttributeType.INT32S)
DATA_TYPE = _attribute("phi::DataType", AttributeType.DATA_TYPE, key=_PLAIN_KEY)
PLACE = _attribute("const phi::Place&", AttributeType.PLACE, taken=False, inferred=False)
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
    _list(SCALAR, AttributeType.SCALARS),
    DATA_TYPE,
    _attribute("phi::DataLayout", AttributeType.DATA_LAYOUT),
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
