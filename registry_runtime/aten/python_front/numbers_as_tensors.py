"""Which functions take a Python number where their signature says Tensor.

`torch.ones(2) + 1` binds 1 to `Tensor other`. Most functions refuse that: they have an overload for
a Scalar, and a number should find it. The arithmetic ones are listed by name, in PyTorch as here
(`torch/csrc/utils/python_arg_parser.cpp`), with a note there that the list ought to go.
"""

from __future__ import annotations

_OUT_OF_PLACE = (
    "add",
    "div",
    "divide",
    "mul",
    "multiply",
    "sub",
    "subtract",
    "true_divide",
    "floor_divide",
)
ALLOWED = frozenset(f"{name}{suffix}" for name in _OUT_OF_PLACE for suffix in ("", "_", "_out")) | {
    "to",
    "_to_copy",
    "copy_",
    "copy",
    "_conj",
}


def should_allow_numbers_as_tensors(name: str) -> bool:
    """Whether a number may stand for a tensor in a call of the function of that name."""
    return name in ALLOWED
