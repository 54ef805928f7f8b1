"""Every operator and every registration: the half of the dispatcher that calls don't change.

Registering gives a handle, and dropping the handle undoes it. The order doesn't matter: an operator
may be implemented before it is defined, and it exists as long as anything is registered for it. That
it is implemented and never defined is an error only when somebody looks its schema up.

In PyTorch all of this is in the class `Dispatcher`, a singleton
(`aten/src/ATen/core/dispatch/Dispatcher.cpp`). Here each world has its own, so that two opened files
don't mix.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from registry_runtime.aten.dispatch import dispatch_sentences as say
from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatch_key_set import (
    get_dispatch_table_index_for_dispatch_key,
)
from registry_runtime.aten.dispatch.dispatch_table import (
    MISSING_KERNEL,
    AnnotatedKernel,
    no_fallbacks,
)
from registry_runtime.aten.dispatch.kernel_function import KernelFunction
from registry_runtime.aten.dispatch.operator_entry import OperatorEntry
from registry_runtime.aten.dispatch.operator_handle import (
    OperatorDef,
    OperatorHandle,
    OpRegistrationListener,
)
from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.aten.dispatch.registration_handle import Guard, RegistrationHandleRAII
from registry_runtime.aten.errors import NoSchema, TorchError
from registry_runtime.aten.schema.cpp_signature import CppSignature
from registry_runtime.aten.schema.function_schema import FunctionSchema
from registry_runtime.aten.warn_once import WarnOnce


def _ignore(message: str) -> None: ...


class OperatorRegistry:
    """What is registered, and how more is.

    `warn` hears what PyTorch would print as a warning. `wait_for` is how many seconds VERIFY waits
    for another thread to register something. `version` counts what was registered and taken back;
    `plans` are what calls came down to since, by operator (see `call_plan`).
    """

    def __init__(
        self,
        *,
        warn: Callable[[str], None] = _ignore,
        wait_for: float = 2.0,
    ) -> None:
        self.operators_: list[OperatorDef] = []
        self.operatorLookupTable_: dict[OperatorName, OperatorHandle] = {}
        self.libraries_: dict[str, str] = {}
        self.backendFallbackKernels_ = no_fallbacks()
        self.listeners_: list[OpRegistrationListener] = []
        self.guard_ = Guard()
        self.version = 0
        self.plans: dict[OperatorName, dict[Any, Any]] = {}
        self._cond_var = threading.Condition(self.guard_.mutex)
        self.warn = warn
        self._warn_once = WarnOnce(warn)
        self._wait_for = wait_for

    def __del__(self) -> None:
        self.guard_.alive = False

    def changed(self) -> None:
        """Something was registered or taken back, here or in what kernels call: forget the plans."""
        self.version += 1
        for plans in self.plans.values():
            plans.clear()

    # Looking up

    def findOp(self, name: OperatorName) -> OperatorHandle | None:
        """The operator of that name, defined or only implemented."""
        return self.operatorLookupTable_.get(name)

    def findSchema(self, name: OperatorName) -> OperatorHandle | None:
        """The operator of that name, if it is defined."""
        op = self.findOp(name)
        return op if op is not None and op.hasSchema() else None

    def findSchemaOrThrow(self, name: str, overload_name: str = "") -> OperatorHandle:
        """The defined operator of that name. Raises TorchError."""
        op = self.findOp(OperatorName(name, overload_name))
        if op is not None and op.hasSchema():
            return op
        raise NoSchema(say.no_schema(name, overload_name, implemented=op is not None), name)

    def getAllOpNames(self) -> list[OperatorName]:
        """Every name in the look-up table."""
        return list(self.operatorLookupTable_)

    def findDanglingImpls(self) -> list[OperatorHandle]:
        """Operators that are implemented and not defined: once all is loaded, a mistake."""
        return [op for op in self.operatorLookupTable_.values() if not op.hasSchema()]

    def findOrRegisterName_(self, name: OperatorName) -> OperatorHandle:
        """The operator of that name, which is made if it is new."""
        found = self.findOp(name)
        if found is not None:
            return found
        entry = OperatorEntry(name, self.backendFallbackKernels_, warn=self._warn_once)
        self.operators_.append(OperatorDef(entry))
        handle = OperatorHandle(self.operators_[-1])
        self.operatorLookupTable_[name] = handle
        return handle

    # Registering

    def registerLibrary(self, namespace: str, debug: str) -> RegistrationHandleRAII:
        """Claim a namespace for one TORCH_LIBRARY. Raises TorchError if it is taken."""
        with self.guard_.mutex:
            if namespace in self.libraries_:
                previous = self.libraries_[namespace]
                raise TorchError(say.only_a_single_library(namespace, previous, debug))
            self.libraries_[namespace] = debug
        return self._handle(lambda this: this.libraries_.pop(namespace, None))

    def registerDef(
        self, schema: FunctionSchema, debug: str, tags: Sequence[str] = ()
    ) -> RegistrationHandleRAII:
        """Define an operator. Raises TorchError if it is defined, or if a kernel contradicts."""
        with self.guard_.mutex:
            op = self.findOrRegisterName_(schema.name)
            definition = op.operatorDef_
            try:
                known = definition.op.schema_
                if known is not None:
                    raise TorchError(say.defined_twice(schema, known.debug, debug))
                definition.op.registerSchema(schema, debug, tags)
            except TorchError:
                self._cleanup(op)
                raise
            for listener in self.listeners_:
                listener.onOperatorRegistered(op)
            definition.def_count += 1
            definition.def_and_impl_count += 1
            self._cond_var.notify_all()
        return self._handle(lambda this: this._deregisterDef(op))

    def _deregisterDef(self, op: OperatorHandle) -> None:
        op.operatorDef_.def_count -= 1
        op.operatorDef_.def_and_impl_count -= 1
        for listener in self.listeners_:
            listener.onOperatorDeregistered(op)
        op.operatorDef_.op.deregisterSchema()
        self._cleanup(op)

    def registerImpl(
        self,
        name: OperatorName,
        dispatch_key: DispatchKey | None,
        kernel: KernelFunction,
        cpp_signature: CppSignature | None = None,
        inferred_function_schema: FunctionSchema | None = None,
        debug: str = "",
    ) -> RegistrationHandleRAII:
        """Implement an operator for a key, defined or not; None is `CompositeImplicitAutograd`.

        Raises TorchError if the kernel's C++ type does not fit.
        """
        with self.guard_.mutex:
            op = self.findOrRegisterName_(name)
            try:
                annotated = op.operatorDef_.op.registerKernel(
                    dispatch_key, kernel, cpp_signature, inferred_function_schema, debug
                )
            except TorchError:
                self._cleanup(op)
                raise
            op.operatorDef_.def_and_impl_count += 1
            self._cond_var.notify_all()

        def deregisterImpl_(this: OperatorRegistry) -> None:
            op.operatorDef_.op.deregisterKernel_(dispatch_key, annotated)
            op.operatorDef_.def_and_impl_count -= 1
            this._cleanup(op)

        return self._handle(deregisterImpl_)

    def registerName(self, name: OperatorName) -> RegistrationHandleRAII:
        """Make the name known, without a schema or a kernel."""
        with self.guard_.mutex:
            op = self.findOrRegisterName_(name)
            op.operatorDef_.def_and_impl_count += 1

        def deregisterName_(this: OperatorRegistry) -> None:
            op.operatorDef_.def_and_impl_count -= 1
            this._cleanup(op)

        return self._handle(deregisterName_)

    def registerFallback(
        self, dispatch_key: DispatchKey, kernel: KernelFunction, debug: str = ""
    ) -> RegistrationHandleRAII:
        """Serve one key of every operator. Raises TorchError if the key has a fallback already."""
        with self.guard_.mutex:
            slot = get_dispatch_table_index_for_dispatch_key(dispatch_key)
            previous = self.backendFallbackKernels_[slot]
            if previous.kernel.isValid():
                raise TorchError(say.two_fallbacks(dispatch_key, previous.debug, debug))
            self._set_fallback(dispatch_key, AnnotatedKernel(kernel, None, debug))
        return self._handle(lambda this: this._set_fallback(dispatch_key, MISSING_KERNEL))

    def _set_fallback(self, key: DispatchKey, annotated: AnnotatedKernel) -> None:
        self.backendFallbackKernels_[get_dispatch_table_index_for_dispatch_key(key)] = annotated
        for definition in self.operators_:
            definition.op.updateDispatchTable_(key)

    def addRegistrationListener(self, listener: OpRegistrationListener) -> RegistrationHandleRAII:
        """Tell `listener` of each operator that is defined: of those that are, at once."""
        with self.guard_.mutex:
            for definition in self.operators_:
                if definition.def_count:
                    listener.onOperatorRegistered(OperatorHandle(definition))
            self.listeners_.append(listener)
        return self._handle(lambda this: this.listeners_.remove(listener))

    def _handle(self, undo: Callable[[OperatorRegistry], object]) -> RegistrationHandleRAII:
        guard, myself = self.guard_, weakref.ref(self)
        self.changed()

        def on_destruction() -> None:
            with guard.mutex:
                this = myself() if guard.alive else None
                if this is not None:
                    undo(this)
                    this.changed()

        return RegistrationHandleRAII(on_destruction)

    def _cleanup(self, op: OperatorHandle) -> None:
        if op.operatorDef_.def_and_impl_count == 0:
            self.operators_.remove(op.operatorDef_)
            del self.operatorLookupTable_[op.operator_name()]

    # VERIFY

    def waitForDef(self, schema: FunctionSchema) -> None:
        """Wait until somebody has registered that operator. Raises TorchError after a while."""
        self._wait(lambda: self.findOp(schema.name) is not None, f"define {schema.name}")

    def waitForImpl(self, name: OperatorName, dispatch_key: DispatchKey | None) -> None:
        """Wait until somebody has implemented it for that key. Raises TorchError after a while."""
        key = DispatchKey.CompositeImplicitAutograd if dispatch_key is None else dispatch_key
        with self.guard_.mutex:
            op = self.findOrRegisterName_(name)
        entry = op.operatorDef_.op
        try:
            self._wait(lambda: entry.hasKernelForDispatchKey(key), f"implement {key} for {name}")
        except TorchError:
            self._cleanup(op)
            raise

    def _wait(self, is_there: Callable[[], bool], what: str) -> None:
        with self._cond_var:
            if not self._cond_var.wait_for(is_there, self._wait_for):
                raise TorchError(say.not_within_timeout(what))
