"""The registration headers define the documented macros: their parameters, and all their forms."""

import subprocess
from pathlib import Path

import pytest

from tests.samples.macro_reader import read_macros, with_includes
from tests.samples.native import LANGUAGE, SAMPLES, compilers

HEADER = SAMPLES / "kernel_registry.h"
HEADERS = sorted(SAMPLES.glob("*.h"))
PLATFORMS = {"elsewhere": {"__COUNTER__"}, "windows": {"__COUNTER__", "_WIN32"}}
MOST = 15  # dtypes in one registration

CALLBACKS = "arg_parse_functor_macro kernel_unfold_macro variadic_kernel_unfold_marco"
KERNEL = "reg_type kernel_name backend context layout"
TWO_ARGUMENTS = f"{KERNEL} meta_kernel_fn kernel_instantiation_macro {CALLBACKS} ..."
REGISTRAR = f"{KERNEL} registrar_id args_def_fn meta_kernel_fn {CALLBACKS} cpp_dtype"
INSTANTIATION = "meta_kernel_fn backend context kernel_instantiation_macro"

# Name: parameters, or None for a macro without parentheses.
DOCUMENTED: dict[str, str | None] = {
    "PD_REGISTER_KERNEL": "kernel_name backend layout meta_kernel_fn ...",
    "PD_REGISTER_PLUGIN_KERNEL": "kernel_name backend layout meta_kernel_fn ...",
    "PD_REGISTER_BUILTIN_KERNEL": "kernel_name backend layout meta_kernel_fn ...",
    "_PD_REGISTER_KERNEL": TWO_ARGUMENTS,
    "PD_STATIC_ASSERT_GLOBAL_NAMESPACE": "uniq_name msg",
    "_PD_STATIC_ASSERT_GLOBAL_NAMESPACE": "uniq_name msg",
    "PD_EXPAND": "x",
    "_PD_REGISTER_2TA_KERNEL": TWO_ARGUMENTS,
    "PD_KERNEL_INSTANTIATION": f"{INSTANTIATION} ...",
    "_PD_KERNEL_INSTANTIATION": f"N {INSTANTIATION} ...",
    "_PD_KERNEL_INSTANTIATION_1": f"{INSTANTIATION} cpp_dtype",
    "PD_KERNEL_REGISTRAR_INIT": f"{KERNEL} args_def_fn meta_kernel_fn {CALLBACKS} ...",
    "_PD_KERNEL_REGISTRAR_INIT": f"N {KERNEL} args_def_fn meta_kernel_fn {CALLBACKS} ...",
    "_PD_KERNEL_REGISTRAR_INIT_1": REGISTRAR,
    "_PD_CREATE_REGISTRAR_OBJECT": REGISTRAR,
    "PD_NARGS": "...",
    "_PD_NARGS": "...",
    "_PD_ARG_N": "args",
    "_PD_ARG_N_EXPAND": " ".join(f"_{n}" for n in range(1, MOST + 1)) + " N ...",
    "_PD_RESQ_N": "",
    "PD_CONCATENATE": "arg1 arg2",
    "PD_CONCATENATE1": "arg1 arg2",
    "PD_CONCATENATE2": "arg1 arg2",
    "PD_ID": None,
    "ARG_PARSE_FUNCTOR": "meta_kernel_fn cpp_dtype context",
    "FUNCTION_KERNEL_INSTANTIATION": "meta_kernel_fn cpp_dtype context",
    "PHI_KERNEL": "...",
    "PHI_VARIADIC_KERNEL": "...",
    "BACKEND": "arg__",
    "DATA_LAYOUT": "arg__",
    "DATATYPE": "arg__",
    "UNUSED": None,
    "TEST_API": None,
}
for n in range(2, MOST + 1):
    DOCUMENTED[f"_PD_KERNEL_INSTANTIATION_{n}"] = f"{INSTANTIATION} cpp_dtype ..."
    DOCUMENTED[f"_PD_KERNEL_REGISTRAR_INIT_{n}"] = f"{REGISTRAR} ..."


WITH_CUSTOM_DEVICE: dict[str, str | None] = {
    "PD_REGISTER_CPU_KERNEL": "kernel_name backend layout meta_kernel_fn ...",
    "PD_REGISTER_NON_CPU_KERNEL": "kernel_name backend layout meta_kernel_fn ...",
    "_PD_REGISTER_NON_CPU_KERNEL": f"{KERNEL} meta_kernel_fn kernel_instantiation_macro ...",
    "IS_BACKEND_CPU": "backend",
    "IS_BACKEND_CPU_HELPER": "backend",
    "IS_BACKEND_CPU_CPU": None,
    "IS_BACKEND_CPU_Custom": None,
    "IS_BACKEND_CPU_OneDNN": None,
    "IS_BACKEND_CPU_KPS": None,
    "IS_BACKEND_CPU_GPU": None,
    "IS_BACKEND_CPU_DEFAULT": None,
    "IF_ELSE": "condition",
    "IF_ELSE_HELPER": "condition",
    "IF_ELSE_EXPAND": "x",
    "IF_1": "true_branch false_branch",
    "IF_0": "true_branch false_branch",
    "IF_IS_BACKEND_CPU_DEFAULT": "true_branch false_branch",
    "CONCATENATE": "x y",
    "CONCATENATE_HELPER": "x y",
    "PD_CUSTOM_KERNEL_REGISTER": "kernel_name backend layout meta_kernel_fn ...",
    "_PD_CUSTOM_REGISTER_KERNEL": TWO_ARGUMENTS,
}
NO_TYPES = "reg_type kernel_name backend layout kernel_fn"
NO_TYPES_HERE = "reg_type kernel_name layout meta_kernel_fn"
ALL_DTYPES: dict[str, str | None] = {
    "PD_REGISTER_KERNEL_FOR_ALL_DTYPE": "kernel_name backend layout kernel_fn",
    "_PD_REGISTER_KERNEL_FOR_ALL_DTYPE": NO_TYPES,
    "__PD_REGISTER_KERNEL_FOR_ALL_DTYPE": NO_TYPES,
    "PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE": "kernel_name layout meta_kernel_fn",
    "PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE_EXCEPT_CUSTOM": "kernel_name layout meta_kernel_fn",
    "_DEVICE": None,
    "_CUSTOM": None,
    "BACKEND_LIST": None,
    "BACKEND_LIST_EXCEPT_CUSTOM": None,
    "_PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE": f"{NO_TYPES_HERE} ...",
    "__PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE": f"{NO_TYPES_HERE} N ...",
    "___PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE": f"{NO_TYPES} args_def_fn",
    "_PD_FOR_ALL_BACKEND_DTYPE_1": f"{NO_TYPES_HERE} args_def_fn backend",
    "_PD_FOR_ALL_BACKEND_DTYPE_2": f"{NO_TYPES_HERE} args_def_fn backend ...",
    "_PD_FOR_ALL_BACKEND_DTYPE_3": f"{NO_TYPES_HERE} args_def_fn backend ...",
    "PD_DECLARE_KERNEL": "kernel_name backend layout",
}
WITH_BOTH: dict[str, str | None] = {
    "PD_CUSTOM_KERNEL_REGISTER_FOR_ALL_DTYPE": "kernel_name backend layout meta_kernel_fn",
}
STRUCTURES: dict[str, str | None] = {
    "PD_REGISTER_STRUCT_KERNEL": "kernel_name backend layout meta_kernel_structure ...",
    "STRUCTURE_KERNEL_INSTANTIATION": "meta_kernel_structure cpp_dtype context",
    "STRUCTURE_ARG_PARSE_FUNCTOR": "...",
    "PHI_STRUCTURE_KERNEL": "...",
    "PHI_STRUCTURE_VARIADIC_KERNEL": "...",
}
BUILDS = {
    "": [DOCUMENTED, ALL_DTYPES, STRUCTURES],
    "_WIN32": [DOCUMENTED, ALL_DTYPES, STRUCTURES],
    "PADDLE_WITH_CUSTOM_DEVICE": [DOCUMENTED, WITH_CUSTOM_DEVICE, ALL_DTYPES, STRUCTURES],
    "PADDLE_WITH_CUDA PADDLE_WITH_CUSTOM_DEVICE": [
        *(DOCUMENTED, WITH_CUSTOM_DEVICE, ALL_DTYPES, WITH_BOTH, STRUCTURES)
    ],
}


@pytest.mark.parametrize("build", BUILDS)
def test_the_headers_define_exactly_the_documented_macros(build: str) -> None:
    defined = {"__COUNTER__", *build.split()}
    found: dict[str, str | None] = {}
    for header in HEADERS:
        if header.name == "custom_device.h":  # kernel_registry.h includes it, or not
            continue
        for name, macro in read_macros(with_includes(header), defined).items():
            found[name] = None if macro.parameters is None else " ".join(macro.parameters)
    assert found == {name: p for table in BUILDS[build] for name, p in table.items()}


def test_windows_gets_the_form_without_explicit_instantiation() -> None:
    form = {
        platform: read_macros(HEADER.read_text(), defined)["_PD_REGISTER_2TA_KERNEL"].replacement
        for platform, defined in PLATFORMS.items()
    }
    assert "PD_KERNEL_INSTANTIATION" in form["elsewhere"]
    assert "PD_EXPAND" not in form["elsewhere"]
    assert "PD_EXPAND" in form["windows"]
    assert "PD_KERNEL_INSTANTIATION" not in form["windows"]


def test_names_are_numbered_by_line_where_there_is_no_counter() -> None:
    assert read_macros(HEADER.read_text(), {"__COUNTER__"})["PD_ID"].replacement == ("__COUNTER__",)
    assert read_macros(HEADER.read_text())["PD_ID"].replacement == ("__LINE__",)


def test_the_touch_function_is_exported_on_windows_only() -> None:
    testing = {"_WIN32", "PADDLE_WITH_TESTING"}
    imported = read_macros(HEADER.read_text(), testing)["TEST_API"]
    exported = read_macros(HEADER.read_text(), {*testing, "PADDLE_DLL_EXPORT"})["TEST_API"]
    assert imported.replacement == ("__declspec", "(", "dllimport", ")")
    assert exported.replacement == ("__declspec", "(", "dllexport", ")")
    assert read_macros(HEADER.read_text(), testing - {"_WIN32"})["TEST_API"].replacement == ()


@pytest.mark.compiler
@pytest.mark.skipif(not compilers(), reason="needs g++ or clang++ on PATH")
@pytest.mark.parametrize("header", HEADERS, ids=lambda path: path.stem)
@pytest.mark.parametrize("build", BUILDS)
def test_a_compiler_reads_the_same_macros(build: str, header: Path) -> None:
    flags = [f"-D{define}" for define in build.split()]
    command = [compilers()[0], *LANGUAGE, "-x", "c++", "-E", "-dM", *flags, str(header)]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    theirs = read_macros(listed)
    ours = read_macros(with_includes(header), {"__COUNTER__", *build.split()})
    assert {name: theirs.get(name) for name in ours} == ours
