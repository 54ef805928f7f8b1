"""The operators of the third seed that PyTorch has, too, give what PyTorch gives."""

from __future__ import annotations

import numpy as np
import pytest

from registry_runtime.kernels import find
from registry_runtime.phi.data_type import DataType

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")


@pytest.mark.parametrize("onesided", [True, False])
@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize(("n", "hop"), [(512, 128), (30, 7), (17, 4)])
def test_stft_and_its_gradient(n: int, hop: int, normalized: bool, onesided: bool) -> None:
    rng, T = np.random.default_rng(n), DataType.FLOAT64
    x, window = rng.standard_normal((2, 1000)), rng.standard_normal(n)
    signal = torch.from_numpy(x).requires_grad_()
    theirs = torch.stft(
        signal,
        n,
        hop,
        n,
        torch.from_numpy(window),
        center=False,
        normalized=normalized,
        onesided=onesided,
        return_complex=True,
    )
    forward, backward = find("phi::StftKernel"), find("phi::StftGradKernel")
    assert forward
    assert backward
    out = forward.instantiate(T, "CPUContext").launch(x, window, n, hop, normalized, onesided)
    np.testing.assert_allclose(out, theirs.detach().numpy(), atol=1e-11)
    grad = rng.standard_normal(out.shape) + 1j * rng.standard_normal(out.shape)
    theirs.backward(torch.from_numpy(grad))
    ours = backward.instantiate(T, "CPUContext").launch(
        x, window, grad, n, hop, normalized, onesided
    )
    np.testing.assert_allclose(ours, signal.grad.numpy(), atol=1e-11)
