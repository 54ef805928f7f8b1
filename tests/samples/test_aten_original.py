"""PyTorch's samples held to PyTorch: its headers (`--torch`), and the operators that it has itself."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.real.frameworks import torch
from tests.samples.aten import FILES, SAMPLES, WAYS
from tests.samples.macro_reader import Macro, read_macros
from visualizer.expansion import Options, Token, preprocess

pytestmark = [
    pytest.mark.torch,
    pytest.mark.compiler,
    pytest.mark.skipif(not shutil.which("g++"), reason="g++ is not on PATH"),
]

# Headers that only CUDA's and HIP's own installations have: none of their macros is in question here.
ELSEWHERE = {
    "cuda.h": "#define CUDA_VERSION 12080\n",
    "cuda_bf16.h": "",
    "cuda_fp16.h": "",
    "hip/hip_bf16.h": "",
    "hip/hip_fp16.h": "",
    "hip/hip_runtime.h": "",
    "thrust/complex.h": "",
}

BUILDS = {
    "as it is": "",
    "for AVX2": "-DHAVE_AVX2_CPU_DEFINITION -DHAVE_AVX512_CPU_DEFINITION -DCPU_CAPABILITY=AVX2",
    "for AVX-512": "-DHAVE_AVX512_CPU_DEFINITION -DCPU_CAPABILITY=AVX512 -DCPU_CAPABILITY_AVX512",
    "for POWER": "-DHAVE_VSX_CPU_DEFINITION -DCPU_CAPABILITY=VSX",
    "for Z": "-DHAVE_ZVECTOR_CPU_DEFINITION -DCPU_CAPABILITY=ZVECTOR",
    "for SVE": "-DHAVE_SVE_CPU_DEFINITION -DCPU_CAPABILITY=SVE256",
    "for CUDA": "-D__CUDACC__",
    "for HIP": "-D__HIPCC__",
    "for Apple's GPUs": "-D__OBJC__ -DUSE_MPS",
    "of PyTorch itself": "-DCAFFE2_BUILD_MAIN_LIB",
}


def macros_of(flags: list[str], text: str) -> dict[str, Macro]:
    """All macros at the end of a text, as g++ lists them."""
    command = ["g++", "-std=c++20", "-E", "-dM", "-x", "c++", *flags, "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return read_macros(done.stdout)


def includes(folders: tuple[str, ...]) -> list[str]:
    return [f"-isystem{folder}" for folder in folders]


@pytest.fixture
def folders(tmp_path: Path) -> tuple[str, ...]:
    for name, text in ELSEWHERE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return (*torch(), str(tmp_path))


@pytest.mark.parametrize("build", BUILDS)
def test_every_macro_has_torchs_tokens(build: str, folders: tuple[str, ...]) -> None:
    asking = ["library.h", "dispatch_stub.h", "tensor_meta.h", "dispatch.h"]  # for torch's own
    text = "".join(f'#include "{SAMPLES}/{name}"\n' for name in asking)
    flags = BUILDS[build].split()
    nothing = macros_of(flags, "")
    ours = macros_of([*flags, "-nostdinc", "-I."], text)
    theirs = macros_of([*flags, *includes(folders)], text)
    defined = {name: macro for name, macro in ours.items() if name not in nothing}
    assert {"C10_UID", "TORCH_LIBRARY", "DEFINE_DISPATCH", "AT_DISPATCH_CASE"} <= defined.keys()
    assert {name: theirs.get(name) for name in defined} == defined


COUNTED = re.compile(r"(TORCH_LIBRARY_(?:IMPL|FRAGMENT)_.*_)(\d+)")


def uncounted(tokens: list[Token]) -> list[str]:
    """Spellings, without the number of `C10_UID`: other headers have counted on."""
    return [COUNTED.sub(r"\1#", token.text) for token in tokens]


@pytest.mark.parametrize("way", WAYS)
def test_a_sample_expands_as_with_torchs_headers(way: str, folders: tuple[str, ...]) -> None:
    sample, flags = WAYS[way]
    macros = tuple(("D", flag[2:]) for flag in flags if flag.startswith("-D"))
    mine = Options(macros=macros, std="c++20", cc="gcc")
    real = Options(macros=macros, std="c++20", cc="gcc", system_folders=folders)
    ours = preprocess(sample, mine, skip_included_text=True)
    theirs = preprocess(sample, real, skip_included_text=True)
    assert theirs.diagnostics == []
    assert any("torch" in file for file in theirs.included)
    assert [e.where.line for e in ours.expansions] == [e.where.line for e in theirs.expansions]
    for a, b in zip(ours.expansions, theirs.expansions, strict=True):
        assert uncounted(a.after) == uncounted(b.after)
        assert [s.name.text for s in a.steps] == [s.name.text for s in b.steps]
    # In one file the numbers run on by one, whatever the first of them is.
    starts = [
        [int(n) for _, n in COUNTED.findall(" ".join(t.text for t in x.output))]
        for x in (ours, theirs)
    ]
    assert [n - starts[0][0] for n in starts[0]] == [n - starts[1][0] for n in starts[1]]


@cache
def _compiles(sample: Path, flags: tuple[str, ...], folders: tuple[str, ...]) -> str:
    command = ["g++", *flags, "-fsyntax-only", *includes(folders), str(sample)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


@pytest.mark.parametrize("sample", [f for f in FILES if "cuda" not in f.stem], ids=lambda f: f.stem)
def test_a_sample_compiles_with_torchs_headers(sample: Path) -> None:
    """So what our headers declare is PyTorch's interface, as far as the samples use it."""
    assert _compiles(sample, ("-std=c++20",), torch()) == ""


@pytest.mark.parametrize(
    ("name", "header", "original"),
    [
        ("c10::DispatchKey", "c10/core/DispatchKey.h", "c10::DispatchKey"),
        ("c10::DeviceType", "c10/core/DeviceType.h", "c10::DeviceType"),
        ("c10::ScalarType", "c10/core/ScalarType.h", "c10::ScalarType"),
    ],
)
def test_every_enumerator_has_torchs_value(
    name: str, header: str, original: str, tmp_path: Path
) -> None:
    text = (SAMPLES / "aten.h").read_text()
    match = re.search(rf"enum class {name.split('::')[-1]} [^{{]*\{{(.*?)\n\}};", text, re.DOTALL)
    assert match
    body = re.sub(r"//[^\n]*", "", match[1])
    names = [part.split("=")[0].strip() for part in body.split(",") if part.strip()]
    assert len(names) > 20
    program = tmp_path / "values.cc"
    program.write_text(
        f"#include <{header}>\n#include <optional>\n#include <vector>\n"
        f'namespace ours {{\n#include "{SAMPLES}/aten.h"\n}}\n'
        + "".join(
            f"static_assert((int)ours::{name}::{e} == (int){original}::{e});\n" for e in names
        )
    )
    assert _compiles(program, ("-std=c++20",), torch()) == ""


def registrations(sample: str) -> list[tuple[str, str]]:
    """(key, operator) of each `m.impl` in the blocks of namespace aten."""
    text = (SAMPLES / sample).read_text()
    blocks = re.findall(r"^TORCH_LIBRARY_IMPL\(aten, (\w+), m\) \{(.*?)^\}", text, re.M | re.DOTALL)
    return [(key, op) for key, body in blocks for op in re.findall(r'm\.impl\("([^"]+)"', body)]


@pytest.mark.parametrize("sample", ["add.cc", "assert_async.cc"])
def test_torch_has_these_operators_and_kernels(sample: str) -> None:
    real = pytest.importorskip("torch")
    schemas = re.findall(r'm\.def\("([^"]+)"\)', (SAMPLES / sample).read_text())
    for schema in schemas:
        dumped = real._C._dispatch_dump(f"aten::{schema.split('(')[0]}")
        assert f"schema: aten::{schema}\n" in dumped
    found = registrations(sample)
    assert found
    for key, operator in found:
        dumped = real._C._dispatch_dump(f"aten::{operator}")
        assert re.search(rf"^{key}(\[alias\]| \(inactive\))?: ", dumped, re.M), (key, operator)


def test_add_has_no_kernel_of_its_own_for_what_changes_in_place() -> None:
    """A call of `add.Tensor` goes past ADInplaceOrView; only those that write have a kernel."""
    real = pytest.importorskip("torch")
    assert ("ADInplaceOrView", "add.Tensor") not in registrations("add.cc")
    assert "ADInplaceOrView" not in real._C._dispatch_dump("aten::add.Tensor")
    table = real._C._dispatch_dump_table("aten::add.Tensor")
    assert re.search(r"^ADInplaceOrView: fallthrough .*\[backend fallback\]$", table, re.M)


def test_the_cases_of_add_are_those_of_torchs_own_build() -> None:
    """`native_functions.yaml` says for which types add is generated, and for which without vectors."""
    torchgen = pytest.importorskip("torchgen")
    yaml = Path(torchgen.__file__).parent / "packaged" / "ATen" / "native" / "native_functions.yaml"
    entry = re.search(r"^- func: add\.out\(.*?(?=^- func)", yaml.read_text(), re.M | re.DOTALL)
    assert entry
    names = dict(re.findall(r"(ScalarOnly|Generic): add \(([^)]+)\)", entry[0]))
    cases = re.findall(
        r"AT_DISPATCH_CASE\(at::ScalarType::(\w+), .*?(cpu_kernel\w*)\(",
        (SAMPLES / "ufunc_add_kernel.cc").read_text(),
        re.DOTALL,
    )
    assert names["ScalarOnly"] == ", ".join(t for t, loop in cases if loop == "cpu_kernel")
    assert {t for t, loop in cases if loop == "cpu_kernel_vec"} >= {"Byte", "Half", "BFloat16"}
    assert len(cases) == 13
