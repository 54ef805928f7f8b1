"""What a text declares: its functions, aliases, variables and classes, by full name.

In C++ two things happen to a registration. First the compiler reads the file from top to bottom and
remembers what it declares: namespaces, functions, templates, aliases. Later, when the program
starts, the static objects are constructed in order, and by then every function has its body, even
one that stands at the end of the file. That is why the braces after `PD_REGISTER_KERNEL(…)` can be
the body of a function whose address was taken far above.

Here is what the compiler remembers; `collect` fills it. What has to happen in order (assertions,
explicit instantiations, static objects) is only listed, as `Action`s, for `static_initialisation` to
run.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from tree_sitter import Node

from registry_runtime.cxx.names import QualifiedName
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import Type


@dataclass(frozen=True, slots=True)
class TemplateParameter:
    """`typename T` or `int N`; `is_pack` for `typename... Ts`."""

    name: str
    default: Node | None
    is_pack: bool


@dataclass(frozen=True, slots=True)
class FunctionDeclaration:
    """One declaration of a function or, with `template_parameters`, of a function template.

    `node` is the declaration, `declarator` its `f(…)`; `body` is None where it is only declared.
    """

    name: str
    scope: str
    node: Node
    declarator: Node
    body: Node | None
    template_parameters: tuple[TemplateParameter, ...] | None

    @property
    def position(self) -> int:
        """From here on the name is known: C++ has no look-ahead at namespace scope."""
        return self.declarator.start_byte


@dataclass(frozen=True, slots=True)
class Alias:
    """`using name = …;` or a typedef: `node` is the type, `declarator` what a typedef adds to it."""

    scope: str
    node: Node
    declarator: Node | None
    position: int


@dataclass(frozen=True, slots=True)
class VariableDeclaration:
    """`constexpr int kFirst = 3;` at namespace scope: `value` is what initialises it, if it is here."""

    scope: str
    type: Node | None
    declarator: Node
    value: Node | None
    position: int


@dataclass(frozen=True, slots=True)
class MemberDefinition:
    """`int S::m = 3;`, a static data member that is defined out of its class: `declarator` is the part
    of `node` that has its `name`, and `template` what stands around."""

    scope: str
    node: Node
    declarator: Node
    name: Node
    value: Node | None
    template: Node | None


@dataclass(frozen=True, slots=True)
class BaseClass:
    """`struct add_stub : DispatchStub<add_fn, add_stub>`: the class that another has for its base, and
    whether everybody may use it as that: [class.access.base]."""

    scope: str
    node: Node
    is_public: bool


@dataclass(frozen=True, slots=True)
class ClassDefinition:
    """A class with its `{ … }`: `node` is all of it. What is inside is read when somebody asks."""

    scope: str
    node: Node
    template_parameters: tuple[TemplateParameter, ...] | None


@dataclass(frozen=True, slots=True)
class EnumDefinition:
    """An enumeration with its `{ … }`, which stands in the namespace or the block `scope`."""

    scope: str
    node: Node


@dataclass(frozen=True, slots=True)
class Declared:
    """One declaration of what is no function: `kind` says of what, `name` is where it is named, and
    `defines` whether it is all of it, and not another declaration of what is defined elsewhere."""

    kind: str
    node: Node
    name: Node
    scope: str
    defines: bool = True
    is_template: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """Something that happens in order: `node` is the declaration, `kind` its tree-sitter type.

    `block` tells declarations that stand side by side from those of other namespace blocks.
    """

    kind: str
    node: Node
    scope: str
    block: int


@dataclass
class Declarations:
    """What a text declares, by full name; positions are in the text's order.

    `enumerators` are those of unscoped enumerations, each with the full name of its enumeration.

    `specialised` are the templates that have another body for some arguments. `template_arguments` is
    what a template's parameters stand for, each in the scope of its instance (see `instances`).
    `items` are where something begins at namespace scope: between two of them nothing is declared.
    """

    items: list[int] = field(default_factory=list)

    function_positions: list[int] = field(default_factory=list)
    positions_by_name: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    functions: dict[str, list[FunctionDeclaration]] = field(
        default_factory=lambda: defaultdict(list)
    )
    aliases: dict[str, list[Alias]] = field(default_factory=lambda: defaultdict(list))
    variables: dict[str, VariableDeclaration] = field(default_factory=dict)
    member_definitions: list[MemberDefinition] = field(default_factory=list)
    classes: dict[str, int] = field(default_factory=dict)
    bases: dict[str, BaseClass] = field(default_factory=dict)
    class_definitions: dict[str, ClassDefinition] = field(default_factory=dict)
    enumerations: dict[str, EnumDefinition] = field(default_factory=dict)
    enumerators: dict[str, str] = field(default_factory=dict)
    namespaces: set[str] = field(default_factory=set)
    namespace_aliases: dict[str, QualifiedName] = field(default_factory=dict)
    specialised: dict[str, list[Node]] = field(default_factory=lambda: defaultdict(list))
    template_arguments: dict[str, Type | object] = field(default_factory=dict)
    directives: dict[str, list[QualifiedName]] = field(default_factory=lambda: defaultdict(list))
    using: dict[str, list[QualifiedName]] = field(default_factory=lambda: defaultdict(list))
    declared: dict[str, list[Declared]] = field(default_factory=lambda: defaultdict(list))
    actions: list[Action] = field(default_factory=list)
    errors: list[CxxError] = field(default_factory=list)

    def has_more_than_a_namespace(self, name: str) -> bool:
        """Whether a full name is declared as something else."""
        here = (self.classes, self.using, self.aliases, self.functions, self.variables)
        others = (self.enumerations, self.enumerators, self.template_arguments)
        return any(name in declared for declared in (*here, *others))
