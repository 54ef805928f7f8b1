"""What an operator is called: its name with the namespace, and which of its overloads it is.

`aten::add.Tensor` is the overload `Tensor` of `aten::add`. The pair is what the dispatcher looks
operators up by.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OperatorName:
    """`c10::OperatorName`. `name` holds the namespace, `overload_name` may be empty."""

    name: str
    overload_name: str = ""

    def namespace(self) -> str | None:
        """What stands before the `::`, or None (`getNamespace`)."""
        namespace, separator, _ = self.name.partition("::")
        return namespace if separator else None

    def in_namespace(self, namespace: str) -> OperatorName:
        """The name in that namespace, unless it names one itself (`setNamespaceIfNotSet`)."""
        if self.namespace() is not None:
            return self
        return OperatorName(f"{namespace}::{self.name}", self.overload_name)

    @classmethod
    def parse(cls, text: str) -> OperatorName:
        """`aten::add.Tensor` taken apart. `parse_name` checks the spelling; this does not."""
        name, _, overload_name = text.partition(".")
        return cls(name, overload_name)

    def __str__(self) -> str:
        return f"{self.name}.{self.overload_name}" if self.overload_name else self.name
