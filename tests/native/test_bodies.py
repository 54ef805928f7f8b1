"""A text's own bodies, compiled and run: what they give, and what becomes of those that don't return.

All kernels of a text are one program here, compiled once without optimising.
"""

from __future__ import annotations

import shutil
import threading
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from registry_runtime.lab.phi.body import Body, BodyTrial, body_in, body_of, parameters_of, run
from registry_runtime.lab.phi.body_call import BodyCall, typed
from registry_runtime.native.child import Limits
from registry_runtime.native.compiler import CompilerFailed
from registry_runtime.native.crash import BodyFailed, Reason
from registry_runtime.native.program import Program, Source, of_paddle, program_of
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.program import Program as Registries
from visualizer.expansion import Options
from visualizer.workbench.bodies import NoRuntime, source_of
from visualizer.workbench.linking import open_files
from visualizer.workbench.samples import samples_folder

pytestmark = pytest.mark.compiler

TEXT = """\
#include "kernel_registry.h"

extern "C" int puts(const char*);
extern "C" void exit(int);
extern "C" int abs(int);

namespace phi {

template <typename T, typename Context>
void TwiceKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  out->Resize(x.dims());
  dev_ctx.template Alloc<T>(out);
  T* to = out->data<T>();
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = x.data<T>()[i] + x.data<T>()[i];
}

template <typename T, typename Context>
void AllAttributesKernel(const Context& dev_ctx,
                         const DenseTensor& x,
                         const paddle::optional<DenseTensor>& bias,
                         const std::vector<const DenseTensor*>& more,
                         bool flag,
                         int count,
                         int64_t wide,
                         float real,
                         const std::string& word,
                         const Scalar& number,
                         const IntArray& axes,
                         const std::vector<int>& list,
                         DataType dtype,
                         DenseTensor* out,
                         std::vector<DenseTensor*> outs) {
  out->Resize({11});
  T* to = dev_ctx.template Alloc<T>(out);
  to[0] = flag;
  to[1] = count;
  to[2] = wide;
  to[3] = real;
  to[4] = word.size();
  to[5] = number.to<T>();
  to[6] = axes.GetData()[1];
  to[7] = list[0] + list.size();
  to[8] = static_cast<int>(dtype);
  to[9] = bias ? bias->data<T>()[0] : -1;
  to[10] = more.size() == 2 ? more[1]->data<T>()[0] : -1;
  for (DenseTensor* one : outs) *dev_ctx.template Alloc<int64_t>(&one->Resize({1})) = wide;
}

template <typename T, typename Context>
void CrashesKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  T* nowhere = nullptr;
  nowhere[abs(1)] = 1;  // CRASHES
}

template <typename T, typename Context>
void DividesKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  out->Resize({1 / abs(0)});  // DIVIDES
}

template <typename T, typename Context>
void NeverEndsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  for (volatile int i = 0;; i = i + 1) {  // NEVER ENDS
  }
}

template <typename T, typename Context>
void RecursesKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  RecursesKernel<T, Context>(dev_ctx, x, out);  // RECURSES
  out->Resize({1});
}

template <typename T, typename Context>
void AllocatesKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  for (;;) {
    out->Resize({1 << 24});
    T* to = dev_ctx.template Alloc<T>(out);
    for (int64_t i = 0; i < out->numel(); i += 64) to[i] = 1;
    out->Resize({1 << 25});
  }
}

template <typename T, typename Context>
void PrintsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  for (;;) puts("and so on and so on and so on");
}

template <typename T, typename Context>
void ExitsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  exit(0);
}

template <typename T, typename Context>
void ThrowsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  std::vector<int>().at(3);
}

template <typename T, typename Context>
void UnsizedKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = x.data<T>()[i];
}

template <typename T, typename Context>
void ForgetsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  out->Resize(x.dims());
}

template <typename T, typename Context>
void LeavesOutKernel(const Context& dev_ctx, const DenseTensor& x, bool both, DenseTensor* out,
                     DenseTensor* rest) {
  dev_ctx.template Alloc<T>(&out->Resize({1}))[0] = 7;
  if (both) dev_ctx.template Alloc<T>(&rest->Resize({1}))[0] = 8;
}

template <typename T, typename Context>
void ListsKernel(const Context& dev_ctx, const std::vector<const DenseTensor*>& xs,
                 std::vector<DenseTensor*> outs, DenseTensor* count, std::vector<DenseTensor*> rest) {
  for (DenseTensor* one : outs) dev_ctx.template Alloc<T>(one)[0] = xs.size();
  dev_ctx.template Alloc<T>(&count->Resize({1}))[0] = outs.size();
  for (DenseTensor* one : rest) dev_ctx.template Alloc<T>(one)[1] = one->numel();
}

template <typename T, typename Context>
void EmptyKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(twice, CPU, ALL_LAYOUT, phi::TwiceKernel, float, double, int, uint8_t,
                   phi::dtype::float16, phi::dtype::bfloat16, phi::dtype::complex<float>) {}
PD_REGISTER_KERNEL(all_attributes, CPU, ALL_LAYOUT, phi::AllAttributesKernel, double) {}
PD_REGISTER_KERNEL(crashes, CPU, ALL_LAYOUT, phi::CrashesKernel, float) {}
PD_REGISTER_KERNEL(divides, CPU, ALL_LAYOUT, phi::DividesKernel, float) {}
PD_REGISTER_KERNEL(never_ends, CPU, ALL_LAYOUT, phi::NeverEndsKernel, float) {}
PD_REGISTER_KERNEL(recurses, CPU, ALL_LAYOUT, phi::RecursesKernel, float) {}
PD_REGISTER_KERNEL(allocates, CPU, ALL_LAYOUT, phi::AllocatesKernel, float) {}
PD_REGISTER_KERNEL(prints, CPU, ALL_LAYOUT, phi::PrintsKernel, float) {}
PD_REGISTER_KERNEL(exits, CPU, ALL_LAYOUT, phi::ExitsKernel, float) {}
PD_REGISTER_KERNEL(throws, CPU, ALL_LAYOUT, phi::ThrowsKernel, float) {}
PD_REGISTER_KERNEL(unsized, CPU, ALL_LAYOUT, phi::UnsizedKernel, float) {}
PD_REGISTER_KERNEL(forgets, CPU, ALL_LAYOUT, phi::ForgetsKernel, float) {}
PD_REGISTER_KERNEL(leaves_out, CPU, ALL_LAYOUT, phi::LeavesOutKernel, float) {}
PD_REGISTER_KERNEL(lists, CPU, ALL_LAYOUT, phi::ListsKernel, float) {}
PD_REGISTER_KERNEL(empty, CPU, ALL_LAYOUT, phi::EmptyKernel, float) {}
"""


class Opened(NamedTuple):
    registries: Registries
    source: Source


def opened(text: str, folder: Path, compiler: str = "gcc") -> Opened:
    path = folder / "kernel.cc"
    path.write_text(text)
    registries = Registries()
    include = (str(samples_folder() / "phi"),)
    options = Options(include_folders=include, cc=compiler)
    (bench,) = open_files([path], registries, options)
    return Opened(registries, source_of(bench))


@pytest.fixture(scope="module", params=["gcc", "clang"])
def text(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Opened:
    if not shutil.which(request.param):
        pytest.skip(f"{request.param} is not installed")
    return opened(TEXT, tmp_path_factory.mktemp(request.param), request.param)


@pytest.fixture(scope="module")
def program(text: Opened) -> Program:
    return program_of(text.source, "", optimise=False)


def body(program: Program, text: Opened, name: str, dtype: DataType | None = None) -> Body:
    kernels = text.registries.phi.factory.kernels[name]
    key = next(key for key in kernels if dtype in (None, key.dtype))
    return body_in(program, name, key, kernels[key])


def ones(body: Body, size: int = 8) -> BodyCall:
    return BodyCall((np.ones(size, body.key.dtype.numpy),))


def line_of(mark: str) -> int:
    return next(n for n, line in enumerate(TEXT.splitlines(), 1) if line.endswith(f"// {mark}"))


def tried(program: Program, text: Opened, name: str, seconds: int = 20) -> BodyFailed:
    one = body(program, text, name)
    limits = Limits(seconds=seconds, memory=400 << 20, output=100 << 10)
    with pytest.raises(BodyFailed) as failed:
        run(one, ones(one), runs=0, limits=limits)
    return failed.value


@pytest.mark.parametrize(
    "dtype", ["float32", "float64", "int32", "uint8", "float16", "bfloat16", "complex64"]
)
def test_a_body_runs_for_each_type(program: Program, text: Opened, dtype: str) -> None:
    one = next(d for d in DataType if str(d) == dtype)
    twice = body(program, text, "twice", one)
    x = np.array([0, 1, 1.5, 3, 100, 60000, 3e-5], np.float64).astype(one.numpy)
    trial = run(twice, BodyCall((x,)), runs=0)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(trial.results["out"], x + x)


def test_attributes_and_lists_come_in_their_places(program: Program, text: Opened) -> None:
    many = body(program, text, "all_attributes")
    one, five, six = (np.array([n], np.float64) for n in (1, 5, 6))
    attributes = (True, -3, 1 << 40, 0.5, "four", 7, [0, 9], [40, 0], DataType.INT64)
    trial = run(many, BodyCall((one, five, [one, six], *attributes)), runs=0)
    made = [1, -3, 1 << 40, 0.5, 4, 7, 9, 42, int(DataType.INT64), 5, 6]
    assert trial.results["out"].tolist() == made
    assert trial.results["outs"].tolist() == [1 << 40]
    two = {"outs[0]": (1,), "outs[1]": (1,)}
    trial = run(many, BodyCall((one, five, [one, six], *attributes), two), runs=0)
    assert [*trial.results] == ["out", "outs[0]", "outs[1]"]
    trial = run(many, BodyCall((one, None, [], *attributes)), runs=0)
    assert trial.results["out"].tolist() == [*made[:9], -1, -1]


def test_runs_are_timed_into_the_same_memory_and_into_new(program: Program, text: Opened) -> None:
    twice = body(program, text, "twice")
    trial = run(twice, ones(twice, 1000), runs=5)
    assert len(trial.ran.same_seconds) == len(trial.ran.new_seconds) == 5
    assert min(*trial.ran.same_seconds, *trial.ran.new_seconds) > 0


@pytest.mark.parametrize(
    ("name", "mark", "signal"),
    [
        ("crashes", "CRASHES", "SIGSEGV"),
        ("divides", "DIVIDES", "SIGFPE"),
        ("recurses", "RECURSES", "SIGSEGV"),
    ],
)
def test_a_crash_is_told_with_its_signal_and_line(
    program: Program, text: Opened, name: str, mark: str, signal: str
) -> None:
    failed = tried(program, text, name)
    assert failed.reason is Reason.SIGNAL
    assert signal in str(failed)
    assert ("--sanitize" in str(failed)) is (signal == "SIGSEGV")
    assert failed.where is not None
    assert failed.where.file == text.source.path
    assert abs(failed.where.line - line_of(mark)) <= (
        name == "recurses"
    )  # by its head, or its call


def test_one_that_never_ends_is_ended_and_told_with_its_line(
    program: Program, text: Opened
) -> None:
    failed = tried(program, text, "never_ends", seconds=1)
    assert failed.reason is Reason.TIME
    assert failed.where is not None
    assert abs(failed.where.line - line_of("NEVER ENDS")) <= 1


def test_one_that_allocates_without_end_has_no_room(program: Program, text: Opened) -> None:
    assert tried(program, text, "allocates").reason is Reason.THREW


def test_one_that_prints_without_end_is_ended(program: Program, text: Opened) -> None:
    assert tried(program, text, "prints").reason is Reason.OUTPUT


def test_one_that_ends_the_process_gives_no_result(program: Program, text: Opened) -> None:
    assert tried(program, text, "exits").reason is Reason.ENDED


def test_an_exception_is_told_in_its_words(program: Program, text: Opened) -> None:
    failed = tried(program, text, "throws")
    assert failed.reason is Reason.THREW
    assert "3" in str(failed)


@pytest.mark.parametrize(
    ("name", "dims", "said"),
    [
        ("unsized", {}, "nobody says the dims of 'out'.* --dims out="),
        ("forgets", {}, "no memory: call Alloc"),
        ("empty", {}, "the body of phi::EmptyKernel is empty"),
        ("empty", {"out": (0,)}, "the body of phi::EmptyKernel is empty"),
    ],
)
def test_an_output_without_dims_or_memory_is_no_result(
    program: Program, text: Opened, name: str, dims: dict[str, tuple[int, ...]], said: str
) -> None:
    given = BodyCall((np.arange(3, dtype=np.float32),), dims)
    with pytest.raises(KernelError, match=said):
        run(body(program, text, name), given, runs=3)


def test_each_list_of_outputs_has_its_own_tensors(program: Program, text: Opened) -> None:
    dims = {"outs[0]": (1,), "outs[1]": (1,), "rest": (2,)}
    x = np.ones(1, np.float32)
    trial = run(body(program, text, "lists"), BodyCall(([x, x, x],), dims), 0)
    made = {name: one[-1] for name, one in trial.results.items()}
    assert made == {"outs[0]": 3, "outs[1]": 3, "count": 2, "rest": 2}


@pytest.mark.parametrize("both", [True, False])
def test_an_output_may_be_left_out_beside_others(
    program: Program, text: Opened, both: bool
) -> None:
    it = body(program, text, "leaves_out")
    dims = {"out": (1,), "rest": (1,)}
    trial = run(it, BodyCall((np.ones(3, np.float32), both), dims), 0)
    assert {name: made.tolist() for name, made in trial.results.items()} == (
        {"out": [7], "rest": [8]} if both else {"out": [7]}
    )
    told = "result      none in 'rest': the body gave it no memory" in [*trial.report()]
    assert told is not both


def test_all_attributes_that_have_to_be_given_are_named(text: Opened) -> None:
    (kernel,) = text.registries.phi.factory.kernels["all_attributes"].values()
    (_, parameters) = parameters_of("all_attributes", kernel)
    with pytest.raises(KernelError) as refused:
        typed(parameters, DataType.FLOAT64, 3, {"flag": "true", "list": "[1]"}, {})
    missing = ["count", "wide", "real", "word", "number", "axes", "dtype"]
    words = " ".join(f"--attr {name}=VALUE" for name in missing)
    assert str(refused.value) == f"{', '.join(missing)} have to be given: {words}"


def test_the_dims_that_are_given_are_the_outputs(program: Program, text: Opened) -> None:
    given = BodyCall((np.arange(3, dtype=np.float32),), {"out": (3,)})
    made = run(body(program, text, "unsized"), given, runs=3).results["out"]
    assert made.tolist() == [0, 1, 2]


WATCHED = """\
#include "kernel_registry.h"
namespace phi {
template <typename T, typename Context>
void BehindKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  out->Resize(x.dims());
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i <= x.numel(); ++i) {
    to[i] = x.data<T>()[i];  // line 8
  }
}
template <typename T, typename Context>
void RowsKernel(const Context& dev_ctx, const DenseTensor& x, SelectedRows* out) {}
}  // namespace phi
PD_REGISTER_KERNEL(behind, CPU, ALL_LAYOUT, phi::BehindKernel, float) {}
PD_REGISTER_KERNEL(rows, CPU, ALL_LAYOUT, phi::RowsKernel, float) {}
"""


def test_an_index_behind_the_end_is_seen_by_a_sanitizer(tmp_path: Path) -> None:
    # clang takes two thirds of gcc's time, with the same report
    text = opened(WATCHED, tmp_path, "clang" if shutil.which("clang") else "gcc")
    kernels = text.registries.phi.factory.kernels["behind"]
    key = next(iter(kernels))
    watched = body_of("behind", key, kernels[key], text.source, sanitize=True)
    with pytest.raises(BodyFailed) as failed:
        run(watched, ones(watched), runs=0)
    assert failed.value.reason is Reason.SANITIZER
    assert failed.value.where is not None
    assert failed.value.where.line == 8


def test_what_the_child_cannot_be_given_is_said_before_anything_is_compiled(tmp_path: Path) -> None:
    text = opened(WATCHED, tmp_path)
    kernels = text.registries.phi.factory.kernels["rows"]
    key = next(iter(kernels))
    with pytest.raises(KernelError, match="out is a phi::SelectedRows"):
        body_of("rows", key, kernels[key], text.source)


def test_two_runs_at_once_do_not_meet(program: Program, text: Opened) -> None:
    twice = body(program, text, "twice")
    trials: list[BodyTrial] = []

    def one(number: int) -> None:
        given = BodyCall((np.full(1000, number, np.float32),))
        trials.append(run(twice, given, runs=0))

    threads = [threading.Thread(target=one, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(int(t.results["out"][0]) for t in trials) == [0, 2, 4, 6]


BROKEN = """\
#include "kernel_registry.h"
#define PLUS_ONE(x) ((x) + one)
namespace phi {
template <typename T> T Elsewhere(T x);
template <typename T, typename Context>
void BrokenKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  *dev_ctx.template Alloc<T>(out) = BODY;
}
}  // namespace phi
PD_REGISTER_KERNEL(broken, CPU, ALL_LAYOUT, phi::BrokenKernel, float) {}
"""


def refused(text: Opened) -> CompilerFailed:
    kernels = text.registries.phi.factory.kernels["broken"]
    key = next(iter(kernels))
    with pytest.raises(CompilerFailed) as failed:
        body_of("broken", key, kernels[key], text.source)
    return failed.value


def test_what_the_compiler_refuses_is_told_where_the_macro_is_used(tmp_path: Path) -> None:
    first = refused(opened(BROKEN.replace("BODY", "PLUS_ONE(2)"), tmp_path)).errors[0]
    assert (first.where.file, first.where.line) == (str(tmp_path / "kernel.cc"), 7)
    assert "one" in first.message


def test_what_nothing_defines_is_named_before_anything_runs(tmp_path: Path) -> None:
    failed = refused(opened(BROKEN.replace("BODY", "Elsewhere<T>(2)"), tmp_path))
    assert failed.undefined == ("phi::Elsewhere",)


def test_what_was_compiled_is_kept_by_its_contents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = opened(BROKEN.replace("BODY", "2"), tmp_path)
    assert not program_of(text.source, "", optimise=False).from_cache
    assert program_of(text.source, "", optimise=False).from_cache
    monkeypatch.setattr("os.replace", None)  # so that it fails where anything is made
    assert program_of(text.source, "", optimise=False).from_cache
    other = replace(text.source, text=b'#include "changed.h"\n' + text.source.text)
    with pytest.raises(CompilerFailed):  # at once, for there is no such header
        program_of(other, "", optimise=False)


def test_a_source_tree_of_paddles_has_no_libraries_to_run_with(tmp_path: Path) -> None:
    header = tmp_path / "paddle/phi/core/kernel_registry.h"
    header.parent.mkdir(parents=True)
    header.write_text("#pragma once\n")
    path = tmp_path / "k.cc"
    path.write_text('#include "paddle/phi/core/kernel_registry.h"\nint n;\n')
    (bench,) = open_files([path], Registries(), Options(include_folders=(str(tmp_path),)))
    with pytest.raises(NoRuntime, match="without its libraries"):
        source_of(bench)


def test_a_text_without_our_headers_has_nothing_to_run_in(tmp_path: Path) -> None:
    with pytest.raises(NoRuntime, match=r"phi\.h"):
        opened("int x;\n", tmp_path)


def test_a_paddle_without_libraries_has_nothing_to_link_with(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="name an installed Paddle"):
        of_paddle(tmp_path)
