"""PyTorch's samples are legal C++, expand as the compilers expand them, and fill the right slots."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from compilers import spellings

from tests.samples.aten import COMPILERS, FILES, HEADERS, SAMPLES, STANDARD_LIBRARY, WAYS
from tests.samples.native import run
from tests.samples.precompiled import precompiled
from visualizer.expansion import Expansion, Options, preprocess
from visualizer.expansion.compile_commands import compilations
from visualizer.export.preprocessed import preprocessed


@pytest.mark.compiler
@pytest.mark.parametrize("way", WAYS)
def test_a_compiler_accepts_the_sample(compiler: str, way: str) -> None:
    sample, flags = WAYS[way]
    declared_only = {  # the samples declare what they call, and hardly define it
        "g++": ["-Wno-unused-function"],
        "clang++": ["-Wno-undefined-internal", "-Wno-undefined-var-template", "-Wno-unused"],
    }
    strict = ["-Wall", "-Werror", "-fsyntax-only", *declared_only[compiler]]
    run(compiler, *strict, *precompiled(compiler, *flags, *STANDARD_LIBRARY), str(sample))


@pytest.mark.compiler
@pytest.mark.parametrize("way", WAYS)
def test_a_sample_expands_as_the_compiler_expands_it(compiler: str, way: str) -> None:
    sample, flags = WAYS[way]
    macros = tuple(("D", flag[2:]) for flag in flags if flag.startswith("-D"))
    trace = preprocess(sample, Options(macros=macros, std="c++20", cc=COMPILERS[compiler]))
    assert trace.diagnostics == []
    theirs = run(compiler, "-E", "-P", "-w", *flags, str(sample))
    assert spellings("".join(preprocessed(trace.output, markers=False))) == spellings(theirs)


@pytest.mark.compiler
@pytest.mark.parametrize("sample", FILES, ids=lambda f: f.stem)
def test_expanding_needs_no_system_header(compiler: str, sample: Path, tmp_path: Path) -> None:
    nothing = ["-nostdinc", "-nostdinc++", "-I", str(tmp_path)]
    entered = run(compiler, "-std=c++20", "-M", *nothing, str(sample))
    names = {Path(word).name for word in entered.split(":", 1)[1].split() if word != "\\"}
    assert names <= {header.name for header in HEADERS} | {sample.name}


def invocation(macro: str, sample: str, *macros: str) -> Expansion:
    options = Options(macros=tuple(("D", name) for name in macros), std="c++20")
    trace = preprocess(SAMPLES / f"{sample}.cc", options)
    return next(e for e in trace.expansions if e.macro == macro)


def text_of(expansion: Expansion) -> str:
    return " ".join(token.text for token in expansion.after)


SLOT = (
    "template < > {0}_DECLARE_DISPATCH_type :: FnPtr "
    "DispatchStub < {0}_DECLARE_DISPATCH_type :: FnPtr , struct {0}_DECLARE_DISPATCH_type > :: "
    "{1} = {2} ;"
)


@pytest.mark.parametrize(
    ("macro", "sample", "slots"),
    [
        (
            "REGISTER_DISPATCH",
            "ufunc_add_kernel",
            {
                "DEFAULT": "& add_kernel",
                "AVX512": "( ( void * ) ( & add_kernel ) ? nullptr : nullptr )",
                "AVX2": "& add_kernel",
            },
        ),
        (
            "ALSO_REGISTER_AVX512_DISPATCH",
            "exp_kernel",
            dict.fromkeys(["DEFAULT", "AVX512", "AVX2"], "& exp_kernel"),
        ),
    ],
)
def test_each_compilation_fills_its_slot(macro: str, sample: str, slots: dict[str, str]) -> None:
    file = SAMPLES / f"{sample}.cc"
    stub = "add_stub" if macro == "REGISTER_DISPATCH" else "exp_stub"
    made = []
    for compilation in compilations(SAMPLES, file):
        trace = preprocess(file, replace(compilation.options, cc="none"))
        made.append(text_of(next(e for e in trace.expansions if e.macro == macro)))
    assert made == [SLOT.format(stub, arch, function) for arch, function in slots.items()]
    assert text_of(invocation(macro, sample)) == made[0]  # without flags: the first


@pytest.mark.parametrize(
    ("device", "macros"),
    [
        ("CUDA", ["__CUDACC__"]),
        ("CUDA", ["__HIPCC__"]),  # HIP's compiler takes the slot of CUDA
        ("MPS", ["__OBJC__", "USE_MPS"]),
    ],
)
def test_a_device_compiler_makes_an_object(device: str, macros: list[str]) -> None:
    made = text_of(invocation("REGISTER_DISPATCH", "ufunc_add_cuda", *macros))
    assert made == (
        f"static Register{device}Dispatch < struct add_stub_DECLARE_DISPATCH_type > "
        "add_stub__register ( add_stub , & add_kernel ) ;"
    )


def test_one_number_names_all_that_a_block_declares() -> None:
    """The number is made in the prescan of one argument, once; the next block gets another one."""
    trace = preprocess(SAMPLES / "override.cc", Options(std="c++20"))
    blocks = [e for e in trace.expansions if e.macro == "TORCH_LIBRARY_IMPL"]
    for block, number in zip(blocks, "12", strict=True):
        names = [t.text for t in block.after if t.text.startswith("TORCH_LIBRARY_IMPL_")]
        init = f"TORCH_LIBRARY_IMPL_init_overrides_CPU_{number}"
        static = f"TORCH_LIBRARY_IMPL_static_init_overrides_CPU_{number}"
        assert names == [init, static, init, init]
