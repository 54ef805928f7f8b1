"""`stft` and `stft_grad`: the spectrum of each frame of a signal, and where its gradient goes.

A frame is `n_fft` samples under a window; the next begins `hop_length` later. Real frames have
spectra that are symmetric, so half of one is enough (`onesided`). The gradient of a frame is the
transform the other way, of the spectrum's gradient, of which only the real part counts; where frames
overlap their gradients add up. `host` has both for the CPU, `device` for the GPU.

Source: `paddle/phi/kernels/impl/stft_kernel_impl.h`, `stft_grad_kernel_impl.h`. Paddle 3.3.1 itself
throws where `onesided` is false; what PyTorch does then is done here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.kernels import cpu, gpu
from registry_runtime.kernels.stft import device, host, reference
from registry_runtime.kernels.stft.spectrum import complex_of
from registry_runtime.kernels.template import Context, KernelTemplate, Out, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.binary import StftInferMeta
from registry_runtime.phi.infermeta.unary import UnchangedInferMeta


def signature(
    dev_ctx: Context,
    x: DenseTensor,
    window: DenseTensor,
    n_fft: int,
    hop_length: int,
    normalized: bool,
    onesided: bool,
    out: Out,
) -> None: ...


def grad_signature(
    dev_ctx: Context,
    x: DenseTensor,
    window: DenseTensor,
    out_grad: DenseTensor,
    n_fft: int,
    hop_length: int,
    normalized: bool,
    onesided: bool,
    x_grad: Out,
) -> None: ...


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    n_fft = max(1, min(512, size))
    hop = max(1, n_fft // 4)
    length = max(n_fft, min(size, 16_384))
    x = random_array(T, (max(1, size // length), length), rng)
    window = np.hanning(n_fft + 2)[1:-1].astype(T.numpy)
    return x, window, n_fft, hop, False, True


def grad_sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    x, window, n_fft, hop, *how = sample(T, size, rng)
    shape = (len(x), n_fft // 2 + 1, 1 + (x.shape[1] - n_fft) // hop)
    return x, window, random_array(complex_of(T), shape, rng), n_fft, hop, *how


StftKernel = KernelTemplate(
    name="phi::StftKernel",
    signature=signature,
    dtypes=frozenset({DataType.FLOAT32, DataType.FLOAT64}),
    infer_meta=StftInferMeta,
    reference=reference.spectra,
    builders={"CPU": cpu.planned(host.build), "GPU": gpu.function(device.build, device.cuda_text)},
    sample=sample,
    roundings=8,
    magnitude=reference.magnitude,
)
StftGradKernel = KernelTemplate(
    name="phi::StftGradKernel",
    signature=grad_signature,
    dtypes=frozenset({DataType.FLOAT32, DataType.FLOAT64}),
    infer_meta=UnchangedInferMeta,
    param=("x",),
    reference=reference.gradient,
    builders={
        "CPU": cpu.planned(host.grad_build),
        "GPU": gpu.function(device.grad_build, device.cuda_text),
    },
    sample=grad_sample,
    accepts={"out_grad": frozenset({DataType.COMPLEX64, DataType.COMPLEX128})},
    roundings=8,
    magnitude=reference.gradient_magnitude,
)
