"""Calls on a filled registry: both ways into a kernel, selection by the arguments, and what is told."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from registry_runtime import kernels
from registry_runtime.lab.phi.selection import find_registered
from registry_runtime.lab.phi.trial import try_kernel
from registry_runtime.phi import Backend, DataLayout, DataType, Kernel, KernelKey, Runtime
from registry_runtime.phi.call.kernel_call import Compute, VariadicCompute
from registry_runtime.phi.call.launch import launch_registered
from registry_runtime.phi.contexts import CPUContext, GPUContext
from registry_runtime.phi.dense_tensor import DenseTensor, DenseTensorMeta
from registry_runtime.phi.enforce import EnforceNotMet, InvalidArgument, OutOfRange
from registry_runtime.phi.kernel_context import KernelContext
from registry_runtime.phi.kernel_factory import KernelResult
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.meta_tensor import MetaTensor
from registry_runtime.phi.place import CPUPlace, CustomPlace, GPUPlace
from registry_runtime.phi.scalar import Scalar
from registry_runtime.phi.sparse_tensor import SparseCooTensor
from tests.phi.registrations import registration

X, Y = np.array([1, 2, 7], np.int32), np.array([3, 6, 5], np.int32)
CUSTOM_CPU = CustomPlace("CustomCPU")

AND = """
namespace phi {
template <typename T, typename Context>
void BitwiseAndKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y,
                      DenseTensor* out) {}
}
"""
LIKE = """
namespace phi {
template <typename T, typename Context>
void FullBatchSizeLikeKernel(const Context& dev_ctx, const DenseTensor& x,
                             const std::vector<int>& shape, const Scalar& val, DataType dtype,
                             int x_batch_size_dim, int out_batch_size_dim, DenseTensor* out) {}
}
"""
FULL = LIKE + registration(
    "full_batch_size_like",
    "phi::FullBatchSizeLikeKernel",
    ("float", "int"),
    braces="{ kernel->InputAt(0).SetBackend(phi::Backend::ALL_BACKEND); }",
)


def bitwise_and(**how: Any) -> str:
    how = {"dtypes": ("int",)} | how
    return registration("bitwise_and", "phi::BitwiseAndKernel", **how)


def runtime(*registrations: str) -> Runtime:
    filled = Runtime(kernels.find)
    result = filled.run(AND + "".join(registrations or (bitwise_and(), FULL)))
    assert result.diagnostics == ()
    return filled


def with_plug_in() -> Runtime:
    """bitwise_and of int32 on the CPU and CustomCPU, of int64 on the CPU alone."""
    on_device = {"backend": "CustomCPU", "context": "::phi::CustomContext", "reg_type": "OUTER"}
    filled = runtime(bitwise_and(dtypes=("int", "int64_t")), bitwise_and(**on_device))
    filled.load_custom_device("CustomCPU")
    return filled


def kernel(name: str = "bitwise_and", dtype: DataType = DataType.INT32) -> Kernel:
    return runtime().factory.kernels[name][KernelKey(Backend.CPU, DataLayout.ALL_LAYOUT, dtype)]


def box(*inputs: Any, attrs: tuple[Any, ...] = (), outputs: tuple[Any, ...] = ()) -> KernelContext:
    ctx = KernelContext(CPUContext())
    for tensor in inputs:
        ctx.EmplaceBackInput(tensor)
    for attr in attrs:
        ctx.EmplaceBackAttr(attr)
    for tensor in outputs:
        ctx.EmplaceBackOutput(tensor)
    return ctx


class TestBothWays:
    def test_into_bitwise_and(self) -> None:
        x, y, out, straight = DenseTensor(X), DenseTensor(Y), DenseTensor(), DenseTensor()
        Compute(kernel(), box(x, y, outputs=(out,)))
        VariadicCompute(kernel(), CPUContext(), x, y, straight)
        assert np.array_equal(out, X & Y)
        assert np.array_equal(straight, X & Y)
        assert out.place == CPUPlace()

    def test_into_full_batch_size_like(self) -> None:
        x, attrs = DenseTensor(X), ([-1, 2], Scalar(4), DataType.INT32, 0, 0)
        out, straight = DenseTensor(), DenseTensor()
        full = kernel("full_batch_size_like")
        Compute(full, box(x, attrs=attrs, outputs=(out,)))
        VariadicCompute(full, CPUContext(), x, *attrs, straight)
        assert np.array_equal(out, np.full((3, 2), 4, np.int32))
        assert np.array_equal(straight, out)

    def test_memory_that_is_there_is_written(self) -> None:
        memory = np.zeros(3, np.int32)
        Compute(kernel(), box(DenseTensor(X), DenseTensor(Y), outputs=(DenseTensor(memory),)))
        assert np.array_equal(memory, X & Y)

    def test_too_few_and_too_many(self) -> None:
        x, out = DenseTensor(X), DenseTensor()
        with pytest.raises(OutOfRange, match=r"InputRangeAt\(1\) is out of range"):
            Compute(kernel(), box(x, outputs=(out,)))
        with pytest.raises(InvalidArgument, match="takes 2 inputs, and the context has 3"):
            Compute(kernel(), box(x, x, x, outputs=(out,)))
        with pytest.raises(InvalidArgument, match="takes 0 attributes, and the context has 1"):
            Compute(kernel(), box(x, x, attrs=(1,), outputs=(out,)))
        with pytest.raises(OutOfRange, match=r"takes 3 arguments \(x, y, out\), got 2"):
            VariadicCompute(kernel(), CPUContext(), x, out)

    def test_the_wrong_type(self) -> None:
        x, out = DenseTensor(X), DenseTensor()
        sparse = SparseCooTensor.from_dense(X)
        with pytest.raises(InvalidArgument, match="wanted as DenseTensor, and is SparseCooTensor"):
            Compute(kernel(), box(x, sparse, outputs=(out,)))
        attrs = ([-1], Scalar(4), DataType.INT32, 0, "0")
        with pytest.raises(InvalidArgument, match="Attribute cast error in Op Kernel Context"):
            Compute(kernel("full_batch_size_like"), box(x, attrs=attrs, outputs=(out,)))
        with pytest.raises(InvalidArgument, match=r"is a DenseTensor\*, not ndarray"):
            VariadicCompute(kernel(), CPUContext(), x, x, X)
        with pytest.raises(InvalidArgument, match="compiled for CPUContext, not for GPUContext"):
            VariadicCompute(kernel(), GPUContext(GPUPlace()), x, x, out)

    def test_an_output_of_other_dims(self) -> None:
        out = DenseTensor.with_meta(DenseTensorMeta(DataType.INT32, (4,)))
        with pytest.raises(InvalidArgument, match=r"declared with dims \[4\]"):
            Compute(kernel(), box(DenseTensor(X), DenseTensor(Y), outputs=(out,)))


class TestCall:
    def test_the_same_call_again_is_looked_up(self) -> None:
        filled = runtime()
        for x in (X, X[::-1], X[:1], X.reshape(3, 1)):
            assert np.array_equal(filled.call("bitwise_and", x, Y), x & Y)
        assert list(filled.factory.launchers) == [("bitwise_and", X.dtype, Y.dtype)]

    def test_what_was_looked_up_is_forgotten_when_the_registry_changes(self) -> None:
        filled = runtime(bitwise_and(dtypes=("int",)))
        filled.call("bitwise_and", X, Y)
        assert filled.factory.launchers
        filled.run(FULL)
        assert not filled.factory.launchers
        assert np.array_equal(filled.call("bitwise_and", X, Y), X & Y)

    def test_a_known_call_with_one_argument_more_is_refused(self) -> None:
        filled = runtime()
        filled.call("bitwise_and", X, Y)
        out = np.zeros_like(X)
        with pytest.raises(KernelError, match=r"takes 2 arguments \(x, y\), got 3"):
            filled.call("bitwise_and", X, Y, out)
        with pytest.raises(KernelError, match="got 1"):
            filled.call("bitwise_and", X)
        assert not out.any()

    @pytest.mark.parametrize("dtype", [DataType.INT32, np.int32, "int32"])
    def test_an_attribute_names_the_data_type_where_the_operator_says_so(self, dtype: Any) -> None:
        filled = runtime()
        for _ in range(2):
            full = filled.call("full_batch_size_like", np.zeros((3, 1)), [-1, 2], 4, dtype, 0, 0)
            assert np.array_equal(full, np.full((3, 2), 4, np.int32))
            assert full.dtype == np.int32

    def test_a_call_without_a_runtime(self) -> None:
        assert launch_registered(runtime().factory, "bitwise_and", (X, Y)).tolist() == [1, 2, 5]

    def test_a_channels_last_tensor_is_made_what_the_kernel_expects(self) -> None:
        x = np.arange(24, dtype=np.int32).reshape(1, 2, 3, 4)
        tensor = DenseTensor(x, DataLayout.NHWC)
        first = x.transpose(0, 3, 1, 2)
        assert np.array_equal(runtime().call("bitwise_and", tensor, first), first)

    WRONG: tuple[tuple[str, tuple[Any, ...], str], ...] = (
        ("bitwise_nd", (X, Y), "The kernel `bitwise_nd` is not registered."),
        (
            "bitwise_and",
            (X, Y.astype(np.float32)),
            "The kernel with key (CPU, Undefined(AnyLayout), float32) of kernel `bitwise_and` "
            "is not registered.",
        ),
        (
            "bitwise_and",
            (X.astype(np.int64), Y),
            "bitwise_and(): argument 'x' (position 0): The type of data we are trying to retrieve "
            "(int32) does not match the type of data (int64) currently contained in the container.",
        ),
        (
            "bitwise_and",
            (X, 3),
            "bitwise_and(): argument 'y' (position 1) must be Tensor, but got int",
        ),
        ("bitwise_and", (X, Y[:2]), "Broadcast dimension mismatch."),
        ("bitwise_and", (X,), "bitwise_and takes 2 arguments (x, y), got 1"),
        ("bitwise_and", (X, Y.astype(">i4")), "PHI has no data type for NumPy's >i4"),
        (
            "bitwise_and",
            (X, SparseCooTensor.from_dense(Y)),
            "argument 'y' must be DenseTensor, but got SparseCooTensor",
        ),
        (
            "bitwise_and",
            (X, DenseTensor(Y, held_at=CustomPlace("NPU"))),
            "Invalid CustomPlace(NPU, 0), the device type is not registered as a custom device.",
        ),
        ("full_batch_size_like", (X, [-1], 4, "text", 0, 0), "must be DataType, but got str"),
        ("full_batch_size_like", (X, [-1], 4, DataType.INT32, 0.5, 0), "x_batch_size_dim"),
    )

    @pytest.mark.parametrize(("name", "arguments", "message"), WRONG)
    def test_a_wrong_call_is_refused_and_the_registry_still_works(
        self, name: str, arguments: tuple[Any, ...], message: str
    ) -> None:
        filled = runtime()
        for _ in range(2):
            with pytest.raises(KernelError) as caught:
                filled.call(name, *arguments)
            assert message in str(caught.value)
            assert filled.call("bitwise_and", X, Y).tolist() == [1, 2, 5]
        assert message in filled.explain_call(name, *arguments).error

    def test_more_memory_than_there_is(self) -> None:
        filled = runtime()
        wide = np.broadcast_to(np.int32(1), (10**7, 1))
        for _ in range(2):
            with pytest.raises(KernelError, match=r"fail to alloc memory: .* shape \(10000000, 10"):
                filled.call("bitwise_and", wide, wide.T)
            assert filled.call("bitwise_and", X, Y).tolist() == [1, 2, 5]
        assert "fail to alloc" in filled.explain_call("bitwise_and", wide, wide.T).error

    def test_a_device_that_is_not_there(self) -> None:
        tensor = DenseTensor(X, held_at=GPUPlace(99))
        with pytest.raises(KernelError, match=r"GPU"):
            runtime().call("bitwise_and", tensor, Y)


class TestPlugIn:
    def test_its_device_takes_the_call_and_keeps_the_result(self) -> None:
        filled = with_plug_in()
        there = DenseTensor.at(X, CUSTOM_CPU)
        story = filled.explain_call("bitwise_and", there, Y)
        assert story.error == ""
        assert story.result.place == CUSTOM_CPU
        assert np.array_equal(story.result, X & Y)
        (transform,) = [step.fact for step in story.steps if step.kind == "transform"]
        assert (transform.argument, transform.after) == ("y", "Place(CustomCPU:0)")
        assert "phi::BitwiseAndKernel<int32, CustomContext> runs on CustomCPU" in {
            step.sentence for step in story.steps
        }

    def test_the_cpu_stands_in_and_the_result_goes_back(self) -> None:
        there = DenseTensor.at(X.astype(np.int64), CUSTOM_CPU)
        story = with_plug_in().explain_call("bitwise_and", there, there)
        assert [step.kind for step in story.steps] == [
            *("key", "selection", "transform", "transform", "infer", "launch", "output")
        ]
        assert "the CPU's is taken instead" in story.steps[1].sentence
        assert story.steps[-1].sentence == (
            "out is copied from Place(cpu) back to Place(CustomCPU:0), where the inputs are"
        )
        assert story.result.place == CUSTOM_CPU
        assert np.array_equal(story.result, X & X)

    def test_before_it_is_loaded_its_kernels_cannot_be_found(self) -> None:
        on_device = {"backend": "CustomCPU", "context": "::phi::CustomContext"}
        filled = runtime(bitwise_and(**on_device, reg_type="OUTER"))
        with pytest.raises(KernelError, match="waits in CustomKernelMap: a plug-in registered it"):
            find_registered(filled, "bitwise_and")


def test_what_is_tried_is_the_kernel_that_a_call_selects() -> None:
    filled = runtime(bitwise_and())
    filled.run(AND + bitwise_and(layout="STRIDED"))
    (selected,) = (
        step.fact
        for step in filled.explain_call("bitwise_and", X, Y).steps
        if isinstance(step.fact, KernelResult)
    )
    assert selected.is_stride_kernel
    assert find_registered(filled, "bitwise_and", "cpu", "int") is selected.kernel


def test_a_librarys_kernel_is_tried_where_a_call_takes_the_devices_own() -> None:
    filled = runtime(bitwise_and(backend="GPU", context="::phi::GPUContext"))
    with pytest.raises(KernelError, match="is not registered for GPUDNN; it is for GPU"):
        find_registered(filled, "bitwise_and", "gpudnn", "int")
    filled.factory.with_cuda = True
    (kernel,) = filled.factory.kernels["bitwise_and"].values()
    assert find_registered(filled, "bitwise_and", "gpudnn", "int") is kernel


def test_what_a_call_would_take_from_the_cpu_is_not_tried_as_a_devices() -> None:
    with pytest.raises(KernelError, match="on CustomCPU is not registered for int64"):
        find_registered(with_plug_in(), "bitwise_and", "CustomCPU", "int64_t")


class TestWhatTheRegistrationSaysOfOutputs:
    BOOL = bitwise_and(braces="{ kernel->OutputAt(0).SetDataType(phi::DataType::BOOL); }")

    def test_it_decides_what_infer_meta_leaves_open(self) -> None:
        def only_dims(x: MetaTensor, y: MetaTensor, out: MetaTensor) -> None:
            out.set_dims(x.dims)

        found = kernels.find("phi::BitwiseAndKernel")
        assert found is not None
        template = replace(found, infer_meta=only_dims)
        for text, dtype in ((self.BOOL, np.bool_), (bitwise_and(), np.int32)):
            filled = Runtime(find_kernel=lambda name: template)
            filled.run(AND + text)
            for _ in range(2):
                result = filled.call("bitwise_and", X, Y)
                assert result.dtype == dtype
                assert np.array_equal(result, (X & Y).astype(dtype))

    def test_a_trial_says_whether_it_holds(self) -> None:
        for text, said in (
            (bitwise_and(), "OutputAt(0) says that out holds int32, and it does"),
            (self.BOOL, "OutputAt(0) says that out holds bool, and the kernel wrote int32"),
        ):
            trial = try_kernel(find_registered(runtime(text), "bitwise_and"), 8)
            assert trial.agrees
            assert any(said in line for line in trial.report())


def test_a_story_tells_every_step() -> None:
    story = runtime().explain_call("bitwise_and", X[::-1], Y)
    assert [(step.kind, step.sentence) for step in story.steps] == [
        (
            "key",
            "the key is (CPU, Undefined(AnyLayout), int32): backend of x, data type of y; "
            "any layout is looked for",
        ),
        ("selection", "bitwise_and has a kernel for (CPU, Undefined(AnyLayout), int32)"),
        (
            "transform",
            "x is copied into one contiguous piece: the kernel isn't registered as STRIDED",
        ),
        ("infer", "out will have dims [3], and be int32 by InferMeta"),
        ("launch", "phi::BitwiseAndKernel<int32, CPUContext> runs on CPU"),
    ]
    assert np.array_equal(story.result, X[::-1] & Y)


def test_what_a_kernel_refuses_is_phis_own_kind_of_error() -> None:
    with pytest.raises(EnforceNotMet):
        Compute(kernel(), box())


@pytest.mark.paddle
def test_two_data_types_are_refused_as_in_the_installed_paddle() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        paddle = pytest.importorskip("paddle")
    filled = runtime(bitwise_and(dtypes=("int", "int64_t")))
    for x, y in ((X, Y.astype(np.int64)), (X.astype(np.int64), Y)):
        with pytest.raises(ValueError, match="trying to retrieve") as theirs:
            paddle._C_ops.bitwise_and(paddle.to_tensor(x), paddle.to_tensor(y))
        with pytest.raises(KernelError) as ours:
            filled.call("bitwise_and", x, y)
        _, _, said = str(ours.value).partition("(position 0): ")
        assert said
        assert said in str(theirs.value)


@pytest.mark.gpu
def test_on_a_gpu_the_cpu_stands_in_and_the_result_goes_back() -> None:
    cupy = pytest.importorskip("cupy")
    try:
        x = cupy.asarray(X)
    except cupy.cuda.runtime.CUDARuntimeError:
        pytest.skip("there is no CUDA device")
    result = runtime().call("bitwise_and", x, Y)  # registered for the CPU alone
    assert isinstance(result, cupy.ndarray)
    assert np.array_equal(result.get(), X & Y)
