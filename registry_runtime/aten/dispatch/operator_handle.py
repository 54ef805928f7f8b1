"""What one gets when one looks an operator up: a handle on it, and who hears of operators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from registry_runtime.aten.dispatch.operator_entry import OperatorEntry
from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.schema.cpp_signature import CppSignature
from registry_runtime.aten.schema.function_schema import FunctionSchema


@dataclass(eq=False)
class OperatorDef:
    """`Dispatcher::OperatorDef`: an operator, and how many registrations keep it alive.

    `short_way`, where there is one, takes the operator's arguments and runs what an earlier call
    came down to, or else the call itself: see `call_plan`.
    """

    op: OperatorEntry
    def_count: int = 0
    def_and_impl_count: int = 0
    short_way: Callable[..., Any] | None = None


@dataclass(frozen=True, slots=True)
class OperatorHandle:
    """`c10::OperatorHandle`. Equal handles are the same operator."""

    operatorDef_: OperatorDef

    def operator_name(self) -> OperatorName:
        """Its name and its overload's."""
        return self.operatorDef_.op.name_

    def hasSchema(self) -> bool:
        """Whether somebody defined it."""
        return self.operatorDef_.op.schema_ is not None

    def schema(self) -> FunctionSchema:
        """What its `def` promised. Raises TorchError if nobody defined it."""
        known = self.operatorDef_.op.schema_
        if known is None:
            raise TorchError(
                f"Tried to access the schema for {self.operator_name()} which doesn't have a "
                "schema registered yet"
            )
        return known.schema

    def argument_count(self) -> int:
        """How many arguments lie on the stack in a boxed call."""
        return len(self.schema().arguments)

    def dumpState(self) -> str:
        """What is registered for it."""
        return self.operatorDef_.op.dumpState()

    def dumpComputedTable(self) -> str:
        """Where each key leads, and why."""
        return self.operatorDef_.op.dumpComputedTable()

    def typed(self, signature: CppSignature, has_symint: bool = False) -> OperatorHandle:
        """The handle, if its kernels have that C++ type. Raises TorchError."""
        self.operatorDef_.op.assertSignatureIsCorrect(signature, has_symint)
        return self


class OpRegistrationListener(Protocol):
    """`c10::OpRegistrationListener`: hears of each `def`, and of each that is withdrawn."""

    def onOperatorRegistered(self, op: OperatorHandle) -> None:
        """It is defined now."""

    def onOperatorDeregistered(self, op: OperatorHandle) -> None:
        """It is defined still, for the last time."""
