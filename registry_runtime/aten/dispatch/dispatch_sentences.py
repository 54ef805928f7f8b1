"""What PyTorch says when a registration or a call fails: its sentences, to the letter.

They are long because each names all that is needed to find the mistake, files and lines included.
Here they stand together, out of the way of the code that knows when to say them.
"""

from __future__ import annotations

from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.operator_name import OperatorName


def only_a_single_library(namespace: str, previous: str, latest: str) -> str:
    """Two TORCH_LIBRARY blocks for one namespace."""
    return (
        f"Only a single TORCH_LIBRARY can be used to register the namespace {namespace}; please put "
        "all of your definitions in a single TORCH_LIBRARY block.  If you were trying to specify "
        "implementations, consider using TORCH_LIBRARY_IMPL (which can be duplicated).  If you "
        "really intended to define operators for a single namespace in a distributed way, you can "
        "use TORCH_LIBRARY_FRAGMENT to explicitly indicate this.  Previous registration of "
        f"TORCH_LIBRARY was {previous}; latest registration was {latest}"
    )


def defined_twice(schema: object, previous: str, latest: str) -> str:
    """Two `def`s of one operator."""
    return (
        f"Tried to register an operator ({schema}) with the same name and overload name multiple "
        "times. Each overload's schema should only be registered with a single call to def(). "
        f"Duplicate registration: {latest}. Original registration: {previous}"
    )


def two_fallbacks(key: DispatchKey, previous: str, latest: str) -> str:
    """Two fallbacks for one key."""
    return (
        f"Tried to register multiple backend fallbacks for the same dispatch key {key}; previous "
        f"registration {previous}, new registration {latest}"
    )


def overriding(operator: str, key: DispatchKey | None, previous: str, latest: str) -> str:
    """A kernel for a key that has one. `previous` tells of the operator's first kernel in C++."""
    return (
        "Warning only once for all operators,  other operators may also be overridden.\n"
        "  Overriding a previously registered kernel for the same operator and the same dispatch "
        f"key\n{operator}  dispatch key: {_or_catch_all(key)}\n  previous kernel: {previous}\n"
        f"       new kernel: {latest}"
    )


def schema_mismatch(
    name: OperatorName,
    expected: tuple[object, str],
    inferred: tuple[object, str],
    difference: str,
) -> str:
    """A kernel whose C++ type contradicts the schema; each with who said it."""
    return (
        "Inferred operator schema for a C++ kernel function doesn't match the expected function "
        f"schema.\n  operator: {name}\n  expected schema: {expected[0]}\n    {expected[1]}\n"
        f"  inferred schema: {inferred[0]}\n    {inferred[1]}\n  reason: {difference}"
    )


def signature_mismatch(
    operator: str,
    first: tuple[object, DispatchKey | None, str],
    second: tuple[object, DispatchKey | None, str],
) -> str:
    """Two kernels of one operator with different C++ types."""
    return f"\nMismatch in kernel C++ signatures\n{operator}" + "".join(
        f"  kernel {number}: {signature}\n    dispatch key: {_or_catch_all(key)}\n    {debug}\n"
        for number, (signature, key, debug) in enumerate((first, second), 1)
    )


def wrong_signature(operator: str, correct: object, debug: str, called_as: object) -> str:
    """A call that takes the operator for one of another C++ type."""
    return (
        f"\nTried to access or call an operator with a wrong signature.\n{operator}"
        f"  correct signature:  {correct}\n    {debug}\n  accessed/called as: {called_as}\n"
        "This likely happened in a call to OperatorHandle::typed<Return (Args...)>(). Please make "
        "sure that the function signature matches the signature in the operator registration call."
    )


def operator_and_debug(operator: object, debug: str) -> str:
    """The two lines that say which operator it is about."""
    return f"  operator: {operator}\n    {debug}\n"


def no_schema(name: str, overload_name: str, *, implemented: bool) -> str:
    """An operator that nobody defined, or that nobody knows at all."""
    but = " but we found an implementation; did you forget to def() the operator?"
    return f"Could not find schema for {name}.{overload_name}{but if implemented else ''}"


def could_not_run(name: OperatorName, key: DispatchKey, available: list[str], table: str) -> str:
    """A call that leads to an empty slot."""
    backends = f"[{', '.join(available)}].\n\n{table}"
    if key is DispatchKey.Undefined:
        return (
            "There were no tensor arguments to this function (e.g., you passed an empty list of "
            f"Tensors), but no fallback function is registered for schema {name}.  This usually "
            "means that this function requires a non-empty list of Tensors, or that you (the "
            f"operator writer) forgot to register a fallback function.  Available functions are "
            f"{backends}"
        )
    return (
        f"Could not run '{name}' with arguments from the '{key}' backend. This could be because "
        "the operator doesn't exist for this backend, or was omitted during the selective/custom "
        "build process (if using custom build). If you are a Facebook employee using PyTorch on "
        "mobile, please visit https://fburl.com/ptmfixes for possible resolutions. "
        f"'{name}' is only available for these backends: {backends}"
    )


def fallthrough_executed() -> str:
    """A fallthrough that was called all the same."""
    return (
        "fallthrough_kernel was executed but it should have been short-circuited by the "
        "dispatcher. This could occur if you registered a fallthrough kernel as a override for a "
        "specific operator (as opposed to a backend fallback); this is NOT currently supported, "
        "and we do not intend to add support for it in the near future.  If you do find yourself "
        "in need of this, let us know in the bug tracker."
    )


def ambiguous_autogradother(name: object, state: str) -> str:
    """Both a composite kernel and one for a backend that has no autograd key of its own."""
    return (
        f"{name} has kernels registered to both CompositeImplicitAutograd and a backend mapped to "
        "AutogradOther. This makes the backend kernel unreachable; the dispatcher will always "
        "prefer the CompositeImplicitAutograd lowering (see Note [Ambiguity in AutogradOther "
        "kernel]). If you want to override CompositeImplicitAutograd, please open an issue to "
        "request a dedicated Autograd dispatch key for the backend.\nIf you only want to run "
        "inference instead of training, in C++, add `c10::InferenceMode mode;` before "
        "model.forward(); in Python, use `torch.inference_mode()` as a context manager (see "
        "https://pytorch.org/docs/stable/generated/"
        "torch.autograd.grad_mode.inference_mode.html).\n"
        f"Canonical state\n~~~~~~~~~~~\n{state}\n\n"
    )


def internal_assert(condition: str, where: str, rest: str = "") -> str:
    """`TORCH_INTERNAL_ASSERT`: what can't be, is. `where` is a file, and a line of it."""
    file, _, line = where.partition(":")
    at = f'"{file}":{line}' if line else f'"{file}"'
    return f"{condition} INTERNAL ASSERT FAILED at {at}, please report a bug to PyTorch. {rest}"


def no_meta_kernel(name: OperatorName) -> str:
    """A Meta tensor for an operator that has nothing for Meta."""
    return (
        f"{name}: attempted to run this operator with Meta tensors, but there was no fake impl or "
        "Meta kernel registered. You may have run into this message while using an operator with "
        "PT2 compilation APIs (torch.compile/torch.export); in order to use this operator with "
        "those APIs you'll need to add a fake impl. Please see the following for next steps:  "
        "https://pytorch.org/tutorials/advanced/custom_ops_landing_page.html"
    )


def mixed_aliases(what: str, fallback: str, name: str) -> str:
    """An operator that writes to an argument and returns a view of another."""
    return (
        f"Unsupported operator for {what}{name}{fallback} fallback doesn't work for operators with "
        "a mix mutable and non-mutable inputs that alias with outputs, this must be implemented "
        "manually.  If you got this error on a core op, please report a bug to PyTorch."
    )


def not_functional(schema: object) -> str:
    """An operator that writes, or whose result shares memory, under functionalization."""
    return (
        f"Found a custom (non-ATen) operator whose output has alias annotations: {schema}. We only "
        "support functionalizing operators whose outputs do not have alias annotations (e.g. "
        "'Tensor(a)' is a Tensor with an alias annotation whereas 'Tensor' is a Tensor without. The "
        "'(a)' is the alias annotation). The alias annotation specifies that the output Tensor "
        "shares storage with an input that has the same annotation. Please check if (1) the output "
        "needs to be an output (if not, don't return it), (2) if the output doesn't share storage "
        "with any inputs, then delete the alias annotation. (3) if the output indeed shares storage "
        "with an input, then add a .clone() before returning it to prevent storage sharing and then "
        "delete the alias annotation. Otherwise, please file an issue on GitHub."
    )


def no_batching_rule(what: str, name: object) -> str:
    """vmap of an operator that takes lists of tensors, or returns something else than tensors."""
    return f"{what} rule not implemented for {name}. We could not generate a fallback."


def no_batching_of_views(name: object) -> str:
    """vmap of an operator that writes into `out`, or returns a view."""
    return (
        f"Batching rule not implemented for {name}; the fallback path doesn't work on out= or view "
        "ops."
    )


def no_batching_of_nothing(name: object) -> str:
    """vmap of an operator that returns nothing."""
    return (
        f"Batching rule not implemented for {name}. The fallback path does not support operations "
        "with no returns."
    )


def not_within_timeout(what: str) -> str:
    """VERIFY waited in vain."""
    return (
        f"Expected main interpreter to {what}, but this didn't happen within timeout.  Are you "
        "trying to load different models in the same torchdeploy/multipy instance?  You must "
        "warmup each interpreter identically, e.g., import all the same dependencies."
    )


def _or_catch_all(key: DispatchKey | None) -> str:
    return "(catch all)" if key is None else str(key)
