"""Ranks that share the work come to what one comes to, which is LAMB as Paddle computes it unfused."""

from __future__ import annotations

import shutil
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registry_runtime.kernels import find
from registry_runtime.kernels.distributed_fused_lamb.arguments import Attributes, Inputs, Outputs
from registry_runtime.kernels.distributed_fused_lamb.layout import Info, fuse, shard
from registry_runtime.kernels.distributed_fused_lamb.ranks import communicator, together
from registry_runtime.kernels.template import Instance
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError
from tests.kernels.cuda_on_cpu import Cupy
from tests.kernels.lamb_arguments import PLAIN, after, apart, inputs, with_grads

SINGLE, HALF = np.float32, np.float16
KINDS = [(SINGLE, (5, 3)), (HALF, (7, 4)), (SINGLE, (3,)), (HALF, (4,)), (HALF, (2, 9))]
DECAYS = [True, True, False, False, True]
STEPS = 3
CLIPS = [(-1.0, True), (1.0, True), (1.0, False)]


def instance() -> Instance:
    template = find("phi::fusion::DistributedFusedLambKernel")
    assert template
    return Instance(template, DataType.FLOAT32, "GPUContext")


def call(given: Inputs, a: Attributes) -> Outputs:
    return Outputs(*instance().reference(*given, *a))


def made_up(seed: int) -> list[Any]:
    """Eighths of whole numbers: float16 adds them without a rounding."""
    rng = np.random.default_rng(seed)
    return [(rng.integers(-16, 17, shape) / 8).astype(dtype) for dtype, shape in KINDS]


def mean(of_ranks: list[list[Any]]) -> list[Any]:
    of_params = zip(*of_ranks, strict=True)
    return [np.mean(grads, axis=0, dtype=SINGLE).astype(grads[0].dtype) for grads in of_params]


def trained(
    grads: list[list[Any]], a: Attributes, rank: int = 0, devices: int = 1
) -> tuple[Inputs, Outputs]:
    """After one step for each of `grads`."""
    given = inputs(made_up(0), grads[0], DECAYS, rank, devices)
    outs = call(given, a)
    for later in grads[1:]:
        given = with_grads(after(given, outs), later, DECAYS, devices)
        outs = call(given, a)
    return given, outs


@pytest.mark.parametrize("use_master_param_norm", [True, False])
@pytest.mark.parametrize(("max_norm", "clip_after"), CLIPS, ids=str)
@pytest.mark.parametrize(
    ("nranks", "per_node", "hierarchical"),
    [(2, 2, False), (4, 4, False), (4, 2, False), (4, 2, True), (8, 2, True)],
)
def test_ranks_come_to_what_one_comes_to(
    nranks: int,
    per_node: int,
    hierarchical: bool,
    max_norm: float,
    clip_after: bool,
    use_master_param_norm: bool,
) -> None:
    # Clipped before they are added up, gradients are clipped each by its own norm.
    alike = not clip_after
    grads = [
        [made_up(1 + step + (0 if alike else STEPS * rank)) for rank in range(nranks)]
        for step in range(STEPS)
    ]
    a = PLAIN._replace(
        max_global_grad_norm=max_norm,
        clip_after_allreduce=clip_after,
        use_master_param_norm=use_master_param_norm,
    )
    one = apart(*trained([mean(of_ranks) for of_ranks in grads], a))
    for is_scaled in (False, True):
        several = a._replace(
            nranks=nranks,
            ring_ids=[0, 1, 2],
            is_grad_scaled_by_nranks=is_scaled,
            use_hierarchical_allreduce=hierarchical,
        )

        def train(rank: int, a: Attributes = several, by: int = nranks if is_scaled else 1) -> Any:
            mine = [[g / g.dtype.type(by) for g in of_ranks[rank]] for of_ranks in grads]
            return trained(mine, a, rank % per_node, per_node)

        for given, outs in together(nranks, train, per_node):
            assert (outs.step, outs.found_inf) == (1, False)
            for ours, single in zip(apart(given, outs), one, strict=True):
                exactly = 2e-3 if single.dtype == HALF else 2e-6
                np.testing.assert_allclose(ours, single, rtol=exactly, atol=exactly)


def test_moments_and_copies_are_shared_out() -> None:
    grads = made_up(1)
    whole = call(inputs(made_up(0), grads, DECAYS, devices=1), PLAIN)
    a = PLAIN._replace(nranks=2, is_grad_scaled_by_nranks=False)
    outs = together(2, lambda rank: call(inputs(made_up(0), grads, DECAYS, rank, 2), a))
    for name in ("moment1_out", "moment2_out"):
        parts = [getattr(out, name) for out in outs]
        assert parts[0].shape == parts[1].shape
        total = sum(np.abs(part).sum(dtype=float) for part in parts)
        np.testing.assert_allclose(total, np.abs(getattr(whole, name)).sum(dtype=float), 1e-6)
    copies = [out.fp32_param_out[-2 * out.moment1_out.size :] for out in outs]
    assert not np.array_equal(*copies)  # of float16's copies each rank has only its own


@pytest.mark.paddle
@pytest.mark.parametrize("max_norm", [-1.0, 1.0])
def test_it_is_paddles_lamb_of_each_parameter(max_norm: float) -> None:
    paddle = pytest.importorskip("paddle")
    kinds = [(5, 3), (3,), (4, 4)]
    rng = np.random.default_rng(0)
    params = [rng.standard_normal(dims).astype(SINGLE) for dims in kinds]
    grads = [[rng.standard_normal(dims).astype(SINGLE) for dims in kinds] for _ in range(STEPS)]
    theirs = [paddle.create_parameter(p.shape, "float32") for p in params]
    for tensor, param in zip(theirs, params, strict=True):
        tensor.set_value(param)
    optimizer = paddle.optimizer.Lamb(
        learning_rate=0.125,
        lamb_weight_decay=0.01,
        parameters=theirs,
        grad_clip=paddle.nn.ClipGradByGlobalNorm(max_norm) if max_norm > 0 else None,
        exclude_from_weight_decay_fn=lambda param: len(param.shape) == 1,
        always_adapt=True,  # what doesn't decay as well, which is not for the fused one to choose
    )
    decays = [len(dims) > 1 for dims in kinds]
    a = PLAIN._replace(max_global_grad_norm=max_norm, nranks=2)
    for step in grads:
        sum((t * paddle.to_tensor(g)).sum() for t, g in zip(theirs, step, strict=True)).backward()
        optimizer.step()
        optimizer.clear_grad()

    def train(rank: int) -> list[Any]:
        halves = [[g / 2 for g in step] for step in grads]
        given = inputs(params, halves[0], decays, rank, 2)
        outs = call(given, a)
        for step in halves[1:]:
            given = with_grads(after(given, outs), step, decays, 2)
            outs = call(given, a)
        return apart(given, outs)

    for ours in together(2, train):
        for array, tensor in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(array, tensor.numpy(), rtol=1e-5, atol=1e-6)


def test_who_lies_where() -> None:
    params = [np.full(size, size, dtype) for size, dtype in [(3, SINGLE), (5, SINGLE), (2, HALF)]]
    fused = fuse(params, params, [False, True, True], nranks=2, alignment=16)
    # Four of float32 to 16 bytes and eight of float16. The decaying one comes first; of the last one
    # of each type the end is a multiple of two ranks' alignments.
    assert fused.param_order.tolist() == [1, 0, 2]
    assert fused.param_offsets.tolist() == [0, 8, 16, 32]
    assert fused.param_info.tolist() == [0, 2, 2, 1, 2, 1, 1, 1]
    assert fused.fp32_param[[4, 5, 8, 10, 11, 16, 18]].tolist() == [5, 0, 3, 3, 0, 2, 0]
    offsets, info = fused.param_offsets.tolist(), Info(*fused.param_info.tolist())
    assert shard(offsets, info, 0, 2) == ([0, 8], [0, 8], Info(0, 1, 2, 1, 2, 1, 1, 1))
    assert shard(offsets, info, 1, 2) == ([0, 8], [0, 8], Info(1, 1, 2, 0, 2, 1, 1, 1))
    assert shard(offsets, info, 1, 4) == ([0, 4], [0, 4], Info(0, 1, 2, 1, 2, 1, 1, 1))


def test_one_ranks_infinity_stops_all() -> None:
    params, grads = made_up(0), made_up(1)
    bad = [grads[0], np.full_like(grads[1], np.inf), *grads[2:]]
    for max_norm, clip_after in CLIPS:
        a = PLAIN._replace(nranks=2, max_global_grad_norm=max_norm)
        a = a._replace(clip_after_allreduce=clip_after)

        def step(rank: int, a: Attributes = a) -> tuple[Inputs, Outputs]:
            given = inputs(params, bad if rank else grads, DECAYS, rank, 2)
            return given, call(given, a)

        for given, outs in together(2, step):
            assert (outs.found_inf, outs.step) == (True, 0)
            assert np.array_equal(outs.fp32_param_out, given.fp32_param)
            assert np.array_equal(outs.moment1_out, given.moment1)
            assert outs.beta1_pow_out == given.beta1_pow


@pytest.fixture(scope="module")
def on_a_device(of_all_workers: Path) -> Any:
    if not shutil.which("g++"):
        pytest.skip("g++ is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "cupy", Cupy(of_all_workers))
        kernel = instance()
        kernel.build()
        yield kernel


@pytest.mark.compiler
def test_the_kernels_of_several_ranks_agree_with_numpy(on_a_device: Instance) -> None:
    for (max_norm, clip_after), norm, (nranks, per_node) in product(
        CLIPS, [True, False], [(4, 4), (4, 2)]
    ):
        a = PLAIN._replace(
            nranks=nranks,
            ring_ids=[0, 1, 2],
            max_global_grad_norm=max_norm,
            clip_after_allreduce=clip_after,
            use_master_param_norm=norm,
            use_hierarchical_allreduce=clip_after,
        )

        def step(rank: int, a: Attributes = a, per_node: int = per_node) -> Any:
            given = inputs(made_up(0), made_up(1 + rank), DECAYS, rank % per_node, per_node)
            return on_a_device.launch(*given, *a), on_a_device.reference(*given, *a)

        for results, references in together(nranks, step, per_node):
            for ours, other in zip(results, references, strict=True):
                exactly = 1e-3 if ours.dtype == HALF else 1e-5
                np.testing.assert_allclose(ours, other, rtol=exactly, atol=1e-6)


@pytest.mark.compiler
@pytest.mark.parametrize(("acc_steps", "use_master"), product([2, 3, 4], [True, False]))
def test_gradients_are_accumulated_in_the_outputs(
    acc_steps: int, use_master: bool, on_a_device: Instance
) -> None:
    grads = [made_up(1 + step) for step in range(acc_steps)]
    a = PLAIN._replace(acc_steps=acc_steps, use_master_acc_grad=use_master)
    given = inputs(made_up(0), grads[0], DECAYS)
    outs = on_a_device.launch(*given, *a)
    for count, later in enumerate(grads[1:], 2):
        assert Outputs(*outs).stop_update
        assert np.array_equal(Outputs(*outs).fp32_param_out, given.fp32_param)
        given = with_grads(after(given, Outputs(*outs)), later, DECAYS, 1)
        outs = on_a_device.launch(*given, *a, out=outs)
        assert Outputs(*outs).acc_step == count
    last = Outputs(*outs)
    assert (last.stop_update, last.step, last.found_inf) == (False, 1, False)
    total = [sum(of_one[1:], of_one[0]) for of_one in zip(*grads, strict=True)]
    at_once = call(inputs(made_up(0), total, DECAYS), PLAIN)
    np.testing.assert_allclose(last.fp32_param_out, at_once.fp32_param_out, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(last.fp16_param_out, at_once.fp16_param_out, rtol=2e-3, atol=1e-3)


def test_several_ranks_are_several_calls() -> None:
    a = PLAIN._replace(nranks=2)
    with pytest.raises(KernelError, match=r"ring 0 has no ranks: .*ranks\.together"):
        call(inputs(made_up(0), made_up(1), DECAYS, 0, 2), a)

    def work(rank: int) -> Any:
        return None if rank == 1 else communicator([0], 0).all_reduce(np.ones(1))

    with pytest.raises(KernelError, match="rank 0 waits for rank 1, which has left"):
        together(2, work)
    a = a._replace(nranks=4)
    with pytest.raises(KernelError, match=r"ring_ids is \[0\]; so many ranks need 2 rings"):
        together(4, lambda rank: call(inputs(made_up(0), made_up(1), DECAYS, 0, 2), a))


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"acc_steps": 0}, "accumulation steps should be not less than 1: acc_steps is 0"),
    ({"moment1": np.ones(7, SINGLE)}, "moment2 has 84 elements; it must have 7"),
    (
        {name: np.ones(9, SINGLE) for name in ("moment1", "moment2")},
        "should be divided exactly by the element number 9 of Moment1",
    ),
    (
        {name: np.ones(42, SINGLE) for name in ("moment1", "moment2")},
        "The nranks must be not less than num_devices: 1, and 2",
    ),
    ({"fp32_param": np.ones(3, SINGLE)}, "should be not less than FP16FusedParam: .* 3 and"),
    ({"fp32_grad": None}, "fp32_grad has 0 elements; it must have"),
    ({"param_info": np.ones(6, np.int32)}, "param_info has 6 elements; it must have 8"),
    ({"param_order": np.zeros(5, np.int32)}, "param_order must have each number below 5 once"),
    (
        {"param_offsets": np.zeros(6, np.int32)},
        "param_offsets must rise from 0 to 84 in 6 numbers",
    ),
    ({"fp16_partial_offsets": np.zeros(2, np.int32)}, "fp16_partial_offsets must rise from 0"),
    ({"fp32_param": None, "fp16_param": None}, "Either FP32FusedGrad or FP16FusedGrad"),
]


@pytest.mark.parametrize(("change", "said"), WRONG, ids=lambda value: str(value)[:40])
def test_what_does_not_go_together(change: dict[str, Any], said: str) -> None:
    given, a = inputs(made_up(0), made_up(1), DECAYS), PLAIN
    for name, value in change.items():
        if name in Inputs._fields:
            given = given._replace(**{name: value})
        else:
            a = a._replace(**{name: value})
    with pytest.raises(KernelError, match=said):
        call(given, a)
