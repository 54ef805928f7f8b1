"""Schemas inferred from C++ types, and kernels' signatures."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

import pytest

from registry_runtime.aten.schema.cpp_signature import CppSignature
from registry_runtime.aten.schema.function_schema_parser import parse_schema
from registry_runtime.aten.schema.infer_schema import (
    UninferableType,
    find_schema_differences,
    infer_function_schema,
)
from registry_runtime.cxx import (
    Bindings,
    Class,
    ClassTemplate,
    FunctionType,
    TemplateArgument,
    initialise,
)


def function_types(declarators: Sequence[str], aliases: str = "") -> list[FunctionType]:
    """The types of functions declared as `at::Tensor NAME(int64_t)` with NAME put for each `$`."""
    seen: list[object] = []

    def type_of(arguments: tuple[TemplateArgument, ...]) -> Mapping[str, object]:
        return {"value": arguments[0].type}

    bindings = Bindings(
        {
            "probe::TypeOf": ClassTemplate(type_of),
            "probe::See": Class(seen.append),
        },
    )
    lines = [aliases]
    for number, declarator in enumerate(declarators):
        lines.append(declarator.replace("$", f"f{number}") + ";")
        lines.append(f"static probe::See s{number}(probe::TypeOf<decltype(f{number})>::value);")
    run = initialise("\n".join(lines), bindings)
    assert not run.errors, run.errors[0].message
    return [type for type in seen if isinstance(type, FunctionType)]


DECLARATORS = [
    "at::Tensor $(const at::Tensor&, const at::Tensor&, const at::Scalar&)",
    "at::Tensor& $(at::Tensor&, int64_t, double, bool, at::Tensor&&)",
    "void $(std::string, c10::string_view, std::optional<at::Tensor>)",
    "std::tuple<at::Tensor, at::Tensor&> $(at::IntArrayRef, const std::vector<at::Tensor>&)",
    "at::Tensor $(at::TensorList, at::ITensorListRef, std::vector<int64_t>)",
    "std::tuple<> $(c10::SymInt, c10::SymIntArrayRef, at::OptionalSymIntArrayRef)",
    "double $(at::OptionalIntArrayRef, std::optional<c10::SymInt>)",
    "int64_t $(at::ScalarType, at::Layout, at::MemoryFormat, std::optional<at::ScalarType>)",
    "bool $(at::Generator, std::optional<at::Generator>, at::Device, at::Storage, at::QScheme)",
    "bool $(c10::List<int64_t>, const c10::List<std::optional<at::Tensor>>&, std::array<bool, 3>)",
    "bool $(c10::Dict<std::string, at::Tensor>, c10::ArrayRef<double>, int8_t)",
    "at::Tensor $(c10::IValue, c10::complex<double>, c10::SymBool, c10::SymFloat)",
    "at::Tensor $(at::ArrayRef<at::Scalar>, std::unordered_map<std::string, int64_t>)",
    "at::Tensor $(const int64_t, const at::Tensor, std::tuple<int64_t, double>)",
    "const at::Tensor& $(c10::ArrayRef<std::string>, std::optional<std::string_view>)",
]


def test_arguments_are_numbered_and_have_no_aliases() -> None:
    (type,) = function_types(["at::Tensor& $(at::Tensor& self, const at::Scalar& by)"])
    assert str(infer_function_schema(type)) == "(Tensor _0, Scalar _1) -> Tensor _0"


def test_the_keys_that_a_kernel_is_handed_do_not_count() -> None:
    with_keys, without = function_types(
        ["at::Tensor $(c10::DispatchKeySet, const at::Tensor&)", "at::Tensor $(const at::Tensor&)"]
    )
    assert infer_function_schema(with_keys) == infer_function_schema(without)
    assert CppSignature.make(with_keys) == CppSignature.make(without)


def test_aliases_and_outer_consts_make_no_difference_between_signatures() -> None:
    aliased, plain, other = map(
        CppSignature.make,
        function_types(
            [
                "void $(const at::Scalar&, at::IntArrayRef, const int64_t)",
                "void $(const c10::Scalar&, c10::ArrayRef<long>, int64_t)",
                "void $(c10::Scalar, c10::ArrayRef<long>, int64_t)",
            ]
        ),
    )
    assert aliased == plain != other
    assert str(plain) == "void (c10::Scalar const&, c10::ArrayRef<long>, long)"


@pytest.mark.parametrize(
    ("declarator", "message", "parameter"),
    [
        ("void $(at::Tensor, int)", "INVALID TYPE: Only int8_t, int64_t and bool are", 1),
        ("void $(float)", "INVALID TYPE: float is not supported as an argument type, use", 0),
        ("float $()", "INVALID TYPE: float is not supported as an argument type, use", None),
        ("void $(mine::Box)", "Type mine::Box could not be converted to any of the known", 0),
        ("void $(c10::DispatchKeySet, at::Tensor*)", "Type at::Tensor* could not be", 1),
        ("void $(c10::Dict<mine::Box, int64_t>)", "Type mine::Box could not be", 0),
    ],
)
def test_types_that_no_schema_has(declarator: str, message: str, parameter: int | None) -> None:
    (type,) = function_types([declarator])
    with pytest.raises(UninferableType) as caught:
        infer_function_schema(type)
    assert caught.value.message.startswith(message)
    assert caught.value.parameter == parameter


def test_the_first_difference_is_told() -> None:
    (type,) = function_types(["at::Tensor $(const at::Tensor&, int64_t)"])
    inferred = infer_function_schema(type).with_real_types()

    def reason(text: str) -> str | None:
        return find_schema_differences(parse_schema(text).with_real_types(False), inferred)

    assert reason("f(Tensor(a!) self, SymInt n=1) -> Tensor(a!)") is None
    assert reason("f(Tensor self) -> Tensor") == "The number of arguments is different. 1 vs 2."
    assert reason("f(Tensor x, int n) -> ()") == "The number of returns is different. 0 vs 1."
    assert reason("f(Tensor x, float n) -> Tensor") == "Type mismatch in argument 2: float vs int."
    assert reason("f(Tensor x, int n) -> int") == "Type mismatch in return 1: int vs Tensor."


# Against the real one.

PROGRAM = """
#include <ATen/Tensor.h>
#include <ATen/core/Dict.h>
#include <ATen/core/IListRef.h>
#include <ATen/core/List.h>
#include <ATen/core/dispatch/CppSignature.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/op_registration/infer_schema.h>
#include <iostream>
template <class F> void show() {
  auto schema = c10::inferFunctionSchemaFlattenedReturns<F>();
  std::cout << schema << "\\n" << c10::impl::CppSignature::make<F>().name() << "\\n";
}
int main() {
"""


@pytest.mark.torch
@pytest.mark.compiler
def test_torch_infers_the_same_from_the_same_types(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    compiler = os.environ.get("CXX") or shutil.which("g++") or pytest.skip("no compiler")
    shows = "".join(f"show<{d.replace(' $(', '(')}>();\n" for d in DECLARATORS)
    source, program = tmp_path / "infer.cc", tmp_path / "infer"
    source.write_text(PROGRAM + shows + "}\n")
    root = Path(torch.__file__).parent
    subprocess.run(
        [
            *(compiler, "-std=c++20", "-w", source, "-o", program),
            *(f"-I{root}/include", f"-L{root}/lib", f"-Wl,-rpath,{root}/lib"),
            *("-ltorch_cpu", "-lc10"),
        ],
        check=True,
    )
    theirs = subprocess.run([program], check=True, capture_output=True, text=True)
    ours = []
    for type in function_types(DECLARATORS):
        ours += [str(infer_function_schema(type)), str(CppSignature.make(type))]
    assert ours == theirs.stdout.splitlines()


@pytest.mark.torch
@pytest.mark.parametrize(
    "schema",
    [
        "(Tensor x, Tensor y) -> Tensor",
        "(int x) -> Tensor",
        "(Tensor x) -> (Tensor, Tensor)",
        "(Tensor x) -> int[]",
        "(Tensor(a!) x) -> Tensor(a!)",
    ],
)
def test_the_reasons_are_torchs(schema: str) -> None:
    dispatch: ModuleType = pytest.importorskip("torch")._C
    library = dispatch._dispatch_library("FRAGMENT", "unfold_infer", "")
    name = f"f{abs(hash(schema))}"
    library.def_(name + schema)
    theirs = None
    try:
        library.impl_t_t(name, "CPU", "")  # a C++ lambda of the type at::Tensor(const at::Tensor&)
    except RuntimeError as error:
        theirs = str(error).partition("reason: ")[2]
    (type,) = function_types(["at::Tensor $(const at::Tensor&)"])
    inferred = infer_function_schema(type)
    assert find_schema_differences(parse_schema(f"f{schema}"), inferred) == theirs
