"""What is peculiar to one compiler: its predefined macros, its include path, what it says it has.

`--cc none` is the built-in table, and needs nothing installed. Asking an installed compiler is done by
`ask_compiler`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
HAS_EMBED = "__has_embed"  # where that is defined, there is an `#embed`


Question = tuple[str, str]  # an operator and its operand


def _unknown(questions: Sequence[Question]) -> dict[str, int]:
    return {}


def _nothing() -> Iterable[Question]:
    return ()


@dataclass(frozen=True, eq=False)
class Compiler:
    """`macros` are `#define` lines, `folders` the include path behind `-I`, `operators` the
    `__has_…` that are defined. `answers` are what those said, `ask` says more. `remarks` are on
    flags that it doesn't take, each with a hint; `spelled` are folders with its own words for them,
    and `embeds` says whether it has `#embed`."""

    identity: str
    macros: str
    folders: tuple[str, ...]
    operators: frozenset[str]
    answers: dict[str, int] = field(default_factory=dict)
    ask: Callable[[Sequence[Question]], dict[str, int]] = _unknown
    remarks: tuple[tuple[str, str], ...] = ()
    spelled: tuple[tuple[str, str], ...] = ()
    embeds: bool = True

    def answer(
        self, operator: str, operand: str, others: Callable[[], Iterable[Question]] = _nothing
    ) -> int:
        """What `__has_attribute(noreturn)` and its like are worth. If that takes asking, the `others`
        that are not known are asked too."""
        question = f"{operator}({operand})"
        if question not in self.answers:
            asked = [(operator, operand)]
            asked += [q for q in others() if "{}({})".format(*q) not in self.answers]
            found = self.ask(list(dict.fromkeys(asked)))
            self.answers.update({"{}({})".format(*q): 0 for q in asked} | found)
        return self.answers[question]


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
