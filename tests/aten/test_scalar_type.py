"""PyTorch's types, numbers and devices, asked of PyTorch."""

# ruff: noqa: B023  (lambdas in loops are called where they stand)
from __future__ import annotations

import itertools
import math
import re
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.device import Device
from registry_runtime.aten.tensor.promotion import can_cast
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import (
    ScalarType,
    is_complex_type,
    is_floating_type,
)
from registry_runtime.aten.tensor.type_properties import promote_types_checked

REAL = [kind for kind in ScalarType if kind is not ScalarType.Undefined]
# Those that `add` is compiled for.
ADDED = [ScalarType(number) for number in (*range(12), 15)]


def test_numpy_dtypes_lead_there_and_back() -> None:
    for kind in ADDED:
        assert ScalarType.of(kind.numpy) is kind
        assert kind.numpy.itemsize == kind.itemsize
    assert ScalarType.of("float32") is ScalarType.Float
    with pytest.raises(TypeError, match="datetime64"):
        ScalarType.of("datetime64[s]")
    with pytest.raises(TypeError, match="QInt8"):
        ScalarType.QInt8.numpy  # noqa: B018


def test_printing() -> None:
    assert f"{ScalarType.ComplexHalf} {ScalarType.Undefined}" == "ComplexHalf UNKNOWN_SCALAR"
    assert ScalarType.named("float") is ScalarType.named("float32") is ScalarType.Float


def test_a_scalar_converts_as_a_c_cast_does() -> None:
    assert Scalar(-1).to(ScalarType.Byte) == 255
    assert Scalar(-2.9).to(ScalarType.Int) == -2
    assert Scalar(2).to(ScalarType.ComplexHalf).item() == (2.0, 0.0)
    assert Scalar(2**63).type is ScalarType.UInt64
    assert Scalar(np.float32(1.5)) == Scalar(1.5)
    with pytest.raises(TypeError, match="str"):
        Scalar("1")
    with pytest.raises(TorchError, match="without overflow"):
        Scalar(math.nan).to(ScalarType.Int)


@pytest.mark.torch
def test_numbers_and_names_are_torch_s() -> None:
    torch = pytest.importorskip("torch")
    for kind in REAL:
        dtype = getattr(torch, kind.torch_name, None)
        if dtype is None:  # a type that C++ has and Python doesn't name
            continue
        assert str(dtype) == f"torch.{kind.torch_name}"
        assert dtype.itemsize == kind.itemsize
        assert dtype.is_floating_point == is_floating_type(kind)
        assert dtype.is_complex == is_complex_type(kind)
    header = Path(torch.__file__).parent / "include/torch/headeronly/core/ScalarType.h"
    listed = re.findall(r"_\((.+), (\w+)\) /\* (\d+) \*/", header.read_text())
    assert [(kind.cpp, kind.name, str(int(kind))) for kind in REAL] == listed


def _torch(kind: ScalarType):  # type: ignore[no-untyped-def]
    import torch

    return getattr(torch, kind.torch_name)


@pytest.mark.torch
def test_promotion_of_every_pair_is_torch_s() -> None:
    torch = pytest.importorskip("torch")
    for a, b in itertools.product(REAL, REAL):
        if not (hasattr(torch, a.torch_name) and hasattr(torch, b.torch_name)):
            continue
        assert can_cast(a, b) == torch.can_cast(_torch(a), _torch(b))
        expected = _asked(lambda: str(torch.promote_types(_torch(a), _torch(b))))
        ours = _asked(lambda: f"torch.{promote_types_checked(a, b).torch_name}")
        if "INTERNAL ASSERT" in str(expected):
            assert "INTERNAL ASSERT" in str(ours)
        else:
            assert ours == expected


@pytest.mark.torch
def test_converting_a_scalar_gives_torch_s_value_or_its_sentence() -> None:
    torch = pytest.importorskip("torch")
    values = [0, 1, -1, 255, 256, -255, -256, 127, 128, -128, -129, 2**31, 2**62, -(2**63)]
    values += [True, 0.5, -2.75, 65504.0, 65520.0, 3.3e38, 3.5e38, 1e300, math.inf, -math.inf]
    values += [1 + 0j, 0.5 + 2j, 1e10 + 0j, complex(0, 1e300)]
    for kind in ADDED:
        zeros, ones = _ones(kind, 0), _ones(kind, 1)
        for value in values:
            if is_complex_type(kind) and value in (math.inf, -math.inf):
                continue  # alpha * other is inf * (1 + 0j), whose imaginary part is NaN
            expected = _asked(
                lambda: torch.add(zeros, ones, alpha=value).to(torch.complex128).item()
            )
            if "alpha" not in str(expected):
                assert _asked(lambda: _complex(Scalar(value).to(kind))) == expected, (kind, value)


def _asked(call: Callable[[], object]) -> object:
    """What the call returns, or what its error says."""
    try:
        return call()
    except (RuntimeError, TorchError) as error:
        return str(error)


def _complex(number: np.generic) -> complex:
    converted = number.item()
    return complex(*converted) if isinstance(converted, tuple) else complex(converted)


def _ones(kind: ScalarType, value: int):  # type: ignore[no-untyped-def]
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ComplexHalf is experimental, it says
        return torch.full((1,), value).to(_torch(kind))


@pytest.mark.torch
def test_devices_parse_as_torch_s_do() -> None:
    torch = pytest.importorskip("torch")
    for text in [
        "cpu",
        "cuda:3",
        "meta",
        "mps",
        "",
        "foo",
        "cpu:1x",
        "cuda:01",
        ":1",
        "CPU",
        "a b",
    ]:
        expected = _asked(lambda: str(torch.device(text)))
        assert _asked(lambda: str(Device.parse(text))) == expected
