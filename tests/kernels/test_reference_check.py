"""What `unfold run NAME --check` says of a kernel for GPUs alone, where there is none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from registry_runtime.kernels import library
from registry_runtime.kernels.device import NoDevice
from registry_runtime.kernels.nvrtc import NotInstalled
from registry_runtime.lab.phi import reference_check
from registry_runtime.lab.phi.reference_check import check_reference
from registry_runtime.lab.phi.selection import find_registered
from registry_runtime.phi.kernel import Kernel
from registry_runtime.phi.kernel_template import KernelError
from tests.samples.native import SAMPLES
from visualizer.workbench.linking import load

ALONE = [template for template in library() if template.backends == {"GPU"}]
MISSING = NoDevice("a CUDA device (none here)", "run it where there is one")


@pytest.fixture(scope="module")
def kernels() -> dict[str, list[Kernel]]:
    """What the samples register of each template that has no build for the CPU."""
    names = {template.name for template in ALONE}
    found: dict[str, list[Kernel]] = {}
    for of_one_name in load(sorted(SAMPLES.glob("*_kernel.cc"))).phi.factory.kernels.values():
        for kernel in of_one_name.values():
            if kernel.implementation is not None and kernel.implementation.name in names:
                found.setdefault(kernel.implementation.name, []).append(kernel)
    return found


def without_nvrtc(*_: Any) -> str:
    raise NotInstalled("NVRTC can't be loaded")


def wrong(*_: Any) -> str:
    raise KernelError("NVRTC does not compile it")


@pytest.mark.parametrize("template", ALONE, ids=lambda template: template.name)
def test_every_reference_is_confirmed_for_every_data_type(
    template: Any, kernels: dict[str, list[Kernel]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference_check, "ptx", without_nvrtc)
    assert len(kernels[template.name]) == len(template.dtypes)
    for kernel in kernels[template.name]:
        for size in (1, 50):
            checked = check_reference(kernel, size, MISSING)
            assert checked.agrees, (size, checked.furthest)
            assert checked.passed


def test_the_report_says_what_was_compiled_and_what_was_not_run(
    kernels: dict[str, list[Kernel]], monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = kernels["phi::fusion::FusionGroupKernel"][0]
    for compile, said, passed in [
        (lambda *_: "PTX\n", "compiled but not run: NVRTC made 1 lines", True),
        (without_nvrtc, "neither compiled nor run: NVRTC can't be loaded", True),
        (wrong, "neither compiled nor run: NVRTC does not compile it", False),
    ]:
        monkeypatch.setattr(reference_check, "ptx", compile)
        checked = check_reference(kernel, 10, MISSING)
        report = "\n".join(checked.report())
        assert said in report
        assert "needs a CUDA device (none here)" in report
        assert "agrees with Python's own evaluation" in report
        assert checked.passed == passed


def test_a_wrong_reference_is_found(
    kernels: dict[str, list[Kernel]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference_check, "ptx", without_nvrtc)
    kernel = kernels["phi::fusion::FusedBatchNormActGradKernel"][0]
    template = next(t for t in ALONE if t.name == "phi::fusion::FusedBatchNormActGradKernel")

    def off(*args: Any) -> Any:
        x_grad, scale_grad, bias_grad = template.reference(*args)
        return x_grad, scale_grad * 1.001, bias_grad

    monkeypatch.setattr(kernel, "implementation", replace(template, reference=off))
    checked = check_reference(kernel, 50, MISSING)
    assert not checked.passed
    assert "DISAGREES with finite differences" in "\n".join(checked.report())


def test_a_kernel_with_a_build_for_the_cpu_needs_none_of_this() -> None:
    runtime = load([SAMPLES / "softmax_kernel.cc"]).phi
    with pytest.raises(NoDevice, match="run the CPU kernel"):
        check_reference(find_registered(runtime, "softmax"), 10, MISSING)
