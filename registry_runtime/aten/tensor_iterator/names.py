"""The names of the output's dimensions, where the operands have named ones.

Aligned from the right, as shapes are, two names must be equal or one of them None. PyTorch had named
tensors from 1.3 on, and this step with them; 2.13 has neither any more. Tensors without names, which
are all that 2.13 has, pass it untouched.

Source: `aten/src/ATen/NamedTensorUtils.cpp`, `aten/src/ATen/core/Dimname.cpp` before 2.13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.tensor import Names, Tensor

if TYPE_CHECKING:
    from registry_runtime.aten.tensor_iterator.build import TensorIteratorBase
    from registry_runtime.aten.tensor_iterator.config import TensorIteratorConfig


def compute_names(iterator: TensorIteratorBase, config: TensorIteratorConfig) -> None:
    """Set the iterator's `names`. Raises TorchError where two operands' names contradict."""
    if all(operand.tensor is None or not operand.tensor.names for operand in iterator.operands):
        return
    names: Names = ()
    for operand in iterator.operands:
        if operand.tensor is None or (config.resize_outputs and operand.is_output):
            continue
        own = operand.tensor.names or (None,) * operand.tensor.dim()
        names = unify_from_right(names, own) if names else own
    iterator.names = names


def unify_from_right(names: Names, other: Names) -> Names:
    """`at::unify_from_right`: each name of the one, or of the other where the one has None.

    Raises TorchError for two different names of one dimension, or one name in two dimensions.
    """
    ndim = max(len(names), len(other))
    ours = (None,) * (ndim - len(names)) + names
    theirs = (None,) * (ndim - len(other)) + other
    unified = []
    for position in range(-1, -ndim - 1, -1):
        name, other_name = ours[position], theirs[position]
        if None not in (name, other_name) and name != other_name:
            raise TorchError(
                f"Error when attempting to broadcast dims {_listed(names)} and dims "
                f"{_listed(other)}: dim '{name}' and dim '{other_name}' are at the same position "
                "from the right but do not match."
            )
        if name is None:
            _check_absent(other_name, names, other, names)
        elif other_name is None:
            _check_absent(name, names, other, other)
        unified.append(other_name if name is None else name)
    return tuple(reversed(unified))


def propagate_names(output: Tensor, names: Names) -> None:
    """Give the output these names. Raises TorchError if it has others already."""
    if output.names and output.names != names:
        raise TorchError(
            f"Name mismatch: specified out tensor with names {_listed(output.names)} are not the "
            f"same as the computed output names {_listed(names)}. Please rename the out tensor's "
            "dims with `Tensor.rename`."
        )
    output.names = names


def _check_absent(name: str | None, names: Names, other: Names, absent: Names) -> None:
    if name is not None and name in absent:
        raise TorchError(
            f"Misaligned dims when attempting to broadcast dims {_listed(names)} and dims "
            f"{_listed(other)}: dim '{name}' appears in a different position from the right "
            "across both lists."
        )


def _listed(names: Names) -> str:
    return "[" + ", ".join("None" if name is None else f"'{name}'" for name in names) + "]"
