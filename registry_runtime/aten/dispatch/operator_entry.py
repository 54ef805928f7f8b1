"""One operator: what was registered for it, and the table that follows from that.

Registrations are kept by key, the newest first, and every one of them stays until it is withdrawn.
The *table* is what a call looks into: a kernel for each of 137 runtime keys. It holds nothing of its
own: each slot is computed from the registrations of this operator and the fallbacks of all (see
`dispatch_table`), and computed anew when one of those changes. So withdrawing a registration brings
back what it hid, in whichever order registrations come and go
(`aten/src/ATen/core/dispatch/OperatorEntry.cpp`, PyTorch 2.13).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from registry_runtime.aten.dispatch import dispatch_sentences as say
from registry_runtime.aten.dispatch.dispatch_key import (
    DispatchKey,
    is_alias_dispatch_key,
)
from registry_runtime.aten.dispatch.dispatch_key_extractor import DispatchKeyExtractor
from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet, dispatch_table_index
from registry_runtime.aten.dispatch.dispatch_table import (
    RUNTIME_KEY_OF_SLOT,
    RUNTIME_KEYS,
    SLOTS,
    AnnotatedKernel,
    compute_dispatch_table_entry,
    slots_that_depend_on,
)
from registry_runtime.aten.dispatch.kernel_function import KernelFunction
from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.aten.errors import NotImplementedTorchError, TorchError
from registry_runtime.aten.schema.cpp_signature import CppSignature
from registry_runtime.aten.schema.function_schema import FunctionSchema
from registry_runtime.aten.schema.infer_schema import find_schema_differences

# Meta kernels in Python replace those in C++ as a matter of course, and MTIA falls back to the CPU
# by replacing kernels.
_REPLACED_IN_SILENCE = (DispatchKey.Meta, DispatchKey.MTIA)


@dataclass(frozen=True, slots=True)
class AnnotatedSchema:
    """`c10::impl::AnnotatedSchema`: what was promised, and in which file and line."""

    schema: FunctionSchema
    debug: str


@dataclass(frozen=True, slots=True)
class CppSignatureWithDebug:
    """The C++ type that the first kernel had, and to which all others are held."""

    signature: CppSignature
    debug: str
    dispatch_key: DispatchKey | None


class OperatorEntry:
    """`c10::impl::OperatorEntry`. `fallbacks` is the dispatcher's own list, as it is at any time."""

    def __init__(
        self,
        name: OperatorName,
        fallbacks: Sequence[AnnotatedKernel],
        *,
        warn: Callable[[str], None],
    ) -> None:
        self.name_ = name
        self.schema_: AnnotatedSchema | None = None
        self.tags_: tuple[str, ...] = ()
        self.kernels_: dict[DispatchKey, list[AnnotatedKernel]] = {}
        self.cpp_signature_: CppSignatureWithDebug | None = None
        self.sym_cpp_signature_: CppSignatureWithDebug | None = None
        # No kernels yet: each slot has the fallback for its key, or none.
        self.dispatchTable_ = [fallback.kernel for fallback in fallbacks]
        self.dispatchKeyExtractor_ = DispatchKeyExtractor()
        for slot, kernel in enumerate(self.dispatchTable_):
            if kernel.isFallthrough():
                self.dispatchKeyExtractor_.set_operator_has_fallthrough_for_key(
                    RUNTIME_KEY_OF_SLOT[slot], True
                )
        self._fallbacks = fallbacks
        self._warn = warn

    # The schema

    def registerSchema(self, schema: FunctionSchema, debug: str, tags: Sequence[str] = ()) -> None:
        """Take the schema, if every kernel that is there already fits it. Raises TorchError."""
        assert self.schema_ is None
        for kernels in self.kernels_.values():
            for kernel in kernels:
                self._check_schema(AnnotatedSchema(schema, debug), kernel)
        self.dispatchKeyExtractor_.register_schema(schema)
        self.schema_ = AnnotatedSchema(schema, debug)
        self.tags_ = tuple(tags)

    def deregisterSchema(self) -> None:
        """Forget it; kernels stay."""
        self.schema_ = None
        self.dispatchKeyExtractor_.deregister_schema()

    def _check_schema(self, promised: AnnotatedSchema, annotated: AnnotatedKernel) -> None:
        if annotated.inferred_function_schema is None:
            return
        from_def = promised.schema.with_real_types(annotated.kernel.isValidSymUnboxed())
        inferred = annotated.inferred_function_schema.with_real_types()
        difference = find_schema_differences(from_def, inferred)
        if difference is not None:
            expected, found = (from_def, promised.debug), (inferred, annotated.debug)
            raise TorchError(say.schema_mismatch(self.name_, expected, found, difference))

    # Kernels

    def registerKernel(
        self,
        dispatch_key: DispatchKey | None,
        kernel: KernelFunction,
        cpp_signature: CppSignature | None,
        inferred_function_schema: FunctionSchema | None,
        debug: str,
    ) -> AnnotatedKernel:
        """Put a kernel before the others for its key; no key means `CompositeImplicitAutograd`.

        Returns what `deregisterKernel_` takes. Raises TorchError if its C++ type is not that of the
        operator's other kernels, or contradicts the schema.
        """
        symint = kernel.isValidSymUnboxed()
        made: CppSignatureWithDebug | None = None
        if cpp_signature is not None:
            made = CppSignatureWithDebug(cpp_signature, debug, dispatch_key)
            self._check_signature(made, self.sym_cpp_signature_ if symint else self.cpp_signature_)
        annotated = AnnotatedKernel(kernel, inferred_function_schema, debug)
        if self.schema_ is not None:
            self._check_schema(self.schema_, annotated)
        if symint:
            self.sym_cpp_signature_ = self.sym_cpp_signature_ or made
        else:
            self.cpp_signature_ = self.cpp_signature_ or made
        key = DispatchKey.CompositeImplicitAutograd if dispatch_key is None else dispatch_key
        kernels = self.kernels_.setdefault(key, [])
        if kernels and dispatch_key not in _REPLACED_IN_SILENCE:
            first = self.cpp_signature_ or self.sym_cpp_signature_
            previous = first.debug if first else "no debug info"
            self._warn(say.overriding(self._who("no debug info"), dispatch_key, previous, debug))
        kernels.insert(0, annotated)
        if dispatch_key is None:
            self.updateDispatchTableFull_()
        else:
            self.updateDispatchTable_(key)
        return annotated

    def deregisterKernel_(
        self, dispatch_key: DispatchKey | None, annotated: AnnotatedKernel
    ) -> None:
        """Take a kernel away, wherever it stands among those for its key."""
        key = DispatchKey.CompositeImplicitAutograd if dispatch_key is None else dispatch_key
        self.kernels_[key].remove(annotated)
        if not self.kernels_[key]:
            del self.kernels_[key]
        # PyTorch remembers the type for as long as there is the operator, since somebody may hold a
        # typed handle. Here a kernel that was withdrawn is to leave no trace.
        if not self.kernels_:
            self.cpp_signature_ = self.sym_cpp_signature_ = None
        self.updateDispatchTable_(key)

    def _check_signature(
        self, made: CppSignatureWithDebug, first: CppSignatureWithDebug | None
    ) -> None:
        if first is not None and first.signature != made.signature:
            who = self._who("no debug info")
            raise TorchError(say.signature_mismatch(who, _told(first), _told(made)))

    def assertSignatureIsCorrect(self, signature: CppSignature, has_symint: bool = False) -> None:
        """Raise TorchError unless kernels of this operator have that C++ type."""
        saved = self.sym_cpp_signature_ if has_symint else self.cpp_signature_
        if saved is not None and saved.signature != signature:
            who = self._who("unknown debug info")
            raise TorchError(say.wrong_signature(who, saved.signature, saved.debug, signature))

    def _who(self, no_debug_info: str) -> str:
        if self.schema_ is None:
            return say.operator_and_debug(self.name_, no_debug_info)
        return say.operator_and_debug(self.schema_.schema, self.schema_.debug)

    def hasKernelForDispatchKey(self, key: DispatchKey) -> bool:
        """Whether something is registered for that key, alias or not."""
        return key in self.kernels_

    # The table

    def computeDispatchTableEntryWithDebug(self, key: DispatchKey) -> tuple[AnnotatedKernel, str]:
        """What a runtime key leads to, and why."""
        return compute_dispatch_table_entry(self.kernels_, self._fallbacks, key)

    def computed_table(self) -> dict[DispatchKey, tuple[AnnotatedKernel, str]]:
        """What each runtime key leads to, and why; keys that lead nowhere are left out."""
        computed = {key: self.computeDispatchTableEntryWithDebug(key) for key in RUNTIME_KEYS}
        return {key: entry for key, entry in computed.items() if entry[0].kernel.isValid()}

    def updateDispatchTable_(self, key: DispatchKey) -> None:
        """Compute the slots that depend on what is registered for that key."""
        for slot in slots_that_depend_on(key):
            self._update_entry(slot)

    def updateDispatchTableFull_(self) -> None:
        """Compute every slot."""
        for key in RUNTIME_KEYS:
            self._update_entry(key)

    def _update_entry(self, key: DispatchKey) -> None:
        slot, table = SLOTS[key], self.dispatchTable_
        previous, kernel = table[slot], self.computeDispatchTableEntryWithDebug(key)[0].kernel
        table[slot] = kernel
        if kernel.isFallthrough() is not previous.isFallthrough():
            self.dispatchKeyExtractor_.set_operator_has_fallthrough_for_key(
                key, kernel.isFallthrough()
            )

    def lookup(self, keys: DispatchKeySet) -> KernelFunction:
        """The kernel for a call with those keys. Raises NotImplementedTorchError."""
        return self.lookup_raw(keys.raw_repr)

    def lookup_raw(self, raw_repr: int) -> KernelFunction:
        """The same for the integer of a key set."""
        kernel = self.dispatchTable_[dispatch_table_index(raw_repr)]
        if not kernel.isValid():
            self.reportError(DispatchKeySet.from_raw_repr(raw_repr).highest_priority_type_id())
        return kernel

    def reportError(self, key: DispatchKey) -> NoReturn:
        """Say that this operator has no kernel for that key."""
        available = [str(k) for k in RUNTIME_KEYS[1:] if self.dispatchTable_[SLOTS[k]].isValid()]
        table = self.dumpComputedTable()
        raise NotImplementedTorchError(say.could_not_run(self.name_, key, available, table))

    # What it looks like

    def dumpComputedTable(self) -> str:
        """A line for each key that leads somewhere: what to, and why."""
        return "".join(
            f"{key}: {'fallthrough ' if annotated.kernel.isFallthrough() else ''}"
            f"{annotated.debug} [{reason}]\n"
            for key, (annotated, reason) in self.computed_table().items()
        )

    def dumpState(self) -> str:
        """What was registered, in the order of the keys; what newer kernels hide is `inactive`."""
        lines = [f"name: {self.name_}"]
        if self.schema_ is None:
            lines.append("schema: (none)")
        else:
            analysis = self.schema_.schema.alias_analysis
            told = "CONSERVATIVE (default)" if analysis is None else str(analysis)
            lines.append(f"schema: {self.schema_.schema}")
            lines.append(f"debug: {self.schema_.debug}")
            lines.append(f"alias analysis kind: {told}")
        for key, kernels in sorted(self.kernels_.items()):
            alias = "[alias]" if is_alias_dispatch_key(key) else ""
            for number, annotated in enumerate(kernels):
                lines.append(
                    f"{key}{alias}{' (inactive)' if number else ''}: {annotated.debug} :: "
                    f"{annotated.inferred_function_schema or '(none)'} "
                    f"[ {annotated.kernel.dumpState()}]"
                )
        return "".join(f"{line}\n" for line in lines)


def _told(kernel: CppSignatureWithDebug) -> tuple[CppSignature, DispatchKey | None, str]:
    return kernel.signature, kernel.dispatch_key, kernel.debug
