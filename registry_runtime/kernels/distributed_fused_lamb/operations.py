"""What a step has to do with: tensors, attributes, and arithmetic that NumPy can do or a device."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol


class Tensors(NamedTuple):
    """One-dimensional arrays. Those of the first three lines change; who is missing has no elements.

    Both moments are those of the rank's elements, float32's before float16's.
    """

    fp32_param: Any
    fp16_param: Any
    fp32_acc_grad: Any
    fp16_acc_grad: Any
    moment1: Any
    moment2: Any
    beta1_pow: Any
    beta2_pow: Any
    found_inf: Any
    acc_step: Any
    stop_update: Any
    step: Any
    fp32_grad: Any
    fp16_grad: Any
    param_offsets: Any
    fp32_partial_offsets: Any
    fp16_partial_offsets: Any
    param_info: Any
    learning_rate: Any
    global_scale: Any


class Attributes(NamedTuple):
    acc_steps: int
    beta1: float
    beta2: float
    epsilon: float
    max_global_grad_norm: float
    weight_decay: float
    clip_after_allreduce: bool
    use_master_param_norm: bool
    use_master_acc_grad: bool
    is_grad_scaled_by_nranks: bool
    use_hierarchical_allreduce: bool
    nranks: int
    ring_ids: list[int]


class Rates(NamedTuple):
    """What the moments are updated by: of each gradient's element `scale` times its value counts."""

    scale: float
    beta1: float
    beta2: float
    beta1_pow: float
    beta2_pow: float
    epsilon: float
    weight_decay: float


class Operations(Protocol):
    def add(self, x: Any, y: Any, out: Any) -> None:
        """Into `out`, by float32; it may be x or y."""

    def scaled(self, x: Any, factor: float) -> Any:
        """A new array. The factor is rounded to x's type first."""

    def square_norms(self, x: Any, offsets: Any) -> Any:
        """Of each piece that lies between two offsets, which begin anywhere."""

    def is_finite(self, x: Any) -> bool: ...

    def zeros(self, count: int) -> Any: ...

    def moments(
        self, param: Any, grad: Any, moment1: Any, moment2: Any, decayed: int, rates: Rates
    ) -> Any:
        """Updates both. The weights of the first `decayed` decay. Gives `trust_ratio_div`."""

    def update(
        self, param: Any, step: Any, offsets: Any, lr: float, norms: Any, step_norms: Any, half: Any
    ) -> None:
        """Each piece of the parameter by `lr` times what its norm is to its step's; `half`, unless it
        is None, is then a copy of it in float16."""
