"""The loops over memory: what they compute is held to NumPy, what they say of themselves to the
sizes, and the code of each instruction set to its registers.
"""

from __future__ import annotations

import itertools
import math
import zlib
from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.loops import cpu_kernel_vec as kernels
from registry_runtime.aten.loops import for_each as walking
from registry_runtime.aten.loops.cpu_kernel_vec import Lambda, make_vectorized_loop2d
from registry_runtime.aten.loops.for_each import GRAIN_SIZE, parallel_for
from registry_runtime.aten.loops.leftovers import leftovers
from registry_runtime.aten.loops.vectorized import fmadd, vector_size
from registry_runtime.aten.loops.vectorized_loop2d import LoopStory
from registry_runtime.aten.native.ufunc_add import add, add_kernel, add_vectorized
from registry_runtime.aten.stub.cpu_capability import (
    CPUCapability,
    can_run,
    capabilities,
    family,
    get_cpu_capability,
)
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.aten.tensor_iterator import TensorIterator
from registry_runtime.kernels.machine_code import hot_loop

DEFAULT, AVX2, AVX512 = CPUCapability.DEFAULT, CPUCapability.AVX2, CPUCapability.AVX512
HERE = get_cpu_capability()
x86 = pytest.mark.skipif(family() != "x86", reason="the three levels are those of x86")


def added(
    a: Any,
    b: Any,
    alpha: Any = 1,
    capability: CPUCapability = HERE,
    story: LoopStory | None = None,
) -> Any:
    """a + alpha * b through an iterator and the loops."""
    iter = TensorIterator.binary_op(None, Tensor.from_array(a), Tensor.from_array(b))
    iter.loop_story = story  # type: ignore[attr-defined]
    add_kernel(iter, Scalar(alpha), capability)
    return iter.output().numpy()


def told(a: Any, b: Any) -> LoopStory:
    story = LoopStory()
    added(a, b, story=story)
    return story


# --- What is computed -----------------------------------------------------------------------------


@st.composite
def operands(draw: st.DrawFn) -> tuple[Any, Any]:
    """Two int32 arrays that broadcast, with strides of all kinds."""
    dims = draw(st.lists(st.integers(0, 9), max_size=4))
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))

    def operand() -> Any:
        sizes = [1 if draw(st.booleans()) and draw(st.booleans()) else n for n in dims]
        steps = [draw(st.sampled_from([1, 1, 1, 2, 3])) for _ in sizes]
        order = draw(st.permutations(range(len(sizes))))
        whole = rng.integers(-(2**31), 2**31, [sizes[i] * steps[i] for i in order], np.int32)
        return whole[tuple(slice(None, None, steps[i]) for i in order)].transpose(np.argsort(order))

    return operand(), operand()


@settings(max_examples=150)
@given(operands(), st.integers(-3, 3))
def test_any_shapes_and_strides_give_what_numpy_gives(pair: tuple[Any, Any], alpha: int) -> None:
    a, b = pair
    with np.errstate(over="ignore"):
        expected = a + np.int32(alpha) * b
    np.testing.assert_array_equal(added(a, b, alpha), expected)
    story = LoopStory()
    np.testing.assert_array_equal(added(a, b, alpha, story=story), expected)
    assert sum(step.size0 * step.size1 for step in story.steps) == expected.size


@pytest.mark.parametrize("dims", [(3, 40000), (40000, 3), (70001,), (5, 7, 11, 300)])
def test_threads_compute_what_one_core_computes(dims: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal(dims), rng.standard_normal(dims[1:] or dims)
    np.testing.assert_array_equal(added(a, b), a + b)
    np.testing.assert_array_equal(added(a, b, story=LoopStory()), a + b)


def test_integers_wrap_and_bools_are_ored() -> None:
    a, b = np.array([200, 7] * 100, np.uint8), np.array([100, 8] * 100, np.uint8)
    np.testing.assert_array_equal(added(a, b, 3), a + np.uint8(3) * b)
    p, q = np.array([True, True, False, False] * 20), np.array([True, False] * 40)
    np.testing.assert_array_equal(added(p, q, True), p | q)
    np.testing.assert_array_equal(added(p, q, False), p)


def runnable() -> Iterator[CPUCapability]:
    yield from (capability for capability in capabilities() if can_run(capability))


# CRC-32 of what PyTorch 2.13.0's wheel gives at the level AVX2, for rows of 1 to 17 elements.
ROWS = {
    np.float64: "613d56a1 4cbb7cda 9f3a86e8 810ed956 cae684fc a79aea4e a111c4b1 34b2836f 33d1e112 "
    "a847fd1b 218bdc72 cc8be150 bc385b7b 5d7b636f 8bc42252 cf2059f6 ff0e3077",
    np.float32: "02fd7107 e0fc0ed0 3d67b123 178257c2 36713883 da54abd5 635969a1 e5d450d3 f84e7547 "
    "8cd03675 31e609ad 4e7226b5 df26c8a4 0d8adc36 600948a1 3ff616aa fd6a60ac",
}


@x86
@pytest.mark.skipif(not can_run(AVX2), reason="compares what AVX2 computes")
@pytest.mark.parametrize("dtype", ROWS)
def test_a_product_that_is_the_same_for_a_row_is_rounded_where_torch_rounds_it(dtype: Any) -> None:
    other = (1 / np.arange(3, 67)).astype(dtype).reshape(64, 1)
    found = []
    for length in range(1, 18):
        rows = (1 / np.arange(1, 64 * length + 1)).astype(dtype).reshape(64, length)
        found.append(f"{zlib.crc32(added(rows, other, 3, AVX2).tobytes()):08x}")
    assert " ".join(found) == ROWS[dtype]


@pytest.mark.parametrize(
    ("op", "held"),
    [
        (add, {2}),
        (lambda x, y, s: s * x + y, {1}),
        (lambda x, y, s: x * y + s, set()),
        (lambda x, y, s: fmadd(x, y, s), set()),
        (lambda x, y, s: s * x + s * y, {1, 2}),
        (lambda x, y, s: abs(x), set()),
    ],
)
def test_a_held_product_is_found_in_what_the_function_does(op: Any, held: set[int]) -> None:
    assert set(leftovers(op, 2, 1, ScalarType.Double, AVX2)) == held
    assert not leftovers(op, 2, 1, ScalarType.Double, DEFAULT)


@pytest.mark.parametrize("capability", tuple(runnable()), ids=str)
@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_every_16_bit_number_is_widened_and_rounded_right(
    capability: CPUCapability, dtype: Any
) -> None:
    every = np.arange(1 << 16, dtype=np.uint16).view(dtype)
    other = np.random.default_rng(1).permutation(every)
    got = added(every, other, 1, capability)
    with np.errstate(all="ignore"):
        expected = (every.astype(np.float32) + other.astype(np.float32)).astype(dtype)
    np.testing.assert_array_equal(got.astype(np.float32), expected.astype(np.float32), strict=True)


# --- How it is computed ---------------------------------------------------------------------------


def test_each_way_is_taken_where_pytorch_takes_it() -> None:
    a, size = np.ones((6, 50), np.int32), vector_size(ScalarType.Int, HERE)
    one_turn = 2 * size
    (flat,) = told(a, a).steps
    assert (flat.S, flat.size0, flat.size1) == (0, 300, 1)
    assert (flat.pairs, flat.tail) == divmod(300, one_turn)
    (row,) = told(a, a[0]).steps
    assert (row.S, row.size0, row.size1, row.tail) == (0, 50, 6, 50 % one_turn)
    (column,) = told(a, a[:, :1]).steps
    assert (column.S, column.size0, column.size1) == (2, 50, 6)
    (first,) = told(a[:, :1], a).steps
    assert (first.S, first.strides) == (1, (4, 0, 4))
    (strided,) = told(a[:, ::2], a[:, ::2]).steps
    assert (strided.S, strided.loop, strided.strides) == (None, "basic_loop", (4, 8, 8))


def test_a_bool_has_no_vectors() -> None:
    flags = np.ones(1000, bool)
    (step,) = told(flags, flags).steps
    assert (step.S, step.loop) == (None, "basic_loop")


def test_three_dimensions_take_a_step_for_each_pair_of_them() -> None:
    a = np.zeros((3, 4, 5), np.int32)
    story = told(a, np.zeros((3, 5, 6), np.int32)[:, :4, :5])
    assert [(s.begin, s.size0, s.size1) for s in story.steps] == [
        (0, 5, 4),
        (20, 5, 4),
        (40, 5, 4),
    ]


@pytest.mark.parametrize(
    ("numel", "threads", "ranges"),
    [
        (GRAIN_SIZE - 1, 8, 1),
        (GRAIN_SIZE, 8, 1),
        (GRAIN_SIZE + 1, 8, 2),
        (3 * GRAIN_SIZE + 1, 8, 4),
        (100 * GRAIN_SIZE, 8, 8),
        (100 * GRAIN_SIZE, 1, 1),
    ],
)
def test_no_thread_gets_less_than_a_grain(numel: int, threads: int, ranges: int) -> None:
    cut = parallel_for(0, numel, GRAIN_SIZE, threads)
    assert len(cut) == ranges
    assert cut[0][0] == 0
    assert cut[-1][1] == numel
    assert all(end == begin for (_, end), (begin, _) in itertools.pairwise(cut))
    chunk = math.ceil(numel / ranges)
    assert all(end - begin == chunk for begin, end in cut[:-1])


def test_a_story_of_many_steps_is_bounded() -> None:
    a = np.zeros((300, 2, 2), np.int8)
    story = told(a, np.zeros((300, 5, 4), np.int8)[:, :2, :2])
    assert story.count == 300
    assert len(story.steps) == LoopStory.MOST
    assert str(story).endswith("and 44 steps more")


def test_the_story_reads() -> None:
    a = np.zeros(100, np.float32)
    assert str(told(a, a[:1])).splitlines()[1:] == [
        "100 elements: fewer than 32768 elements or one thread: serial_for_each",
        "elements from 0: 1 x 100, input 2 is one scalar (stride 0): vectorized_loop, "
        f"{100 // (2 * vector_size(ScalarType.Float, HERE))} turns of two vectors, "
        f"then {100 % (2 * vector_size(ScalarType.Float, HERE))} one by one",
    ]


# --- The machine code -----------------------------------------------------------------------------


@x86
@pytest.mark.parametrize(("capability", "bits"), [(DEFAULT, 128), (AVX2, 256), (AVX512, 512)])
def test_each_level_has_its_own_registers(capability: CPUCapability, bits: int) -> None:
    one = Lambda(add, (np.float32(1),)), Lambda(add_vectorized, (np.float32(1),))
    machine = make_vectorized_loop2d(*one, 2, ScalarType.Float, capability).machine
    loop = hot_loop(machine.assembly())
    assert loop is not None
    assert loop.bits == bits
    assert ("vfmadd" in loop.text) == (capability is not DEFAULT)
    assert machine.size == {DEFAULT: 8, AVX2: 8, AVX512: 16}[capability]


@x86
def test_the_levels_agree() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.integers(-99, 99, (2, 77)).astype(np.int64)
    for capability in runnable():
        np.testing.assert_array_equal(added(a, b, 5, capability), a + 5 * b)


def test_what_the_processor_cannot_run_is_compiled_and_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kernels, "can_run", lambda capability: capability is not AVX512)
    a = np.zeros(4, np.float32)
    with pytest.raises(TorchError, match="AVX512 variant was compiled, and this processor can't"):
        added(a, a, capability=AVX512)


@pytest.mark.parametrize("team", ["openmp", "numba", "alone"])
def test_any_team_runs_every_range_once(team: str) -> None:
    from registry_runtime.aten.loops import drivers

    if team == "openmp" and drivers.team() == (0, 0):
        pytest.skip("no libgomp on this machine")
    numbers = {"openmp": drivers.team(), "numba": (0, 0), "alone": drivers.ALONE}[team]
    one = Lambda(add, (np.int64(1),)), Lambda(add_vectorized, (np.int64(1),))
    loop = make_vectorized_loop2d(*one, 2, ScalarType.Long, HERE)
    # A sum that is an input too shows a range that ran twice.
    total, a = np.zeros(1001, np.int64), np.arange(1001)
    strides, bases = [8, 8, 8, 0, 0, 0], [total.ctypes.data, total.ctypes.data, a.ctypes.data]
    facts = np.array([1, 3, 1001, *strides, *bases], np.int64)
    drivers.parallel_for_each(
        *numbers, loop.address, loop.captured_at, facts.ctypes.data, 91, 1001, 11
    )
    np.testing.assert_array_equal(total, a)


@pytest.mark.parametrize("T", [ScalarType.Float, ScalarType.Long])
def test_memory_asked_for_ahead_changes_nothing(T: ScalarType) -> None:
    a = np.arange(300_001).astype(T.numpy)
    np.testing.assert_array_equal(added(a, a[::-1].copy(), 2), a + 2 * a[::-1])


def test_fmadd_is_also_a_function_of_numbers() -> None:
    assert fmadd(2, 3, 4) == 10


def test_an_empty_iterator_calls_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "_drive", lambda *_: pytest.fail("a loop was run"))
    assert added(np.zeros((0, 3), np.int32), np.zeros(3, np.int32)).shape == (0, 3)
