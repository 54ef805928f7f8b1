"""How a kernel is found: by name, then by key, with what Paddle concedes on the way."""

import pytest

from registry_runtime.phi import (
    AlreadyExists,
    Backend,
    CustomKernelMap,
    DataLayout,
    DataType,
    Kernel,
    KernelFactory,
    KernelKey,
    NotFound,
)
from tests.phi.registrations import BINARY, registration, run

(SOME_KERNEL,) = (
    entry.kernel for entry in run(BINARY + registration(dtypes=("int",))).registrations
)


def key(
    backend: Backend, dtype: DataType = DataType.INT32, layout: DataLayout = DataLayout.ALL_LAYOUT
) -> KernelKey:
    return KernelKey(backend, layout, dtype)


def kernel() -> Kernel:
    return Kernel(SOME_KERNEL.fn, SOME_KERNEL.variadic_fn)


def factory_with(*keys: KernelKey) -> KernelFactory:
    return KernelFactory({"add": {k: kernel() for k in keys}})


def test_a_kernel_is_selected_by_name_and_key() -> None:
    factory = factory_with(key(Backend.CPU), key(Backend.CPU, DataType.BOOL))
    result = factory.SelectKernelOrThrowError("add", key(Backend.CPU))
    assert result.kernel is factory.kernels["add"][key(Backend.CPU)]
    assert not result.has_fallback_cpu


def test_the_layout_of_the_call_does_not_count() -> None:
    factory = factory_with(key(Backend.CPU))
    nhwc = key(Backend.CPU, layout=DataLayout.NHWC)
    result = factory.SelectKernelOrThrowError("add", nhwc)
    assert result.kernel is factory.kernels["add"][key(Backend.CPU)]
    assert factory.HasKernel("add", nhwc)


def test_a_missing_gpu_kernel_falls_back_to_the_cpus() -> None:
    factory = factory_with(key(Backend.CPU))
    result = factory.SelectKernelOrThrowError("add", key(Backend.GPU))
    assert result.has_fallback_cpu
    assert result.kernel is factory.kernels["add"][key(Backend.CPU)]
    assert not factory.HasKernel("add", key(Backend.GPU))


def test_without_the_flag_nothing_falls_back() -> None:
    factory = factory_with(key(Backend.CPU))
    factory.enable_api_kernel_fallback = False
    with pytest.raises(
        NotFound, match=r"with key \(GPU, Undefined\(AnyLayout\), int32\)"
    ) as raised:
        factory.SelectKernelOrThrowError("add", key(Backend.GPU))
    # Paddle says how to go on, but not where the CPU itself has no kernel.
    assert "please set the flag true before run again." in str(raised.value)
    with pytest.raises(NotFound) as raised:
        factory.SelectKernelOrThrowError("add", key(Backend.CPU, DataType.BOOL))
    assert "set the flag" not in str(raised.value)


def test_a_strided_kernel_is_preferred_if_it_is_asked_for() -> None:
    strided = key(Backend.CPU, layout=DataLayout.STRIDED)
    factory = factory_with(key(Backend.CPU), strided)
    assert not factory.SelectKernelOrThrowError("add", key(Backend.CPU)).is_stride_kernel
    result = factory.SelectKernelOrThrowError("add", key(Backend.CPU), use_strided_kernel=True)
    assert result.is_stride_kernel
    assert result.kernel is factory.kernels["add"][strided]


def test_with_cuda_a_gpudnn_call_is_served_by_gpudnn_and_then_by_gpu() -> None:
    factory = factory_with(key(Backend.GPU))
    factory.with_cuda = True
    select = factory.SelectKernelOrThrowError
    assert select("add", key(Backend.GPUDNN)).kernel is factory.kernels["add"][key(Backend.GPU)]
    factory.kernels["add"][key(Backend.GPUDNN)] = kernel()
    assert select("add", key(Backend.GPUDNN)).kernel is factory.kernels["add"][key(Backend.GPUDNN)]


def test_an_unknown_name_is_not_registered() -> None:
    for look_up in (KernelFactory().HasKernel, KernelFactory().SelectKernelOrThrowError):
        with pytest.raises(NotFound, match=r"^The kernel `mul` is not registered\.$"):
            look_up("mul", key(Backend.CPU))


def test_a_missing_dtype_is_told_with_those_that_there_are() -> None:
    factory = factory_with(key(Backend.CPU), key(Backend.CPU, DataType.BOOL))
    with pytest.raises(NotFound) as error:
        factory.SelectKernelOrThrowError("add", key(Backend.CPU, DataType.FLOAT32))
    assert str(error.value) == (
        "The kernel with key (CPU, Undefined(AnyLayout), float32) of kernel `add` is not registered."
        " Selected wrong DataType `float32`. Paddle support following DataTypes: int32, bool."
    )


def test_a_missing_backend_is_told_with_those_that_there_are() -> None:
    factory = factory_with(key(Backend.XPU), key(Backend.IPU))
    with pytest.raises(NotFound, match="fail to fallback to CPU one") as error:
        factory.SelectKernelOrThrowError("add", key(Backend.GPU))
    assert str(error.value).endswith(
        "Selected wrong Backend `GPU`. Paddle support following Backends: XPU, IPU."
    )


def test_custom_kernels_move_into_the_factory_and_replace_nothing_there() -> None:
    factory, custom = factory_with(key(Backend.CPU)), CustomKernelMap()
    custom.RegisterCustomKernel("add", key(Backend.CUSTOM), kernel())
    custom.RegisterCustomKernels(factory)
    assert key(Backend.CUSTOM) in factory.kernels["add"]
    assert custom.kernels == {}
    custom.RegisterCustomKernel("add", key(Backend.CPU), kernel())
    with pytest.raises(AlreadyExists, match=r"\[add:\(CPU, .*int32\)\] already exists in Paddle"):
        custom.RegisterCustomKernels(factory)


def test_a_custom_kernel_is_registered_once() -> None:
    custom = CustomKernelMap()
    custom.RegisterCustomKernel("add", key(Backend.CUSTOM), kernel())
    with pytest.raises(AlreadyExists, match="already exists in CustomKernelMap"):
        custom.RegisterCustomKernel("add", key(Backend.CUSTOM), kernel())


def test_selecting_without_falling_back() -> None:
    factory = factory_with(key(Backend.CPU))
    assert factory.SelectKernel("add", key(Backend.CPU, layout=DataLayout.NHWC)) is not None
    assert factory.SelectKernel("add", key(Backend.GPU)) is None
    assert factory.SelectKernel("sub", key(Backend.CPU)) is None


def test_fluids_operator_has_a_kernel_of_phis_by_its_name() -> None:
    factory = factory_with(key(Backend.CPU))
    assert factory.HasCompatiblePhiKernel("add")
    assert not factory.HasCompatiblePhiKernel("sub")


def test_where_one_key_is_taken_no_custom_kernel_moves() -> None:
    factory, waiting = factory_with(key(Backend.GPU)), CustomKernelMap()
    for backend in (Backend.CPU, Backend.GPU):
        waiting.RegisterCustomKernel("add", key(backend), kernel())
    with pytest.raises(AlreadyExists, match="already exists in Paddle"):
        waiting.RegisterCustomKernels(factory)
    assert list(factory.kernels["add"]) == [key(Backend.GPU)]
    assert list(waiting.kernels["add"]) == [key(Backend.CPU), key(Backend.GPU)]
