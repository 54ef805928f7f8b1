"""PyTorch's C++ types by their names, so that an alias and what it stands for are one type.

A text seldom has the headers that declare them; a kernel in namespace at that says `const Tensor&`
means `at::Tensor` all the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.cxx import NamedType, TemplateArgument, Type

_CLASSES = (
    *(
        "c10::DispatchKey",
        "c10::DispatchKeySet",
        "c10::OperatorHandle",
        "c10::IValue",
        "c10::Stack",
    ),
    *("c10::Scalar", "c10::ScalarType", "c10::DeviceType", "c10::Device", "c10::Layout"),
    *("c10::MemoryFormat", "c10::SymInt", "c10::Storage", "c10::Half", "c10::BFloat16"),
    *("c10::complex", "c10::ArrayRef", "c10::List", "c10::Dict", "c10::IListRef"),
    *("at::Tensor", "at::TensorBase", "at::TensorIteratorBase", "at::TensorIterator"),
    *("at::Generator", "at::Dimname", "at::DimnameList", "at::IntArrayRef", "at::TensorList"),
    *("at::SymIntArrayRef", "at::OptionalIntArrayRef", "at::OptionalSymIntArrayRef"),
    *("at::ITensorListRef", "at::vec::Vectorized", "at::TensorOptions", "at::Tag"),
    *("torch::Library", "torch::CppFunction", "torch::autograd::AutogradContext"),
)
# Namespaces of which one has the class, and the others a `using`.
_SHARED = ("at", "c10", "torch")
_ELSEWHERE = {
    "torch::headeronly::ScalarType": "c10::ScalarType",
    "torch::jit::Stack": "c10::Stack",
    "torch::autograd::Variable": "at::Tensor",
    "c10::optional": "std::optional",
    "c10::string_view": "std::string_view",
}


def _types() -> dict[str, Type]:
    types: dict[str, Type] = {name: NamedType(name) for name in _CLASSES}
    for name in _CLASSES:
        short = name.partition("::")[2]
        for alias in _SHARED if "::" not in short else ():
            types.setdefault(f"{alias}::{short}", NamedType(name))
    tensors = NamedType("std::vector", (TemplateArgument(NamedType("at::Tensor")),))
    types |= {f"torch::autograd::{alias}": tensors for alias in ("variable_list", "tensor_list")}
    return types | {alias: NamedType(name) for alias, name in _ELSEWHERE.items()}


TYPES: Mapping[str, Type] = _types()


def cpp_type(T: ScalarType) -> NamedType:
    """The C++ type of one element: `c10::complex<float>`."""
    template, _, inner = T.cpp.removesuffix(">").partition("<")
    return NamedType(template, (TemplateArgument(NamedType(inner)),) if inner else ())
