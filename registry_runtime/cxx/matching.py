"""Types with names in them that stand for others: `R (*)(Args...)` laid over `int (*)(double, bool)`.

What lies over a name is what it stands for, the same in every place: [temp.deduct.type].
"""

from __future__ import annotations

from collections.abc import Sequence

from registry_runtime.cxx.types import (
    ConstType,
    FunctionType,
    NamedType,
    PackExpansion,
    PointerType,
    ReferenceType,
    TemplateArgument,
    Type,
)

Deduced = dict[str, Type | object]


def laid_over(parameter: Type, argument: Type, names: set[str], found: Deduced) -> bool:
    """Whether a type in which `names` stand for something fits another; what they are is `found`."""
    match parameter, argument:
        case NamedType(name, ()), _ if name in names:
            return found.setdefault(name, argument) == argument
        case NamedType(name, inner), NamedType(other, given):
            return name == other and fit(inner, given, names, found)
        case PointerType(to), PointerType(of):
            if isinstance(to, ConstType):
                of = of.of if isinstance(of, ConstType) else of
                return laid_over(to.of, of, names, found)
            return laid_over(to, of, names, found)
        case ConstType(to), ConstType(of):
            return laid_over(to, of, names, found)
        case ReferenceType(to, rvalue), ReferenceType(of, other) if rvalue == other:
            return laid_over(to, of, names, found)
        case FunctionType(returns, listed), FunctionType(returned, given):
            return laid_over(returns, returned, names, found) and _each(
                [one.type for one in listed], [one.type for one in given], names, found
            )
    return parameter == argument


def fit(
    pattern: Sequence[TemplateArgument],
    given: Sequence[TemplateArgument],
    names: set[str],
    found: Deduced,
) -> bool:
    """Whether what stands between a pattern's `<` and `>` fits a list of arguments."""
    return _each([one.value for one in pattern], [one.value for one in given], names, found)


def _each(
    pattern: Sequence[object], given: Sequence[object], names: set[str], found: Deduced
) -> bool:
    last = pattern[-1] if pattern else None
    if isinstance(last, PackExpansion) and isinstance(last.of, NamedType):
        pattern, rest = pattern[:-1], given[len(pattern) - 1 :]
        given = given[: len(pattern)]
        if found.setdefault(last.of.name, tuple(rest)) != tuple(rest):
            return False
    return len(pattern) == len(given) and all(
        _one(one, of, names, found) for one, of in zip(pattern, given, strict=True)
    )


def _one(pattern: object, of: object, names: set[str], found: Deduced) -> bool:
    if not isinstance(pattern, Type):
        return pattern == of
    if isinstance(pattern, NamedType) and not pattern.arguments and pattern.name in names:
        return found.setdefault(pattern.name, of) == of  # a type, or a value: `f`
    return isinstance(of, Type) and laid_over(pattern, of, names, found)
