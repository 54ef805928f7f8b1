"""Each library's call does what the kernel does: held to the kernel's own NumPy reference."""

import numpy as np
import pytest

from registry_runtime import kernels
from registry_runtime.benchmark import peers, threads
from registry_runtime.benchmark.sweep import Case, kernel_name
from registry_runtime.phi.data_type import DataType

DTYPES = (
    "bool",
    "uint8",
    "int32",
    "int64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "complex64",
)


@pytest.fixture(
    params=[
        "numpy",
        pytest.param("torch", marks=pytest.mark.torch),
        pytest.param("paddle", marks=pytest.mark.paddle),
    ]
)
def library(request):
    if not peers.installed(request.param):
        pytest.skip(f"{request.param} is not installed")
    return peers.open_library(request.param, "CPU")


def on_host(library, tensor):
    if library.name == "numpy":
        return np.asarray(tensor)
    if library.dtype_of(tensor) == "bfloat16":
        tensor = tensor.to(library.dtype(DataType.FLOAT32)) if library.name == "torch" else tensor
        return np.asarray(tensor.astype("float32") if library.name == "paddle" else tensor)
    return tensor.numpy()


# Paddle 3.3.1 makes float32s of integers here, and loses digits.
AS_FLOATS = {("paddle", "matmul"), ("paddle", "mean")}


# Operators that no library but Paddle has, and which Paddle itself can't call from Python.
PADDLES_OWN = {"pow2_decay_with_linear_warmup", "sequence_pool_grad"}
WITHOUT_A_PEER = {
    "numpy": PADDLES_OWN | {"stft_grad"},
    "torch": PADDLES_OWN | {"stft_grad"},
    "paddle": PADDLES_OWN | {"dequantize", "sequence_pool"},
}


ON_CPU = [kernel for kernel in kernels.library() if kernel.backends & {"CPU", "ONEDNN"}]


@pytest.mark.parametrize("template", ON_CPU, ids=kernel_name)
def test_a_peer_computes_the_same(library, template):
    compared = 0
    for dtype in (d for d in template.dtypes if str(d) in DTYPES):
        instance = Case(template, dtype, 64).instance
        arguments = instance.sample_inputs(64, np.random.default_rng(1))
        wanted = instance.reference(*arguments)
        wanted = wanted[0] if isinstance(wanted, tuple) else wanted
        try:
            with library.measuring():
                function, *passed = peers.call(
                    kernel_name(template), library, template.bind(*arguments)
                )
                theirs = function(*passed)
        except peers.Absent:
            continue
        except Exception:  # each has errors of its own for a dtype that it lacks
            continue
        if library.dtype_of(theirs) != str(DataType.of(wanted.dtype)):
            continue
        if wanted.dtype.kind in "iu" and (library.name, kernel_name(template)) in AS_FLOATS:
            continue
        compared += 1
        got = on_host(library, theirs)
        if wanted.dtype.kind in "biu":
            np.testing.assert_array_equal(got, wanted)
        else:
            loose = wanted.dtype.itemsize == 2
            tolerance = {"rtol": 2e-2, "atol": 2e-2} if loose else {"rtol": 1e-5, "atol": 1e-6}
            wide = np.complex128 if wanted.dtype.kind == "c" else np.float64
            np.testing.assert_allclose(got.astype(wide), wanted.astype(wide), **tolerance)
    assert compared or kernel_name(template) in WITHOUT_A_PEER[library.name]


def test_memory_is_shared_not_copied(library):
    array = np.zeros(4, np.float32)
    tensor = library.tensor(array)
    array[2] = 7
    assert float(tensor[2]) == 7


def test_a_library_that_is_not_there_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    monkeypatch.delitem(
        __import__("sys").modules, "registry_runtime.benchmark.peers.torch_calls", raising=False
    )
    with pytest.raises(peers.LibraryError, match="pip install torch"):
        peers.open_library("torch", "CPU")
    with pytest.raises(peers.LibraryError, match="numpy does not compute on the GPU"):
        peers.open_library("numpy", "GPU")


def test_threads_are_limited_and_restored():
    import numba

    before = numba.get_num_threads()
    with threads.limited_to(1):
        assert numba.get_num_threads() == 1
    assert numba.get_num_threads() == before
