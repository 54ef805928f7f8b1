"""What is peculiar to one compiler: its predefined macros, its include path, what it says it has.

`--cc none` is the built-in table, and needs nothing installed. Asking an installed compiler is done by
`ask_compiler`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from visualizer.expansion.predefined import is_cxx, predefined

OPERATORS = (
    "__has_include",
    "__has_include_next",
    "__has_attribute",
    "__has_cpp_attribute",
    "__has_c_attribute",
    "__has_builtin",
    "__has_feature",
    "__has_extension",
    "__has_declspec_attribute",
    "__has_warning",
    "__has_constexpr_builtin",
    "__building_module",
    "__is_identifier",
    "__is_target_arch",
    "__is_target_os",
    "__is_target_vendor",
    "__is_target_environment",
)


def _unknown(operator: str, operand: str) -> int:
    return 0


@dataclass(frozen=True, eq=False)
class Compiler:
    """`macros` are `#define` lines, `folders` the include path behind `-I`, `operators` the
    `__has_…` that are defined. `answers` are what those said, `ask` says the rest."""

    identity: str
    macros: str
    folders: tuple[str, ...]
    operators: frozenset[str]
    answers: dict[str, int] = field(default_factory=dict)
    ask: Callable[[str, str], int] = _unknown

    def answer(self, operator: str, operand: str) -> int:
        """What `__has_attribute(noreturn)` and its like are worth."""
        question = f"{operator}({operand})"
        known = self.answers.get(question)
        if known is None:
            known = self.answers[question] = self.ask(operator, operand)
        return known


# What gcc and clang have both said for a decade or more; else a header would take its way out for
# compilers that nobody has.
_ATTRIBUTES = (
    *("always_inline", "aligned", "cold", "const", "constructor", "deprecated", "destructor"),
    *("format", "hot", "malloc", "may_alias", "noinline", "noreturn", "nothrow", "packed", "pure"),
    *("section", "unused", "used", "visibility", "warn_unused_result", "weak"),
)
_CXX_ATTRIBUTES = {"noreturn": 200809, "carries_dependency": 200809, "deprecated": 201309}
_CXX_ATTRIBUTES |= {"fallthrough": 201603, "maybe_unused": 201603, "nodiscard": 201603}
_BUILTINS = tuple(
    f"__builtin_{name}"
    for name in (
        *("expect", "unreachable", "constant_p", "clz", "ctz", "popcount", "trap", "memcpy"),
        *("bswap16", "bswap32", "bswap64", "add_overflow", "sub_overflow", "mul_overflow"),
    )
)


def no_compiler(std: str) -> Compiler:
    """`--cc none`: the built-in table."""
    answers = {f"__has_attribute({name})": 1 for name in _ATTRIBUTES}
    answers |= {f"__has_attribute(__{name}__)": 1 for name in _ATTRIBUTES}
    answers |= {f"__has_builtin({name})": 1 for name in _BUILTINS}
    operators = set(OPERATORS[:4]) | {"__has_builtin"}
    if is_cxx(std):
        answers |= {f"__has_cpp_attribute({k})": v for k, v in _CXX_ATTRIBUTES.items()}
    return Compiler("none", predefined(std), (), frozenset(operators), answers)
