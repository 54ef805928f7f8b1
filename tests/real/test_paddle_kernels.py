"""What the installed Paddle has in its registry, beside what our samples register in ours.

Three things are held against Paddle itself: the keys, the description of the arguments behind each
key as Paddle prints it, and the selection with its messages. Where a sample differs on purpose, the
reason stands here, and a difference without a reason fails.
"""

from __future__ import annotations

import json
import re
import shutil
from functools import cache
from pathlib import Path

import pytest

from registry_runtime.phi.backend import Backend
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType, cpp_type_to_data_type
from registry_runtime.phi.enforce import NotFound
from registry_runtime.phi.kernel import KernelArgsDef
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_registrar import RegType
from tests.benchmarks.registrations import opened
from tests.real import real_phi
from tests.real.frameworks import paddle
from visualizer.expansion import Options
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.linking import load
from visualizer.workbench.samples import samples_folder

pytestmark = pytest.mark.paddle
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
SAMPLES = sorted((samples_folder() / "phi").glob("*.cc"))

# Kernel: {key or arguments: why the sample is otherwise than Paddle 3.3.1 on the CPU}.
CPP_NAMES = {
    name: cpp_type_to_data_type(name)
    for name in (
        *("bool", "int8_t", "uint8_t", "int16_t", "uint16_t", "int", "uint32_t", "int64_t"),
        *("uint64_t", "float", "double", "phi::dtype::float16", "phi::dtype::bfloat16"),
        *("phi::dtype::complex<float>", "phi::dtype::complex<double>", "phi::dtype::pstring"),
        *("phi::dtype::float8_e4m3fn", "phi::dtype::float8_e5m2"),
    )
}

_COUNTS_TO_15 = "Paddle lists 17 types, and our header, as the documents, counts to 15"
KEY_REASONS: dict[str, dict[str, str]] = {
    "cast": {
        f"(CPU, Undefined(AnyLayout), {dtype})": _COUNTS_TO_15
        for dtype in ("float8_e4m3fn", "float8_e5m2", "uint16", "uint32", "uint64")
    },
    "transpose": {
        f"(CPU, Undefined(AnyLayout), {dtype})": _COUNTS_TO_15
        for dtype in ("float8_e4m3fn", "float8_e5m2")
    }
    | {
        f"(CPU, STRIDED, {dtype})": "a view, which another file registers (kernels/stride)"
        for dtype in DataType
    },
}
ARGUMENT_REASONS: dict[str, str] = {}


@cache
def registered() -> dict[str, list[str]]:
    """Paddle's own listing: kernel names, and the keys under each."""
    ask = "_get_registered_phi_kernels"
    functions, structures = real_phi.ask([(ask, "function"), (ask, "structure")])
    assert isinstance(functions, dict)
    assert isinstance(structures, dict)
    return functions | structures


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    return real_phi.compiled(real_phi.PROBE, tmp_path_factory.mktemp("probe"))


def cpu_keys(bench: Workbench) -> dict[str, set[str]]:
    keys: dict[str, set[str]] = {}
    for entry in bench.entries:
        registration = entry.registration  # what comes from outside is not in the wheel
        if registration.key.backend is Backend.CPU and registration.reg_type is RegType.INNER:
            keys.setdefault(registration.kernel_name, set()).add(str(registration.key))
    return keys


def printed(args_def: KernelArgsDef) -> str:
    """A kernel's arguments as Paddle's `operator<<` prints them, white space aside."""
    inputs, outputs = (
        ",".join(f"backend: {t.backend}, layout: {t.layout}, dtype: {t.dtype}" for t in tensors)
        for tensors in (args_def.input_defs, args_def.output_defs)
    )
    attributes = ",".join(f'"{a.type_index}"' for a in args_def.attribute_defs)
    return squeezed(f'{{"input":[{inputs}],"output":[{outputs}],"attribute":[{attributes}]}}')


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


def arguments_of(answer: object) -> dict[str, str]:
    assert isinstance(answer, str)
    return {key: squeezed(text) for key, text in json.loads(answer)}


def test_paddle_registers_over_a_thousand_kernels() -> None:
    assert len(registered()) > 1000


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_samples_keys_are_paddles(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    differences, unexplained = [], []
    for name, ours in cpu_keys(open_file(sample)).items():
        theirs = {key for key in registered().get(name, ()) if key.startswith("(CPU,")}
        for key in sorted(ours ^ theirs):
            side = "only ours" if key in ours else "only Paddle's"
            reason = KEY_REASONS.get(name, {}).get(key)
            differences.append(f"{name} {key} is {side}: {reason or 'NO REASON LISTED'}")
            if reason is None:
                unexplained.append(differences[-1])
    with capsys.disabled():
        print(f"\n{sample.name}: {len(differences)} keys differ", *differences, sep="\n  ")
    assert not unexplained


@needs_compiler
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_samples_arguments_are_paddles(sample: Path, probe: Path) -> None:
    bench = open_file(sample)
    names = list(cpu_keys(bench))
    answers = real_phi.ask([("kernels_named", name) for name in names], [probe]) if names else []
    theirs = {name: arguments_of(answer) for name, answer in zip(names, answers, strict=True)}
    for entry in bench.entries:
        name, key = entry.registration.kernel_name, str(entry.registration.key)
        original = theirs.get(name, {}).get(key)
        if original is None or name in ARGUMENT_REASONS:
            continue
        assert printed(entry.registration.kernel.args_def) == original, f"{name} {key}"


EVERY_PARAMETER = """\
#include "paddle/phi/core/kernel_registry.h"
namespace phi {
template <typename T, typename Context>
void EveryKernel(const Context& dev_ctx, const DenseTensor& x,
                 const paddle::optional<DenseTensor>& maybe,
                 const std::vector<const DenseTensor*>& many, const SelectedRows& rows,
                 const SparseCooTensor& coo, const SparseCsrTensor& csr, bool b, int i, int64_t l,
                 float f, double d, const std::string& s, const Scalar& scalar,
                 const std::vector<Scalar>& scalars, const IntArray& shape,
                 const std::vector<bool>& bs, const std::vector<int>& is,
                 const std::vector<int64_t>& ls, const std::vector<float>& fs,
                 const std::vector<double>& ds, const std::vector<std::string>& ss, DataType type,
                 DataLayout layout, Place place, DenseTensor* out, std::vector<DenseTensor*> outs,
                 SparseCooTensor* sparse) {}
template <typename T, typename Context>
void PlainKernel(const Context&, const DenseTensor& x, DenseTensor* out, DenseTensor* mask) {}
template <typename Context>
void AnyTypeKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}
template <typename Context>
void AnywhereKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}
}  // namespace phi
PD_REGISTER_KERNEL(unfold_every, CPU, ALL_LAYOUT, phi::EveryKernel, float, int64_t) {}
PD_REGISTER_KERNEL(unfold_nhwc, CPU, NHWC, phi::PlainKernel, double) {}
PD_REGISTER_KERNEL(unfold_braces, CPU, ALL_LAYOUT, phi::PlainKernel, bool, float,
                   phi::dtype::float16, phi::dtype::complex<float>) {
  if (kernel_key.dtype() == phi::DataType::FLOAT16) {
    kernel->OutputAt(0).SetDataType(phi::DataType::FLOAT32);
  }
  kernel->InputAt(0).SetBackend(phi::Backend::ALL_BACKEND).SetDataLayout(phi::DataLayout::NHWC);
  kernel->OutputAt(1).SetDataType(phi::DataType::UNDEFINED);
}
PD_REGISTER_KERNEL_FOR_ALL_DTYPE(unfold_all, CPU, ALL_LAYOUT, phi::AnyTypeKernel<phi::CPUContext>) {}
PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE(unfold_everywhere, STRIDED, phi::AnywhereKernel) {}
"""


@needs_compiler
def test_registrations_have_in_paddle_the_keys_and_arguments_that_we_say(
    probe: Path, tmp_path: Path
) -> None:
    """The same file, compiled and loaded into Paddle, and run by our runtime."""
    source = tmp_path / "every.cc"
    source.write_text(EVERY_PARAMETER)
    bench = open_file(source, Options(system_folders=paddle(), cc="auto"))
    assert [str(d) for d in bench.diagnostics] == []
    ours: dict[str, dict[str, str]] = {}
    for entry in bench.entries:
        kernel = ours.setdefault(entry.registration.kernel_name, {})
        kernel[str(entry.registration.key)] = printed(entry.registration.kernel.args_def)
    answers = real_phi.ask(
        [("kernels_named", name) for name in ours], [probe, real_phi.compiled(source, tmp_path)]
    )
    assert len(ours) == 5
    assert ours == {name: arguments_of(answer) for name, answer in zip(ours, answers, strict=True)}


SELECTIONS = [
    ("bitwise_and", "CPU", "ALL_LAYOUT", "INT32"),
    ("bitwise_and", "CPU", "NHWC", "INT32"),
    ("bitwise_and", "CPU", "ALL_LAYOUT", "FLOAT32"),
    ("bitwise_and", "GPU", "NCHW", "INT64"),
    ("bitwise_and", "GPU", "NCHW", "FLOAT64"),
    ("bitwise_and", "XPU", "ALL_LAYOUT", "BOOL"),
    ("bitwise_nd", "CPU", "ALL_LAYOUT", "INT32"),
]


@needs_compiler
@pytest.mark.parametrize("strided", [False, True], ids=["", "strided"])
def test_selection_is_paddles_and_says_what_paddle_says(probe: Path, strided: bool) -> None:
    factory = load([samples_folder() / "phi" / "bitwise_kernel.cc"]).phi.factory
    calls = [
        ("select_kernel", name, Backend[b], DataLayout[layout], DataType[dtype], int(strided))
        for name, b, layout, dtype in SELECTIONS
    ]
    for (_, name, *key, _), theirs in zip(calls, real_phi.ask(calls, [probe]), strict=True):
        try:
            result = factory.SelectKernelOrThrowError(name, KernelKey(*key), strided)
            ours = f"selected {result.has_fallback_cpu:d} {result.is_stride_kernel:d}"
        except NotFound as error:
            ours = f"(NotFound) {error}"
        assert in_any_order(ours) == in_any_order(str(theirs))


def in_any_order(message: str) -> str:
    """A message without Paddle's remarks on its own source, and its lists sorted: Paddle collects
    them in a set without an order."""
    message = message.split("\n")[0].strip()
    return re.sub(
        r"following (\w+): (.*)\.",
        lambda found: f"following {found[1]}: {', '.join(sorted(found[2].split(', ')))}.",
        message,
    )


def test_paddles_own_registrations_register_from_one_file(tmp_path: Path) -> None:
    """Each CPU kernel of Paddle's that one registration can list the types of, as one file."""
    dtypes = {str(dtype): name for name, dtype in CPP_NAMES.items()}
    wanted: dict[str, set[str]] = {}
    for name, keys in registered().items():
        found = re.findall(r"\(CPU, Undefined\(AnyLayout\), (\w+)\)", " ".join(keys))
        if 0 < len(found) <= 15 and dtypes.keys() >= set(found):
            wanted[name] = set(found)
    assert len(wanted) > 500
    bench = opened(tmp_path / "all.cc", {n: [dtypes[d] for d in w] for n, w in wanted.items()})
    ours: dict[str, set[str]] = {}
    for entry in bench.entries:
        ours.setdefault(entry.registration.kernel_name, set()).add(
            str(entry.registration.key.dtype)
        )
    assert ours == wanted
