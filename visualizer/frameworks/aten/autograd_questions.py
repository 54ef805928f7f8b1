"""Questions about gradients of one's own operators: what comes out of the way back, and whether a
kernel stands under the right key.

A call's operands of fractions all require a gradient here. The program has PyTorch's own `add`, `mul`
and their kin, with which a backward is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from visualizer.frameworks.answers import EndsWithError, first_sentence
from visualizer.frameworks.aten import made_up_calls
from visualizer.frameworks.aten.asked_program import Dropped, whole_program

if TYPE_CHECKING:
    from registry_runtime.aten.tensor.tensor import Tensor
    from visualizer.workbench.bench import Workbench


def backward(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`backward INCOMING CALL`: the elements of the gradients that come out for the call's operands, if
    this one comes in for its result, `none` for one that is undefined; or the error."""
    from registry_runtime.aten.autograd.graph import gradients_of

    incoming = made_up_calls.operand(words[0])

    def go_back(result: Any, operands: list[Tensor]) -> str:
        found = gradients_of(result, incoming, operands)
        return ", ".join("none" if g is None else made_up_calls.elements(g) for g in found)

    return _called(bench, dropped, words[1:], go_back)


def opcheck_autograd(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`opcheck-autograd CALL`: what the test of that name in `torch.library.opcheck` says: `passes`, or
    the first words of its complaint.

    An operator with a kernel for an Autograd key passes, whatever that does. Of another the result
    mustn't require a gradient, if PyTorch's fallback notes nothing: else its Autograd kernel stands
    under a backend's key (`torch/testing/_internal/optests/autograd_registration.py`)."""
    from registry_runtime.aten.autograd.missing_derivatives import fallback_notes_nothing
    from registry_runtime.aten.calling import find
    from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
    from registry_runtime.aten.errors import TorchError

    try:
        found = find(whole_program(bench, dropped).aten.world, words[0])
    except TorchError as error:
        return first_sentence(error.message)
    if any(found.operatorDef_.op.kernels_.get(DispatchKey[key]) for key in _RIGHT_KEYS):
        return "passes"
    with fallback_notes_nothing():
        answer = noted(bench, dropped, words)
    if answer == "yes":
        return "at least one output of this operator has requires_grad=True"
    return "passes" if answer == "no" else answer


_RIGHT_KEYS = ("AutogradCPU", "Autograd", "CompositeImplicitAutograd")


def noted(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`noted CALL`: `yes` if the result knows how it came about, and so requires a gradient too."""
    return _called(
        bench, dropped, words, lambda result, operands: "yes" if result.requires_grad else "no"
    )


def _called(
    bench: Workbench,
    dropped: Dropped,
    words: list[str],
    tell: Callable[[Any, list[Tensor]], str],
) -> str:
    from registry_runtime.aten.autograd.graph import is_differentiable_type
    from registry_runtime.aten.autograd.missing_derivatives import noted_as_pytorchs
    from registry_runtime.aten.calling import resolve
    from registry_runtime.aten.errors import TorchError
    from registry_runtime.aten.tensor.tensor import Tensor

    operator, *operands = words
    read = made_up_calls.read(operands)
    given = [one for one in (*read.given, *read.named.values()) if isinstance(one, Tensor)]
    wanted = [one for one in given if is_differentiable_type(one.dtype)]
    for one in wanted:
        one.requires_grad = True
    world = whole_program(bench, dropped).aten.world
    try:
        handle, arguments = resolve(world, operator, read.given, read.named)
        made = world.dispatcher.call(handle, *arguments.values)
        return tell(noted_as_pytorchs(operator, arguments.values, made), wanted)
    except TorchError as error:
        return first_sentence(error.message)
    except RecursionError:
        raise EndsWithError(
            f"a call of {operator} never ends: a kernel comes back to itself"
        ) from None
