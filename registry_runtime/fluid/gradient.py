"""The gradient of an operator's call: its grad op maker writes a call, and that is run.

Nobody calls `trace_grad` by hand. When a program is differentiated, each of its calls is turned round
in the opposite order: the operator's grad op maker is given the call and writes that of the gradient,
in which `Out@GRAD` goes in and `Input@GRAD` comes out. Here that is done for a single call. Its
variables are called as the operator calls them, `Input`, or `X[0]`, `X[1]` where a name has several.

Source: `paddle/fluid/framework/grad_op_desc_maker.h`; `append_backward` of Paddle's Python side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from registry_runtime.fluid.blame import told
from registry_runtime.fluid.grad_op_maker import EMPTY_VAR_NAME, OpDesc
from registry_runtime.fluid.op_story import Tell
from registry_runtime.fluid.run_op import run_op
from registry_runtime.phi.call.op_call import OpError
from registry_runtime.phi.op_utils import GradVarName

if TYPE_CHECKING:
    from registry_runtime.fluid.runtime import Runtime


def run_gradient(
    fluid: Runtime,
    op_type: str,
    inputs: Mapping[str, Any],
    out_grads: Mapping[str, Any],
    attrs: Mapping[str, Any] | None = None,
    outputs: Mapping[str, Any] | None = None,
    tell: Tell = lambda step: None,
) -> dict[str, Any]:
    """The gradients of a call's inputs, under the names `Input@GRAD`.

    `out_grads` are the gradients of its outputs, under the outputs' names. `outputs` are what the call
    gave, for a gradient that asks for it; without them the call is made again. Raises OpError, and
    KernelError for what a kernel refuses.
    """
    with told(op_type, None):
        info = fluid.op_info_map.Get(op_type)
    with told(op_type, info.op_class):
        filled = dict(attrs or {}) if info.checker is None else info.checker.Check(attrs or {})
    forward = run_op(fluid, op_type, inputs, attrs) if outputs is None else outputs
    scope: dict[str, Any] = {}
    call = OpDesc(op_type, _enter(scope, inputs, str), _enter(scope, forward, str), filled)
    _enter(scope, out_grads, GradVarName)
    with told(op_type, info.grad_op_maker):
        gradient_calls = info.GradOpMaker(call)
    made: dict[str, Any] = {}
    for gradient in gradient_calls:
        given = {name: _look_up(scope, gradient, name, v) for name, v in gradient.inputs.items()}
        wanted = {
            name: len(variables)
            for name, variables in gradient.outputs.items()
            if any(variable != EMPTY_VAR_NAME for variable in variables)
        }
        results = run_op(fluid, gradient.type, given, gradient.attrs, wanted, tell)
        for name, result in results.items():
            variables = gradient.outputs[name]
            found = dict(zip(variables, result if wanted[name] > 1 else [result], strict=True))
            found.pop(EMPTY_VAR_NAME, None)
            scope |= found
            made |= found
    return made


def _enter(scope: dict[str, Any], slots: Mapping[str, Any], named: Any) -> dict[str, list[str]]:
    """Put the variables of some slots into the scope, under their names; the names by slot."""
    names: dict[str, list[str]] = {}
    for slot, given in slots.items():
        several = isinstance(given, list | tuple)
        values: Sequence[Any] = given if several else [given]
        called = [named(f"{slot}[{i}]" if several else slot) for i in range(len(values))]
        scope.update(zip(called, values, strict=True))
        names[slot] = called
    return names


def _look_up(scope: Mapping[str, Any], call: OpDesc, slot: str, variables: Sequence[str]) -> Any:
    for variable in variables:
        if variable not in scope:
            raise OpError(
                f"{call.type}: its input {slot} is the variable {variable}, which nobody gave; "
                f"there are {', '.join(scope)}"
            )
    found = [scope[variable] for variable in variables]
    return found[0] if len(found) == 1 else found
