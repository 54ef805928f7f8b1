"""The instruction sets beside each other."""

from __future__ import annotations

import numpy as np
import pytest

from registry_runtime.aten.stub import levels
from registry_runtime.aten.stub.cpu_capability import CPUCapability, can_run, family
from registry_runtime.aten.stub.levels import Level, add_levels, horner, polynomial_levels
from registry_runtime.aten.tensor.scalar_type import ScalarType

pytestmark = pytest.mark.skipif(family() != "x86", reason="the three levels are those of x86")


def test_wider_registers_make_a_polynomial_faster() -> None:
    timed = polynomial_levels()
    assert [level.capability for level in timed] == [
        CPUCapability.DEFAULT,
        CPUCapability.AVX2,
        CPUCapability.AVX512,
    ]
    assert [level.hot_loop.bits for level in timed if level.hot_loop] == [128, 256, 512]
    seconds = [level.seconds for level in timed if level.seconds is not None]
    # Measured 12.5, 3.1 and 1.6 µs; a busy machine disturbs the best of many, but not so much.
    assert seconds[0] > 1.5 * seconds[-1] or len(seconds) == 1


def test_a_level_that_cannot_run_has_code_and_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "can_run", lambda c: c is not CPUCapability.AVX512)
    *_, last = add_levels(ScalarType.Float, 100)
    assert last.seconds is None
    assert last.hot_loop is not None
    assert (
        str(last) == "AVX512: 16 a vector, 512-bit registers, compiled; this processor can't run it"
    )


def test_a_bool_has_no_vectors() -> None:
    (first, *_) = add_levels(ScalarType.Bool, 100)
    assert isinstance(first, Level)
    assert first.vector_size == 0
    assert first.seconds is not None or not can_run(first.capability)


def test_the_polynomial_is_one() -> None:
    coefficients = np.arange(1.0, levels.STEPS + 1)
    for vector in (False, True):
        assert horner(vector=vector)(2.0, *coefficients) == np.polyval(coefficients, 2.0)
