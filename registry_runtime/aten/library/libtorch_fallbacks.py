"""What libtorch's own fallbacks do when a call comes to one.

They are for tensors and threads of a special kind, and most of them undo that: a batch is taken
apart, a conjugation that was only noted is made, a wrapper is taken off. The tensors of this runtime
are of no such kind. So a call gets here because its thread says so, as with an
`IncludeDispatchKeyGuard`; then some go on as if nothing had been, and others find that what they
were to undo isn't there. A thread that includes `Tracer` is taken to trace, into a graph that
nobody looks at.

Sources: the files that `libtorch` names, in PyTorch 2.13.
"""

from __future__ import annotations

from typing import Any

from registry_runtime.aten.autograd.missing_derivatives import note_results, warning_node
from registry_runtime.aten.dispatch import dispatch_sentences as say
from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet, after_autograd_keyset
from registry_runtime.aten.dispatch.dispatcher import Dispatcher
from registry_runtime.aten.dispatch.kernel_function import Boxed, Stack
from registry_runtime.aten.dispatch.local_keys import ExcludeDispatchKeyGuard
from registry_runtime.aten.dispatch.operator_handle import OperatorHandle
from registry_runtime.aten.errors import NotImplementedTorchError, TorchError
from registry_runtime.aten.schema.function_schema import Argument, FunctionSchema

_ABOVE_PYTHON = DispatchKeySet.full() - DispatchKeySet.full_after(DispatchKey.Python)
# What ends a call whose thread includes the key though nothing of its kind is going on: the condition
# that doesn't hold, the file and line of it, and what is said besides.
_LAYERS = "aten/src/ATen/functorch/DynamicLayer.cpp"
_NOTHING_THERE = {
    DispatchKey.PythonDispatcher: (
        "state",
        "aten/src/ATen/core/PythonFallbackKernel.cpp:137",
        "Hit PythonDispatcher dispatch key but PythonDispatcherTLS was not set",
    ),
    DispatchKey.FuncTorchGradWrapper: (
        "unwrapped_count > 0",
        "aten/src/ATen/functorch/TensorWrapper.cpp:202",
        "Should have at least one dead wrapper",
    ),
    DispatchKey.FuncTorchDynamicLayerFrontMode: ("!dynamicLayerStack.empty()", f"{_LAYERS}:435"),
    # PyTorch 2.13 takes the last of an empty stack there, and crashes.
    DispatchKey.FuncTorchDynamicLayerBackMode: ("!dynamicLayerStack.empty()", _LAYERS),
}
_TENSOR_LISTS = frozenset({"Tensor[]", "Tensor?[]"})


def boxed_fallback(key: DispatchKey, d: Dispatcher) -> Boxed:
    """The function that libtorch registers for the key."""
    k = DispatchKey
    match key:
        case k.Meta:
            return _meta
        case k.Conjugate:
            return _noted_in_a_bit(d, key, "conjugate fallback: ", "conjugate")
        case k.Negative:
            return _noted_in_a_bit(d, key, "negation fallback: ", "negation")
        case k.ZeroTensor:
            return _noted_in_a_bit(d, key, "ZeroTensorFallback: ", "ZeroTensor")
        case k.Functionalize:
            return _functionalize(d)
        case k.Python:
            return _python(d)
        case k.Tracer:
            return _calling_without(d, DispatchKeySet(key))
        case k.FuncTorchBatched:
            return _functorch_batched(d, key, "Batching")
        case k.BatchedNestedTensor:
            return _functorch_batched(d, key, "Nested batching")
        case k.Batched:
            return _legacy_batched
        case k.PreDispatch | k.PythonTLSSnapshot:
            return _passing_on(d, DispatchKeySet.full_after(key))
        case _ if key in _NOTHING_THERE:
            return _refusing(say.internal_assert(*_NOTHING_THERE[key]))
    return _autograd(d)


def _passing_on(dispatcher: Dispatcher, keys: DispatchKeySet) -> Boxed:
    """Calls the next kernel, among those keys."""

    def go_on(op: OperatorHandle, keyset: DispatchKeySet, stack: Stack) -> None:
        dispatcher.redispatchBoxed(op, keyset & keys, stack)

    return go_on


def _autograd(dispatcher: Dispatcher) -> Boxed:
    """Calls the next kernel; at what comes out it hangs a node that warns on the way back."""
    below = _passing_on(dispatcher, after_autograd_keyset)

    def go_on(op: OperatorHandle, keyset: DispatchKeySet, stack: Stack) -> None:
        schema = op.schema()
        given = stack[len(stack) - len(schema.arguments) :]
        node = warning_node(str(schema.name), given, dispatcher.warn)
        below(op, keyset, stack)
        if node is not None:
            note_results(node, stack[len(stack) - len(schema.returns) :])

    return go_on


def _calling_without(dispatcher: Dispatcher, keys: DispatchKeySet) -> Boxed:
    """Calls the operator once more, from a thread that passes those keys by."""

    def call_again(op: OperatorHandle, keyset: DispatchKeySet, stack: Stack) -> None:
        with ExcludeDispatchKeyGuard(keys):
            dispatcher.callBoxed(op, stack)

    return call_again


def _noted_in_a_bit(dispatcher: Dispatcher, key: DispatchKey, what: str, name: str) -> Boxed:
    """Makes good what a tensor only notes: its conjugation, its sign, that it is all zeros."""
    below = _passing_on(dispatcher, DispatchKeySet.full_after(key))

    def resolve(op: OperatorHandle, keyset: DispatchKeySet, stack: Stack) -> None:
        aliases = [a.alias_info for a in op.schema().arguments if a.alias_info is not None]
        if len({alias.is_write for alias in aliases}) > 1:
            raise TorchError(say.mixed_aliases(what, name, op.operator_name().name))
        below(op, keyset, stack)

    return resolve


def _meta(op: OperatorHandle, keyset: DispatchKeySet, stack: Stack) -> None:
    """Nobody has said of which shape the result would be."""
    raise NotImplementedTorchError(say.no_meta_kernel(op.operator_name()))


def _python(dispatcher: Dispatcher) -> Boxed:
    """Asks the tensors' Python, which has nothing to say of ordinary ones and calls again."""
    again = _calling_without(dispatcher, _ABOVE_PYTHON)

    def ask(op: OperatorHandle, keyset: DispatchKeySet, stack: Stack) -> None:
        if not _tensors(stack[-op.argument_count() :]):
            raise TorchError(
                say.internal_assert(
                    "0",
                    "aten/src/ATen/core/PythonFallbackKernel.cpp:132",
                    "Hit Python dispatch key but no arguments had PyInterpreter (no tensor args?)",
                )
            )
        again(op, keyset, stack)

    return ask


def _functionalize(dispatcher: Dispatcher) -> Boxed:
    """Keeps writing away from the kernels below, for operators that don't write."""
    again = _calling_without(dispatcher, DispatchKeySet(DispatchKey.Functionalize))

    def functionalize(op: OperatorHandle, keyset: DispatchKeySet, stack: Stack) -> None:
        schema = op.schema()
        if _has_alias_info(schema):
            raise TorchError(say.not_functional(schema))
        tensors = _tensors(stack[len(stack) - len(schema.arguments) :])
        again(op, keyset, stack)
        if not tensors and _tensors(stack[len(stack) - len(schema.returns) :]):
            raise TorchError(
                f"{schema.name}: PyTorch wraps what a factory returns into a functional tensor",
                hint="there are no functional tensors here",
            )

    return functionalize


def _functorch_batched(dispatcher: Dispatcher, key: DispatchKey, what: str) -> Boxed:
    """Calls an operator that knows no batches once for each tensor of a batch."""
    again = _calling_without(dispatcher, DispatchKeySet(key))

    def each(op: OperatorHandle, keyset: DispatchKeySet, stack: Stack) -> None:
        schema = op.schema()
        if not _takes_and_returns_tensors(schema, _TENSOR_LISTS):
            raise TorchError(say.no_batching_rule(what, schema.name))
        if _tensors(stack[len(stack) - len(schema.arguments) :]):
            raise TorchError(
                say.internal_assert(
                    "maybe_level.has_value()", "aten/src/ATen/functorch/PlumbingHelper.h:55"
                )
            )
        again(op, keyset, stack)

    return each


def _legacy_batched(op: OperatorHandle, keyset: DispatchKeySet, stack: Stack) -> None:
    """The same for `torch._vmap_internals`, and finds no batch among the arguments."""
    schema = op.schema()
    if _is_in_place(schema):
        raise TorchError(_no_batch(159))
    if _has_alias_info(schema):
        raise TorchError(say.no_batching_of_views(schema.name))
    if not _takes_and_returns_tensors(schema, frozenset({"Tensor[]"})):
        raise TorchError(say.no_batching_rule("Batching", schema.name))
    if not schema.returns:
        raise TorchError(say.no_batching_of_nothing(schema.name))
    raise TorchError(_no_batch(293))


def _no_batch(line: int) -> str:
    file = f"aten/src/ATen/LegacyBatchedFallback.cpp:{line}"
    return say.internal_assert("!batched_tensor_inputs.empty()", file)


def _refusing(sentence: str) -> Boxed:
    """Finds that what its key is for isn't there, whatever the operator."""

    def refuse(op: OperatorHandle, keyset: DispatchKeySet, stack: Stack) -> None:
        raise TorchError(sentence)

    return refuse


def _tensors(values: Any) -> bool:
    """Whether a tensor is among them, or in a list among them."""
    return any(
        _tensors(value) if isinstance(value, list | tuple) else hasattr(value, "key_set")
        for value in values
    )


def _has_alias_info(schema: FunctionSchema) -> bool:
    return any(argument.alias_info is not None for argument in schema.arguments + schema.returns)


def _takes_and_returns_tensors(schema: FunctionSchema, lists: frozenset[str]) -> bool:
    return all(str(result.type) == "Tensor" for result in schema.returns) and not any(
        str(argument.type) in lists for argument in schema.arguments
    )


def _is_in_place(schema: FunctionSchema) -> bool:
    """Writes to its first argument, returns it, and aliases nothing else."""
    if not schema.arguments or len(schema.returns) != 1:
        return False
    first, *others = schema.arguments
    returned: Argument = schema.returns[0]
    return first.is_write and returned.is_write and all(a.alias_info is None for a in others)
