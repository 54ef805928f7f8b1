"""GPU kernels give what NumPy gives, or say what is missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from registry_runtime.kernels import device, find
from registry_runtime.kernels.template import KernelTemplate
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.kernel_template import KernelError
from tests.kernels.gpu_cases import CASES, LAID_OUT, ON_A_GPU, UNKNOWN_TO_CUPY, laid_out


def _missing() -> str:
    try:
        device.cupy()
    except KernelError as error:
        return str(error)
    return ""


needs_gpu = [pytest.mark.gpu, pytest.mark.skipif(bool(_missing()), reason=_missing())]
BUILDS = [(t, dtype) for t in ON_A_GPU for dtype in sorted(t.dtypes - UNKNOWN_TO_CUPY)]


def on_host(value: Any) -> Any:
    return np.asarray(DenseTensor(value)) if hasattr(value, "__cuda_array_interface__") else value


class TestOnADevice:
    pytestmark = needs_gpu

    @pytest.mark.parametrize(
        ("template", "dtype"),
        BUILDS,
        ids=lambda v: v.name if isinstance(v, KernelTemplate) else str(v),
    )
    def test_random_arguments(self, template: KernelTemplate, dtype: DataType) -> None:
        instance = template.instantiate(dtype, "GPUContext")
        for size in (1, 1000, 1_000_003):
            args = instance.sample_inputs(size, np.random.default_rng(size))
            launched = instance.launch(*args)
            results = launched if isinstance(launched, tuple) else (launched,)
            assert all(hasattr(result, "__cuda_array_interface__") for result in results)
            assert instance.agrees(tuple(map(on_host, args)), tuple(map(on_host, results))), size
        assert instance.build().backend == "GPU"

    @pytest.mark.parametrize("name", CASES)
    def test_shapes_axes_and_flags(self, name: str) -> None:
        template = find(f"phi::{name}Kernel")
        assert template
        for dtype, args in CASES[name]():
            instance = template.instantiate(dtype, "GPUContext")
            launched = instance.launch(*args)
            results = launched if isinstance(launched, tuple) else (launched,)
            assert instance.agrees(args, tuple(map(on_host, results))), (dtype, args)

    @pytest.mark.parametrize(("name", "T"), LAID_OUT)
    def test_however_the_operands_lie_in_memory(self, name: str, T: DataType) -> None:
        for instance, args in laid_out(name, T):
            result = on_host(instance.launch(*args))
            assert instance.agrees(tuple(map(on_host, args)), result), [x.shape for x in args[:2]]


@pytest.mark.parametrize("template", ON_A_GPU, ids=lambda template: template.name)
def test_registering_a_gpu_kernel_takes_no_gpu(template: KernelTemplate) -> None:
    assert "GPU" in template.backends
    assert repr(template.instantiate(DataType.INT32, "GPUContext")).endswith("<int32, GPUContext>")


class _Cuda:
    """CuPy's `cuda`, where the driver finds `devices` or fails."""

    class runtime:
        class CUDARuntimeError(RuntimeError):
            pass

    def __init__(self, devices: int | None) -> None:
        def count() -> int:
            if devices is None:
                raise self.runtime.CUDARuntimeError("cudaErrorNoDevice")
            return devices

        self.runtime.getDeviceCount = staticmethod(count)  # type: ignore[attr-defined]


@pytest.mark.parametrize("template", ON_A_GPU, ids=lambda template: template.name)
@pytest.mark.parametrize(
    ("devices", "message"),
    [("no CuPy", "needs CuPy"), (None, "cudaErrorNoDevice"), (0, "CuPy sees none")],
    ids=str,
)
def test_what_is_missing_is_said_when_it_is_built_or_launched(
    monkeypatch: pytest.MonkeyPatch, template: KernelTemplate, devices: Any, message: str
) -> None:
    import sys
    from types import SimpleNamespace

    fake = None if devices == "no CuPy" else SimpleNamespace(cuda=_Cuda(devices))
    monkeypatch.setitem(sys.modules, "cupy", fake)
    # A dtype that no other test builds, lest the instance be built already where there is a GPU.
    rare = (DataType.UINT16, DataType.FLOAT16, max(template.dtypes))
    dtype = next(dtype for dtype in rare if dtype in template.dtypes)
    instance = template.instantiate(dtype, "GPUContext")
    for attempt in (instance.build, lambda: instance.launch(np.ones(1, np.uint16))):
        with pytest.raises(KernelError, match=message) as caught:
            attempt()
        assert "run the CPU kernel" in str(caught.value)
