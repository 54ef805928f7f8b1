"""What stands in a slot of an operator's table: a function, and how to call it.

A kernel can be called in two ways. *Unboxed*, as C++ calls a function: each argument is passed as
what it is. *Boxed*: the arguments lie on a stack, the kernel takes them off and puts its results on;
so one function can serve every operator, whatever its arguments are, which is what a fallback needs.
A function registered unboxed can be called boxed too; the other way round the arguments are packed
for the call (`aten/src/ATen/core/boxing`).

Two kernels do nothing and are known by what they are. A *fallthrough* says that the call passes this
key by; the dispatcher leaves such a key out of the set before it looks anything up. The
*ambiguous AutogradOther* kernel is an error kept ready.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from registry_runtime.aten.dispatch import dispatch_sentences as say
from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet
from registry_runtime.aten.errors import TorchError
from registry_runtime.cxx import CxxFunction, unknown_part

Stack = list[Any]
Unboxed = Callable[..., Any]


class Operator(Protocol):
    """What a kernel needs to know of the operator that it is called for."""

    def operator_name(self) -> object: ...

    def dumpState(self) -> str: ...

    def argument_count(self) -> int: ...


Boxed = Callable[[Any, DispatchKeySet, Stack], None]


class Nature(Enum):
    """What a kernel is, besides a function."""

    FUNCTION = "function"
    FALLTHROUGH = "fallthrough"
    AMBIGUOUS_AUTOGRAD_OTHER = "ambiguous_autogradother"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, eq=False)
class KernelFunction:
    """`c10::KernelFunction`. Made by the functions below; without any argument it is a missing one.

    `unboxed` takes the operator's arguments, after the key set if `with_keyset`; `boxed` takes the
    operator, the key set and the stack. `function` is how C++ spells the kernel, `source` its
    function there. A kernel that C++ has and nobody wrote in Python is valid, and calling it is an
    error: `runnable` is False. `has_symint`: the C++ function takes `SymInt`s.
    """

    unboxed: Unboxed | None = None
    boxed: Boxed | None = None
    nature: Nature = Nature.MISSING
    with_keyset: bool = False
    runnable: bool = False
    has_symint: bool = False
    function: str | None = None
    source: CxxFunction | None = None

    def isValid(self) -> bool:
        """Whether a slot that holds it can be called at all."""
        return self.nature is not Nature.MISSING

    def isValidUnboxed(self) -> bool:
        """Whether it is a function that takes its arguments one by one, no SymInt among them."""
        return self.unboxed is not None and not self.has_symint

    def isValidSymUnboxed(self) -> bool:
        """Whether it is such a function with SymInts among its arguments."""
        return self.unboxed is not None and self.has_symint

    def isFallthrough(self) -> bool:
        """Whether calls are to pass its key by."""
        return self.nature is Nature.FALLTHROUGH

    def call(self, op: Operator, keyset: DispatchKeySet, *arguments: Any) -> Any:
        """Call it with all arguments of the operator in order; a boxed kernel gets them packed."""
        unboxed = self.unboxed
        if unboxed is not None:
            return unboxed(keyset, *arguments) if self.with_keyset else unboxed(*arguments)
        stack = list(arguments)
        self.callBoxed(op, keyset, stack)
        return stack[0] if len(stack) == 1 else tuple(stack) if stack else None

    def callBoxed(self, op: Operator, keyset: DispatchKeySet, stack: Stack) -> None:
        """Call it with the arguments on the stack; afterwards its results lie there instead."""
        if self.boxed is not None:
            self.boxed(op, keyset, stack)
            return
        if self.unboxed is None:
            raise TorchError(_why_not_callable(self.nature, op))
        at = len(stack) - op.argument_count()
        arguments, stack[at:] = stack[at:], []
        result = self.call(op, keyset, *arguments)
        if isinstance(result, tuple):
            stack.extend(result)
        elif result is not None:
            stack.append(result)

    def dumpState(self) -> str:
        """One line on how it can be called, each word with a space after it."""
        words = ["fallthrough"] if self.isFallthrough() else []
        words += ["boxed"] if self.isValid() else []
        words += ["unboxed"] if self.isValidUnboxed() else []
        return "".join(f"{word} " for word in words)


def makeFromUnboxedFunction(
    call: Unboxed | None,
    *,
    function: str | None = None,
    source: CxxFunction | None = None,
    with_keyset: bool = False,
    has_symint: bool = False,
) -> KernelFunction:
    """A kernel for one operator. `call` None: C++ has the function, and Python has none for it."""
    runs = call is not None
    return KernelFunction(
        unboxed=call if call is not None else _declared(function, source),
        nature=Nature.FUNCTION,
        with_keyset=with_keyset and runs,
        runnable=runs,
        has_symint=has_symint,
        function=function,
        source=source,
    )


def makeFromBoxedFunction(
    call: Boxed | None, *, function: str | None = None, source: CxxFunction | None = None
) -> KernelFunction:
    """A kernel for any operator, which takes its arguments from the stack."""
    return KernelFunction(
        boxed=call if call is not None else _declared(function, source),
        nature=Nature.FUNCTION,
        runnable=call is not None,
        function=function,
        source=source,
    )


def makeFallthrough() -> KernelFunction:
    """The kernel that is never called: its key is passed by."""
    return KernelFunction(nature=Nature.FALLTHROUGH)


def makeAmbiguousAutogradOther() -> KernelFunction:
    """The kernel that says that PyTorch can't know which of two was meant."""
    return KernelFunction(nature=Nature.AMBIGUOUS_AUTOGRAD_OTHER)


def _declared(function: str | None, source: CxxFunction | None) -> Callable[..., Any]:
    name = function or "this kernel"

    def refuse(*_: Any) -> Any:
        unknown = unknown_part(source) if source is not None else None
        if unknown is not None:
            raise TorchError(
                f"{name} is registered, but nobody wrote it in Python, and nothing is known of "
                f"`{unknown}`, which its body uses",
                hint="is that declared, and spelled as in PyTorch?",
            )
        raise TorchError(
            f"{name} is registered, but nobody wrote it in Python: it can't be run here",
            hint="registry_runtime.aten.native holds the kernels that can",
        )

    return refuse


def _why_not_callable(nature: Nature, op: Operator) -> str:
    if nature is Nature.FALLTHROUGH:
        return say.fallthrough_executed()
    if nature is Nature.AMBIGUOUS_AUTOGRAD_OTHER:
        return say.ambiguous_autogradother(op.operator_name(), op.dumpState())
    return f"{op.operator_name()} has no kernel here"
