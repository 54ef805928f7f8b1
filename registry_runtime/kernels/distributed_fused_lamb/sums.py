"""Who has which elements, and the sum of all ranks' gradients of them.

A gradient may be so large that the step would be too long; it is clipped then, all parameters' by one
factor. By the norm of the sum, which takes one more exchange; or each rank by the norm of its own
before they are added up. Whether a number isn't finite, all have to know before anybody takes a step.

The ranks that share the elements out may be those of one node, with other nodes that do the same. Then
the sum goes over all of them, and everything else over those of the node.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from registry_runtime.kernels.distributed_fused_lamb.operations import (
    Attributes,
    Operations,
    Tensors,
)
from registry_runtime.kernels.distributed_fused_lamb.ranks import Communicator, communicator


class Shares(NamedTuple):
    """How the elements are shared out. `of` is this rank's ring; None where there is one rank."""

    fp32: int  # elements of each rank
    fp16: int
    devices: int
    rank: int
    of: Communicator | None


def share_out(fp32_numel: int, fp16_numel: int, partial: int, a: Attributes) -> Shares:
    devices = (fp32_numel + fp16_numel) // partial
    if a.nranks == 1:
        return Shares(fp32_numel, fp16_numel, devices, 0, None)
    ring = communicator(a.ring_ids, 1 if a.nranks > devices else 0)
    return Shares(fp32_numel // devices, fp16_numel // devices, devices, ring.rank, ring)


def sum_up(
    ops: Operations, t: Tensors, a: Attributes, grads: tuple[Any, Any], shares: Shares
) -> tuple[list[Any], float]:
    """This rank's share of the sums over all ranks, and the square of the norm of everybody's.

    That is NaN where an element isn't finite; 0 where nobody asks for the norm any more.
    """
    max_norm, factor = a.max_global_grad_norm, None
    if max_norm > 0 and not a.clip_after_allreduce:
        norm = math.sqrt(sum(_square_norm(ops, grad) for grad in grads))
        norm *= a.nranks if a.is_grad_scaled_by_nranks else 1
        clip = float(t.global_scale[0]) * max_norm / (1e-6 + norm)
        factor = clip if clip < 1 else 1.0
    sums = [_share_of_sum(ops, grad, factor, shares, a) for grad in grads]
    if max_norm > 0 and a.clip_after_allreduce:
        square = sum(_square_norm(ops, grad) for grad in sums)
    else:
        square = 0.0 if all(map(ops.is_finite, sums)) else math.nan
    if shares.of and shares.devices > 1:
        several = ops.zeros(1)
        several[...] = square
        square = float(shares.of.all_reduce(several)[0])
    return sums, square


def _square_norm(ops: Operations, x: Any) -> float:
    return float(ops.square_norms(x, None)[0]) if x.size else 0.0


def _share_of_sum(
    ops: Operations, grad: Any, factor: float | None, shares: Shares, a: Attributes
) -> Any:
    if factor is not None:
        grad = ops.scaled(grad, factor)
    if shares.of is None:
        return grad
    if a.nranks == shares.devices:
        return shares.of.reduce_scatter(grad)
    if a.use_hierarchical_allreduce:  # within the node, and then between nodes
        return communicator(a.ring_ids, 2).all_reduce(shares.of.reduce_scatter(grad))
    count = grad.size // shares.devices
    whole = communicator(a.ring_ids, 0).all_reduce(grad)
    return whole[shares.rank * count : (shares.rank + 1) * count]
