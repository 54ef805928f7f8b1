"""The same numbers by other ways, to hold the reference to where no device can run the kernels.

Forward: one token after the other, on Python's floats, with sums that round once. Gradient: finite
differences of the forward pass, in each element of what came in and of what was made in between.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from registry_runtime.kernels.finite_differences import slopes
from registry_runtime.kernels.fused_attention import dropout
from registry_runtime.kernels.fused_attention.reference import is_made, steps, widened
from registry_runtime.kernels.fused_attention.signature import (
    GRAD_INPUTS,
    GRAD_OUTPUTS,
    INPUTS,
    OUTPUTS,
    Sizes,
    named,
    sizes_of,
)

_NOTHING = np.empty(0)
_Row = list[float]


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def _normalised(row: _Row, scale: Any, bias: Any, epsilon: float) -> tuple[_Row, float, float]:
    mean = math.fsum(row) / len(row)
    variance = math.fsum((x - mean) ** 2 for x in row) / len(row)
    out = [(x - mean) / math.sqrt(variance + epsilon) for x in row]
    out = out if scale is None else [x * a for x, a in zip(out, scale, strict=True)]
    out = out if bias is None else [x + b for x, b in zip(out, bias, strict=True)]
    return out, mean, variance


class _Block:
    """What is made, as arrays that are filled element by element; `a` is the inputs by name."""

    def __init__(self, a: Any, s: Sizes) -> None:
        self.a, self.s = a, s
        scores, tokens = (s.batch, s.heads, s.length, s.out_length), (s.batch, s.length)
        each = (3 * s.hidden,) if a.transpose_qkv_wb else (3, s.heads, s.head)
        shapes: dict[str, tuple[int, ...]] = {
            "qkv_out": (*tokens, *each),
            "transpose_out_2": (3, s.batch, s.heads, s.length, s.head),
            **dict.fromkeys(("qk_out", "softmax_out"), scores),
            "qktv_out": (s.batch, s.heads, s.length, s.head),
            "fmha_out": (*tokens, s.heads, s.head),
            "out_linear_out": (*tokens, s.embed),
            "out": (*tokens, s.embed),
        }
        if a.pre_layer_norm:
            shapes |= {"ln_out": (*tokens, s.embed), "ln_mean": tokens, "ln_var": tokens}
        else:
            shapes["bias_dropout_residual_out"] = (*tokens, s.embed)
            shapes |= {"ln_mean_2": tokens, "ln_var_2": tokens}
        if a.qkv_bias is not None:
            shapes["qkv_bias_out"] = (*tokens, *each)
        if a.cache_kv is not None:
            shapes["cache_kv_out"] = (2, s.batch, s.heads, s.out_length, s.head)
        if a.src_mask is not None:
            shapes["src_mask_out"] = scores
        if a.attn_dropout_rate:
            shapes["attn_dropout_out"] = scores
        self.made: dict[str, Any] = {name: np.zeros(shape) for name, shape in shapes.items()}
        for name, of in (("attn_dropout", dropout.of_shares(a)), ("dropout", dropout.of_output(a))):
            if of.draws:
                drawn = of.mask(scores if name == "attn_dropout" else (*tokens, s.embed))
                self.made[f"{name}_mask_out"] = drawn

    def project(self, batch: int, token: int) -> None:
        """q, k and v of one token."""
        a, s, made = self.a, self.s, self.made
        x = a.x[batch, token].tolist()
        if a.pre_layer_norm:
            x, mean, variance = _normalised(x, a.ln_scale, a.ln_bias, a.epsilon)
            made["ln_out"][batch, token] = x
            made["ln_mean"][batch, token], made["ln_var"][batch, token] = mean, variance
        for part in range(3):
            for head in range(s.heads):
                for i in range(s.head):
                    column = (part * s.heads + head) * s.head + i
                    at = (column,) if a.transpose_qkv_wb else (part, head, i)
                    weight = a.qkv_weight[:, column] if a.transpose_qkv_wb else a.qkv_weight[at]
                    number = made["qkv_out"][(batch, token, *at)] = _dot(x, weight.tolist())
                    if a.qkv_bias is not None:
                        number += a.qkv_bias[at]
                        made["qkv_bias_out"][(batch, token, *at)] = number
                    number = number * s.scale if part == 0 else number
                    made["transpose_out_2"][part, batch, head, token, i] = number

    def attend(self, batch: int, head: int, token: int) -> None:
        """What one token gets from all of them."""
        a, made = self.a, self.made
        at = (batch, head, token)
        q, k, v = made["transpose_out_2"][:, batch, head]
        if a.cache_kv is not None:
            k, v = (np.concatenate([a.cache_kv[i, batch, head], t]) for i, t in enumerate((k, v)))
            made["cache_kv_out"][:, batch, head] = k, v
        scores = [_dot(q[token].tolist(), other) for other in k.tolist()]
        made["qk_out"][at] = scores
        if a.src_mask is not None:
            mask = np.broadcast_to(a.src_mask, made["qk_out"].shape)[at].tolist()
            scores = [score + number for score, number in zip(scores, mask, strict=True)]
            made["src_mask_out"][at] = scores
        # Each share as 1 over the sum of what the others are in comparison.
        weights = [1 / math.fsum(math.exp(other - score) for other in scores) for score in scores]
        made["softmax_out"][at] = weights
        if a.attn_dropout_rate:
            weights = self._dropped(weights, dropout.of_shares(a), "attn_dropout_mask_out", at)
            made["attn_dropout_out"][at] = weights
        got = [_dot(weights, column) for column in v.T.tolist()]
        made["qktv_out"][at] = made["fmha_out"][batch, token, head] = got

    def put_out(self, batch: int, token: int) -> None:
        a, made, at = self.a, self.made, (batch, token)
        got = made["fmha_out"][at].reshape(-1).tolist()
        out = [_dot(got, column) for column in a.out_linear_weight.T.tolist()]
        made["out_linear_out"][at] = out
        if a.out_linear_bias is not None:
            out = [x + b for x, b in zip(out, a.out_linear_bias.tolist(), strict=True)]
        if a.dropout_rate:
            out = self._dropped(out, dropout.of_output(a), "dropout_mask_out", at)
        if a.add_residual:
            out = [x + r for x, r in zip(out, a.x[at].tolist(), strict=True)]
        if not a.pre_layer_norm:
            made["bias_dropout_residual_out"][at] = out
            out, mean, variance = _normalised(out, a.ln_scale_2, a.ln_bias_2, a.ln_epsilon)
            made["ln_mean_2"][at], made["ln_var_2"][at] = mean, variance
        made["out"][at] = out

    def _dropped(
        self, row: _Row, of: dropout.Dropout, mask: str, at: tuple[int, ...]
    ) -> list[float]:
        kept = self.made[mask][at].tolist() if of.draws else [1] * len(row)
        return [x * of.factor if passes else 0.0 for x, passes in zip(row, kept, strict=True)]


def by_floats(*args: Any) -> Any:
    """The outputs, as the reference has them."""
    a = widened(INPUTS, args)
    s = sizes_of(a)
    block = _Block(a, s)
    for batch in range(s.batch):
        for token in range(s.length):
            block.project(batch, token)
        for head in range(s.heads):
            for token in range(s.length):
                block.attend(batch, head, token)
        for token in range(s.length):
            block.put_out(batch, token)
    made = block.made
    for statistic in ("ln_mean", "ln_var", "ln_mean_2", "ln_var_2"):
        made[statistic] = made.get(statistic, _NOTHING).reshape(-1)
    return tuple(made.get(name, _NOTHING) for name in OUTPUTS)


def by_differences(*args: Any) -> Any:
    """The slopes of Σ out · out_grad: in an input, or in what is added to a result in between."""
    a = widened(GRAD_INPUTS, args)
    given = {name: getattr(a, name, None) for name in INPUTS}
    before = steps(named(INPUTS, tuple(given.values())), {})

    def slope(name: str) -> Any:
        start = given[name] if name in given else np.zeros_like(before[name])

        def loss(array: Any) -> float:
            now, nudges = (given | {name: array}, {}) if name in given else (given, {name: array})
            out = steps(named(INPUTS, tuple(now.values())), nudges)["out"]
            return float((out * a.out_grad).sum())

        return slopes(loss, start)

    def there(name: str) -> bool:
        made = given[name] is not None if name in given else name in before
        # Only one of the two layer norms is run; the other's scale and bias have no part in it.
        other = ("ln_scale_2", "ln_bias_2") if a.pre_layer_norm else ("ln_scale", "ln_bias")
        return made and name not in other and is_made(a, f"{name}_grad")

    names = [name.removesuffix("_grad") for name in GRAD_OUTPUTS]
    return tuple(slope(name) if there(name) else _NOTHING for name in names)
