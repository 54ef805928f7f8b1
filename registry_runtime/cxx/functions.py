"""The functions of a text as values: `&f` and `&phi::BitwiseAndKernel<bool, phi::CPUContext>`.

Such a value can be handed to bound Python code, which reads the function's type from it, or calls
it: then the body is interpreted. A template is instantiated by putting the arguments in place of
its parameters throughout its type, and in its body by a scope of its own (see `instances`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from registry_runtime.cxx.declarations import FunctionDeclaration
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import CxxError, Span
from registry_runtime.cxx.types import FunctionType, TemplateArgument, spell_arguments
from registry_runtime.cxx.variables import handed_out


@dataclass(frozen=True)
class CxxFunction:
    """A function, or an instance of a function template.

    `type` is None for one that the text doesn't declare. `span` is where it was first named;
    `declarations` are those that stood above that place, a definition first. `scope` is where the body
    of a member of a class template's instance is read; empty for any other.
    """

    name: str
    arguments: tuple[TemplateArgument, ...]
    type: FunctionType | None
    span: Span = field(compare=False)
    declarations: tuple[FunctionDeclaration, ...] = field(compare=False, repr=False)
    program: Program = field(compare=False, repr=False)
    scope: str = ""

    def __str__(self) -> str:
        return self.name + spell_arguments(self.arguments)

    @property
    def is_defined(self) -> bool:
        """Whether the text has a body for some function of this name."""
        everywhere = self.program.declarations.functions.get(self.name, ())
        return any(declaration.body is not None for declaration in everywhere)

    def __call__(self, *values: object) -> object:
        """Run the function's body.

        Raises UndefinedFunction, RedefinedFunction, or the CxxError of what the body holds.
        """
        return handed_out(self.program.execute(self, values))

    def run_each(self, *values: object) -> list[CxxError]:
        """Run the body, and go on behind a statement that is wrong or isn't understood: what is the
        matter with those. Raises CxxError for what bound code throws, which ends the body."""
        running = self.program.running
        kept: list[CxxError] = []
        running.kept = kept
        try:
            self.program.execute(self, values)
        finally:
            running.kept = None
        return kept

    def call_on(self, this: object, *values: object) -> object:
        """The same for a member function that is defined out of its class, on an object."""
        return handed_out(self.program.execute(self, values, this))
