"""A kernel on arguments that somebody typed: read, refused, run, compared with NumPy, timed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from registry_runtime import kernels
from registry_runtime.benchmark.experiment import Timed, case_of, time_it
from registry_runtime.lab.phi.experiment import Experiment, codes, run
from registry_runtime.lab.phi.operands import arguments, blanks, outline, spelled
from registry_runtime.lab.timing import Timing
from registry_runtime.lab.values import parse_attribute, parse_shape, parse_values, shown_shape
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError
from visualizer.frameworks.phi.report import measured
from visualizer.workbench.linking import load
from visualizer.workbench.samples import samples_folder

PHI = samples_folder() / "phi"


@pytest.fixture(scope="module")
def runtime():
    names = ("softmax", "elementwise", "transpose", "layer_norm", "cast", "flip", "bitwise")
    return load([PHI / f"{name}_kernel.cc" for name in names]).phi


def experiment(runtime, name, dtype="float32", data="random", backend="CPU", **texts):
    key, kernel = next(
        (key, kernel)
        for key, kernel in runtime.factory.kernels[name].items()
        if (str(key.dtype), str(key.backend)) == (dtype, backend)
    )
    return Experiment(name, key, kernel, texts, data)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("4096x1024", (4096, 1024)),
        ("1e6", (1_000_000,)),
        (" 1.5e3 × 2 ", (1500, 2)),
        ("1_000, 3", (1000, 3)),
        ("(2, 3)", (2, 3)),
        ("0x7", (0, 7)),
        ("()", ()),
    ],
)
def test_a_shape_is_read_as_people_write_it(text, shape):
    assert parse_shape(text) == shape
    assert parse_shape(shown_shape(shape)) == shape


@pytest.mark.parametrize(
    "text", ["", "x", "4096y", "-3", "1.5", "3xx", "1e-3", "1e999", "__import__"]
)
def test_what_is_no_shape_is_said(text):
    if text == "3xx":
        assert parse_shape(text) == (3,)
    else:
        with pytest.raises(ValueError, match=r"is no shape|is no whole number"):
            parse_shape(text)


def test_values_are_read_as_an_array_of_the_dtype():
    read = parse_values("[[1, -inf], [NaN, 2.5]]", DataType.FLOAT32)
    np.testing.assert_array_equal(read, np.array([[1, -np.inf], [np.nan, 2.5]], np.float32))
    assert parse_values("[1+2j, -1j]", DataType.COMPLEX64).tolist() == [1 + 2j, -1j]
    assert parse_values("[true, 0]", DataType.BOOL).tolist() == [True, False]
    assert parse_values("[]", DataType.INT8).shape == (0,)


@pytest.mark.parametrize(
    ("text", "dtype", "said"),
    [
        ("[300]", DataType.INT8, "300 is no int8"),
        ("[1.5]", DataType.INT32, "1.5 is no int32"),
        ("[nan]", DataType.INT32, "nan is no int32"),
        ("[1j]", DataType.FLOAT32, "1j is complex"),
        ("[[1], [1, 2]]", DataType.FLOAT32, "differ in length"),
        ("[print(1)]", DataType.FLOAT32, "no list of numbers"),
        ("[" * 5000, DataType.FLOAT32, "no list of numbers"),
        ("[99999999999999999999999]", DataType.INT64, "no type that PHI has"),
    ],
)
def test_values_that_the_dtype_does_not_hold_are_refused(text, dtype, said):
    with pytest.raises(ValueError, match=said):
        parse_values(text, dtype)


@pytest.mark.parametrize(
    ("text", "cpp_type", "value"),
    [
        ("-1", "int", -1),
        ("1, 0", "const std::vector<int>&", [1, 0]),
        ("[]", "const IntArray&", []),
        ("1e-5", "float", 1e-5),
        ("True", "bool", True),
        ("double", "DataType", DataType.FLOAT64),
        ("undefined", "DataType", DataType.UNDEFINED),
        (" NCHW ", "const std::string&", "NCHW"),
        ("[0.5, -1e3]", "const std::vector<float>&", [0.5, -1000.0]),
        ("0.1", "const std::vector<double>&", [0.1]),
        ("[true, false]", "const std::vector<bool>&", [True, False]),
        ("[a, b c]", "const std::vector<std::string>&", ["a", "b c"]),
        ("[]", "const std::vector<int64_t>&", []),
        ("[1, 2.5]", "const std::vector<phi::Scalar>&", [1, 2.5]),
        ("NCHW", "phi::DataLayout", DataLayout.NCHW),
    ],
)
def test_an_attribute_is_read_by_its_cpp_type(text, cpp_type, value):
    assert parse_attribute(text, cpp_type) == value


@pytest.mark.parametrize("template", kernels.library(), ids=lambda t: t.name)
def test_what_stands_in_the_blanks_at_first_is_what_the_kernel_takes(template):
    T, size = min(template.dtypes), 1 << 14
    texts = {blank.name: blank.text for blank in blanks(template, T, size)}
    drawn = outline(template, T, texts, size)
    sample = template.sample(T, size, np.random.default_rng(0))
    assert template.infer(T, template.bind(*sample)) == drawn.outs


@pytest.mark.parametrize(
    ("kernel", "x", "follow"),
    [
        ("Add", {"x": "2x3"}, {"y": "2x3"}),
        ("Add", {"x": "[[1, 2]]"}, {"y": "1x2"}),
        ("Add", {"x": "2x3", "y": "3"}, {"y": "3"}),
        ("Add", {"x": "2x"}, {"y": "2"}),
        ("LayerNorm", {"x": "2x3"}, {"scale": "3", "bias": "3"}),
        ("BatchNormInfer", {"x": "2x3"}, {"mean": "3", "variance": "3"}),
        ("Gather", {"x": "30x7"}, {"index": "30"}),
        ("Embedding", {"inputx": "30"}, {"weight": "16384x64"}),
    ],
)
def test_other_tensors_follow_the_first(kernel, x, follow):
    template = kernels.find(f"phi::{kernel}Kernel")
    assert spelled(template, DataType.FLOAT32, x).items() >= follow.items()


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int16", "bool", "complex64"])
@pytest.mark.parametrize("data", ["random", "zeros", "ramp", "NaN and infinities"])
def test_tensors_are_filled_as_was_asked(dtype, data):
    T = DataType.of(parse_attribute(dtype, "DataType").numpy)
    template = kernels.find("phi::CastKernel")
    x, _ = arguments(template, T, {"x": "3x5"}, data, np.random.default_rng(0))
    assert (x.shape, DataType.of(x.dtype)) == ((3, 5), T)
    if data == "zeros":
        assert not x.any()
    if data == "ramp":
        assert x.reshape(-1)[:2].tolist() == [0, 1]
    if data == "NaN and infinities" and dtype in ("float32", "bfloat16"):
        assert np.isnan(x).any()
        assert np.isinf(x).any()


def test_a_run_agrees_with_numpy(runtime):
    outcome = run(experiment(runtime, "softmax", x="[[0, 0], [1, nan]]", axis="-1"))
    assert outcome.agrees
    np.testing.assert_array_equal(
        outcome.results["out"], np.array([[0.5, 0.5], [np.nan, np.nan]], np.float32)
    )
    assert outcome.inputs["axis"] == -1
    assert list(run(experiment(runtime, "layer_norm", x="4x8")).results) == [
        *("out", "mean", "variance")
    ]


def test_a_difference_says_where_and_by_how_much(runtime):
    one = experiment(runtime, "add", x="[[1, 2], [3, 4]]", y="[[1, 1], [1, 1]]")
    wrong = replace(one.instance.template, reference=lambda x, y: np.asarray(x) * np.asarray(y))
    one.kernel.implementation, right = wrong, one.kernel.implementation
    try:
        outcome = run(one)
    finally:
        one.kernel.implementation = right
    assert [str(d) for d in outcome.differences] == [
        "4 of 4 elements of out differ; the first is [0, 0]: 2.0, and NumPy has 1.0, off by 1"
    ]


@pytest.mark.parametrize(
    ("name", "texts", "said"),
    [
        (
            "softmax",
            {"x": "3x4", "axis": "2"},
            r"Attr\(axis\) value should be in range \[-R, R-1\]",
        ),
        ("softmax", {"x": "4096y"}, "x: '4096y' is no shape"),
        ("softmax", {"axis": "one"}, "axis: 'one' is no number"),
        ("softmax", {"x": "1e15"}, "fail to alloc memory"),
        ("add", {"x": "2x3", "y": "4"}, "Broadcast dimension mismatch"),
        ("transpose", {"x": "3x5x7"}, "transpose: axes don't match array"),
        ("cast", {"out_dtype": "pstring"}, "pstring has no NumPy dtype"),
        ("flip", {}, "nobody wrote the kernel in Python"),
    ],
)
def test_what_cannot_be_run_is_refused_in_the_kernels_words(runtime, name, texts, said):
    with pytest.raises(KernelError, match=said):
        run(experiment(runtime, name, **texts))


def test_it_is_timed_beside_numpy(runtime):
    timed = time_it(experiment(runtime, "add", x="1000"), seconds=0.02)
    assert timed.elements == 1000
    assert timed.bytes == 12_000
    assert timed.by == "its own functions"
    assert timed.ratio > 0
    assert timed.ours.spread >= 0


def test_the_sentence_never_contradicts_the_bars(runtime):
    """The ratio is of the rounds, the bars are of the medians: where the two disagree, neither is
    ahead."""
    ours, numpy = Timing((1.0, 2.0, 3.0, 9.0, 9.9)), Timing((9.0, 1.9, 2.9, 5.0, 5.5))
    there = Timed(ours, numpy, "its own functions", 12, 1)
    said = "\n".join(
        "".join(text for text, *_ in parts)
        for parts in measured(experiment(runtime, "add", x="1"), there, 60)
    )
    assert "no difference that this run can tell" in said
    assert "as fast" not in said
    narrow = measured(experiment(runtime, "add", x="1"), there, 40)
    words = [" ".join("".join(text for text, *_ in parts).split()) for parts in narrow]
    assert "no difference that this run can tell" in " ".join(words)
    assert max(sum(len(text) for text, *_ in parts) for parts in narrow) <= 40


def test_a_case_of_the_benchmark_is_on_the_same_arguments(runtime):
    one = experiment(runtime, "softmax", x="3x5", axis="0", data="ramp")
    case = case_of(one)
    assert (case.size, case.kernel) == (15, "softmax")
    x, axis = case.make(np.random.default_rng(0))
    assert (x.tolist()[1], axis) == ([5, 6, 7, 8, 9], 0)


def test_the_code_of_a_cpu_kernel_can_be_read(runtime):
    there = {code.title: code for code in codes(experiment(runtime, "add", x="4"))}
    assert list(there)[-2:] == ["Asm", "LLVM"]
    assert "define" in there["LLVM"].text
    assert len(there["Asm"].text) > 1000


def test_the_cuda_source_of_a_gpu_kernel_can_be_read_without_a_gpu(tmp_path):
    text = (PHI / "elementwise_kernel.cc").read_text().replace('"kernel', f'"{PHI}/kernel')
    path = tmp_path / "gpu.cc"
    path.write_text(text.replace("CPU", "GPU"))
    one = experiment(load([path]).phi, "add", backend="GPU")
    there = {code.title: code for code in codes(one)}
    assert "AddKernel(" in there["CUDA"].text
    assert ".entry" in there["PTX"].text or "NVRTC" in there["PTX"].told
