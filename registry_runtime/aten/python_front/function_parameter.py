"""One parameter of a signature that Python calls: `Tensor other`, `Scalar alpha=1`.

A parameter knows which Python objects it takes. It looks at the object only, never at the operator:
whether two tensors' shapes fit is asked much later.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.python_front.python_numbers import (
    check_double,
    check_long,
    check_scalar,
    unpack_scalar,
)
from registry_runtime.aten.python_front.torch_function import (
    append_overloaded_arg,
    check_has_torch_function,
)
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import is_integral_type
from registry_runtime.aten.tensor.tensor import Tensor


class ParameterType(Enum):
    """The types that a signature may name; the value is what an error calls them."""

    TENSOR = "Tensor"
    SCALAR = "Number"
    INT64 = "int"
    DOUBLE = "float"
    COMPLEX = "complex"
    BOOL = "bool"
    STRING = "str"
    PYOBJECT = "object"


_TYPES = {
    "Tensor": ParameterType.TENSOR,
    "Scalar": ParameterType.SCALAR,
    "int64_t": ParameterType.INT64,
    "SymInt": ParameterType.INT64,
    "double": ParameterType.DOUBLE,
    "complex": ParameterType.COMPLEX,
    "bool": ParameterType.BOOL,
    "std::string": ParameterType.STRING,
    "c10::string_view": ParameterType.STRING,
    "PyObject*": ParameterType.PYOBJECT,
}
# Other names that NumPy's users give these arguments.
_NUMPY_NAMES = {
    "dim": ("axis",),
    "keepdim": ("keepdims",),
    "input": ("x", "a", "x1"),
    "other": ("x2",),
}


@dataclass(frozen=True, slots=True)
class FunctionParameter:
    """`torch::FunctionParameter`. `default` is how the signature spells it."""

    type: ParameterType
    name: str
    keyword_only: bool
    optional: bool
    allow_none: bool
    default: str
    default_scalar: Scalar | None
    numpy_names: tuple[str, ...]
    allow_numbers_as_tensors: bool

    @classmethod
    def parse(cls, text: str, keyword_only: bool, numbers: bool) -> FunctionParameter:
        """From `Scalar alpha=1`. Raises TorchError for a type that isn't known."""
        spelled, space, rest = text.partition(" ")
        if not space:
            raise TorchError(f"FunctionParameter(): missing type: {text}")
        type_name, question, _ = spelled.partition("?")
        type = _TYPES.get(type_name)
        if type is None:
            raise TorchError(f"FunctionParameter(): invalid type string: {type_name}")
        name, equals, default = rest.partition("=")
        return cls(
            type,
            name,
            keyword_only,
            bool(equals),
            bool(question) or default == "None",
            default,
            _default_scalar(type, default),
            _NUMPY_NAMES.get(name, ()),
            numbers,
        )

    def check(self, value: object, overloaded: list[object]) -> bool:
        """Whether this object may be passed. Objects that have `__torch_function__` may always,
        and are added to `overloaded`."""
        if self._check(value, overloaded):
            return True
        if check_has_torch_function(value) and not isinstance(value, Tensor):
            append_overloaded_arg(overloaded, value)
            return True
        return False

    def _check(self, value: object, overloaded: list[object]) -> bool:
        match self.type:
            case ParameterType.TENSOR:
                if type(value) is Tensor:
                    return True
                if check_has_torch_function(value):
                    append_overloaded_arg(overloaded, value)
                    return True
                if isinstance(value, Tensor):
                    return True
                return self.allow_numbers_as_tensors and check_scalar(value)
            case ParameterType.SCALAR:
                return check_scalar(value) or _is_constant(value)
            case ParameterType.COMPLEX:
                return isinstance(value, complex) or check_double(value) or _is_constant(value)
            case ParameterType.DOUBLE:
                return check_double(value) or _is_constant(value)
            case ParameterType.INT64:
                return check_long(value) or (
                    _is_constant(value)
                    and isinstance(value, Tensor)
                    and is_integral_type(value.dtype, False)
                )
            case ParameterType.BOOL:
                return isinstance(value, bool)
            case ParameterType.STRING:
                return isinstance(value, str | bytes)
            case ParameterType.PYOBJECT:
                return True

    def __str__(self) -> str:
        default = f" = {self.default}" if self.optional else ""
        return f"{self.type.value} {self.name}{default}"


def _is_constant(value: object) -> bool:
    """A tensor that can stand for a number: it has no dimensions, and no gradient to lose."""
    return isinstance(value, Tensor) and not value.requires_grad and value.dim() == 0


def _default_scalar(type: ParameterType, default: str) -> Scalar | None:
    if type is not ParameterType.SCALAR or default in ("", "None"):
        return None
    try:
        return unpack_scalar(int(default, 0))
    except ValueError:
        return unpack_scalar(float(default))
