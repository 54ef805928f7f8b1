"""Which kernel a stub calls, and what it says where it has none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.stub import dispatch_stub
from registry_runtime.aten.stub.cpu_capability import (
    CPUCapability,
    capabilities,
    compute_cpu_capability,
)
from registry_runtime.aten.stub.dispatch_stub import (
    DispatchStub,
)
from registry_runtime.aten.tensor.device import DeviceType

DEFAULT, AVX2, AVX512 = CPUCapability.DEFAULT, CPUCapability.AVX2, CPUCapability.AVX512
VSX, ZVECTOR, SVE256 = CPUCapability.VSX, CPUCapability.ZVECTOR, CPUCapability.SVE256


def kernel(name: object) -> dispatch_stub.FnPtr:
    return lambda *arguments: (str(name), *arguments)


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, CPUCapability]]:
    """What this process can do, as far as stubs know."""
    process = {"has": AVX512}
    monkeypatch.setattr(dispatch_stub, "get_cpu_capability", lambda: process["has"])
    return process


def stub(*filled: CPUCapability, null: tuple[CPUCapability, ...] = ()) -> DispatchStub:
    made = DispatchStub("add_stub")
    for capability in filled:
        made.set_slot(capability, kernel(capability))
    for capability in null:
        made.set_slot(capability, None)
    return made


@pytest.mark.parametrize(
    ("has", "filled", "chosen"),
    [
        (AVX512, (DEFAULT, AVX2, AVX512), "AVX512"),
        (AVX512, (DEFAULT, AVX2), "AVX2"),
        (AVX2, (DEFAULT, AVX2, AVX512), "AVX2"),
        (DEFAULT, (DEFAULT, AVX2, AVX512), "DEFAULT"),
        (VSX, (DEFAULT, VSX), "VSX"),
        (ZVECTOR, (DEFAULT, ZVECTOR), "ZVECTOR"),
        (SVE256, (DEFAULT, SVE256), "SVE256"),
        (SVE256, (DEFAULT,), "DEFAULT"),
    ],
)
def test_the_greatest_slot_that_the_processor_allows_is_called(
    on: dict[str, CPUCapability],
    has: CPUCapability,
    filled: tuple[CPUCapability, ...],
    chosen: str,
) -> None:
    on["has"] = has
    assert stub(*filled)(DeviceType.CPU, 1, 2) == (chosen, 1, 2)


@pytest.mark.parametrize(
    ("has", "filled", "missing"),
    [
        (AVX512, (DEFAULT, AVX512), None),
        (AVX512, (DEFAULT,), "AVX2"),
        (AVX2, (DEFAULT, AVX512), "AVX2"),
        (VSX, (DEFAULT,), "VSX"),
        (DEFAULT, (AVX2,), "default"),
    ],
)
def test_an_empty_slot_is_an_error_though_a_lesser_one_is_filled(
    on: dict[str, CPUCapability],
    has: CPUCapability,
    filled: tuple[CPUCapability, ...],
    missing: str | None,
) -> None:
    on["has"] = has
    made = stub(*filled, null=() if AVX512 in filled else (AVX512,))
    if missing is None:
        made(DeviceType.CPU)
    else:
        with pytest.raises(TorchError, match=f"^DispatchStub: missing {missing} kernel$"):
            made(DeviceType.CPU)


def test_filling_or_emptying_a_slot_undoes_the_choice(on: dict[str, CPUCapability]) -> None:
    changes: list[None] = []
    made = DispatchStub("add_stub", lambda: changes.append(None))
    made.set_slot(AVX2, kernel("old"))
    assert made(DeviceType.CPU) == ("old",)
    made.set_slot(AVX2, kernel("new"))
    assert made(DeviceType.CPU) == ("new",)
    made.clear_slot(AVX2)
    with pytest.raises(TorchError, match=r"^DispatchStub: missing"):
        made(DeviceType.CPU)
    assert len(changes) == 3


def test_hip_fills_the_slot_of_cuda() -> None:
    made = stub(DEFAULT)
    made.set_cuda_dispatch_ptr(kernel("hip"))
    assert made(DeviceType.CUDA) == ("hip",)
    with pytest.raises(TorchError, match=r"^DispatchStub: missing kernel for hip$"):
        made(DeviceType.HIP)
    made.set_cuda_dispatch_ptr(kernel("cuda"))
    made.set_mps_dispatch_ptr(kernel("mps"))
    assert (made(DeviceType.CUDA), made(DeviceType.MPS)) == (("cuda",), ("mps",))


def test_a_device_that_no_stub_knows_is_named() -> None:
    with pytest.raises(TorchError, match=r"^DispatchStub: unsupported device typemeta$"):
        stub(DEFAULT)(DeviceType.Meta)


AVX2_FEATURES = frozenset({"avx2", "fma"})
AVX512_FEATURES = AVX2_FEATURES | {"avx512vl", "avx512bw", "avx512dq"}


@pytest.mark.parametrize(
    ("of", "asked", "features", "is_capability"),
    [
        ("x86", None, AVX512_FEATURES, AVX512),
        ("x86", None, AVX512_FEATURES - {"avx512dq"}, AVX2),
        ("x86", None, frozenset({"avx2"}), DEFAULT),
        ("x86", "avx2", AVX512_FEATURES, AVX2),
        ("x86", "default", AVX512_FEATURES, DEFAULT),
        ("x86", "avx512", AVX2_FEATURES, AVX512),
        ("ppc", None, frozenset(), VSX),
        ("ppc", "default", frozenset(), DEFAULT),
        ("s390x", None, frozenset({"vector-enhancements-1"}), ZVECTOR),
        ("s390x", None, frozenset(), DEFAULT),
        ("s390x", "zvector", frozenset(), ZVECTOR),
        ("aarch64", None, frozenset({"sve", "bf16"}), DEFAULT),
    ],
)
def test_the_environment_has_its_say_before_the_processor(
    of: str, asked: str | None, features: frozenset[str], is_capability: CPUCapability
) -> None:
    environ = {} if asked is None else {"ATEN_CPU_CAPABILITY": asked}
    assert compute_cpu_capability(environ, features, of) is is_capability


@pytest.mark.parametrize(
    ("of", "asked", "warning"),
    [
        ("x86", "vsx", "ignoring invalid value for ATEN_CPU_CAPABILITY: vsx"),
        ("x86", "AVX2", "ignoring invalid value for ATEN_CPU_CAPABILITY: AVX2"),
        (
            "aarch64",
            "sve256",
            "SVE256 capability not available on hardware. Falling back to DEFAULT",
        ),
    ],
)
def test_what_it_asks_for_in_vain_is_a_warning(of: str, asked: str, warning: str) -> None:
    with pytest.warns(UserWarning, match=f"^{warning}$"):
        got = compute_cpu_capability({"ATEN_CPU_CAPABILITY": asked}, frozenset(), of)
    assert got is DEFAULT


def test_vsx_and_zvector_stand_where_avx2_does() -> None:
    assert [c.number for c in capabilities("x86")] == [0, 1, 2]
    assert [c.number for c in capabilities("aarch64")] == [0, 1, 2]
    assert capabilities("ppc") == (DEFAULT, VSX)
    assert capabilities("s390x") == (DEFAULT, ZVECTOR)
