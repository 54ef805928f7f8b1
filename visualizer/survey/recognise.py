"""From a trace to registrations: every replacement of a registration macro, at any depth.

A registration may be written out, may come out of a user's wrapper macro (then it is a step inside
another invocation), or may be an argument of one (then it is a step of the argument's prescan). What
a registration macro is itself made of doesn't count again: real `REGISTER_OP_CPU_KERNEL` becomes
`REGISTER_OP_KERNEL`, and is one registration all the same. One that is defined as nothing, as
`REGISTER_AVX2_DISPATCH` is where the compiler lacks AVX2, registers nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from registry_runtime.phi.data_type import cpp_type_to_data_type
from visualizer.expansion import Expansion, Step, Token, Trace
from visualizer.expansion.tokens import PUNCTUATOR, Source, spell, written_at
from visualizer.expansion.trace import Frame
from visualizer.survey.library_block import calls_of_block
from visualizer.survey.token_lists import closing_apart, split_at_commas
from visualizer.workbench.registration_macros import (
    ALL_DTYPE,
    DISPATCH_STUB,
    FLUID,
    MACROS,
    PYTORCH,
    REST,
    RegistrationMacro,
)

_GPU_SOURCES = (".cu", ".cuh")


@dataclass(frozen=True, slots=True)
class Registered:
    """One registration of one kernel for one key. What a framework's key doesn't have is empty."""

    framework: str
    kernel: str
    backend: str
    layout: str
    dtype: str
    function: str
    macro: str
    file: str
    line: int


def registrations(trace: Trace, file: str) -> Iterator[Registered]:
    """What the traced file registers, in the order of its text. `file` is its name in the result."""
    for expansion in trace.expansions:
        for step in _invocations(expansion.steps):
            macro = MACROS[step.macro]
            roles = _roles(macro, step)
            where = file, written_at(step.name).line
            if macro.framework == PYTORCH:
                yield from _of_library(trace, expansion, step, macro, roles, file)
            elif macro.framework == FLUID:
                yield from _of_fluid(step.macro, macro, roles, *where)
            elif macro.framework == DISPATCH_STUB:
                backend = macro.backend or _text(roles, "backend") or _device(trace, file)
                yield _registered(step.macro, macro, roles, *where, backend=backend)
            else:
                dtypes = [dtype_of(t) for t in roles.get("dtypes", [])] or [macro.dtype]
                for dtype in dtypes:
                    yield _registered(step.macro, macro, roles, *where, dtype=dtype)


def _invocations(steps: Iterable[Step]) -> Iterator[Step]:
    """The outermost replacements of registration macros among these steps and their prescans."""
    within: dict[int, bool] = {}

    def is_within(frame: Frame | None) -> bool:
        if frame is None:
            return False
        if id(frame) not in within:
            within[id(frame)] = frame.macro in MACROS or is_within(frame.outer)
        return within[id(frame)]

    for step in steps:
        if is_within(step.inside):
            continue
        if step.macro in MACROS and step.kind == "function":
            if step.definition is not None and step.definition.replacement:
                yield step
            continue
        for argument in step.arguments:
            if argument.prescan is not None:
                yield from _invocations(argument.prescan.steps)


def _roles(macro: RegistrationMacro, step: Step) -> dict[str, list[list[Token]]]:
    """The arguments by their roles, expanded where the macro's replacement expands them.

    They are told by their places: a file's own definition may name its parameters otherwise, or be
    `#define PD_REGISTER_KERNEL(...)`. To the preprocessor, `f<T, Context>` is two arguments.
    """
    words: list[Token] = []
    for n, argument in enumerate(step.arguments):
        if n:
            words.append(_COMMA)
        words += argument.raw if argument.prescan is None else argument.prescan.after
    given = split_at_commas(words, templates=True)
    roles: dict[str, list[list[Token]]] = {}
    for n, role in enumerate(macro.roles):
        if role.endswith(REST):
            roles[role.removesuffix(REST)] = [words for words in given[n:] if words]
        elif n < len(given):
            roles[role] = [given[n]]
    return roles


_COMMA = Token(PUNCTUATOR, ",", False, Source("", 0, 0))


def _text(roles: dict[str, list[list[Token]]], role: str) -> str:
    return spell(roles[role][0]) if roles.get(role) else ""


def _registered(
    name: str,
    macro: RegistrationMacro,
    roles: dict[str, list[list[Token]]],
    file: str,
    line: int,
    **found: str,
) -> Registered:
    """A registration of what its macro's name and arguments say, and of what was `found` besides."""
    return Registered(
        framework=macro.framework,
        kernel=_text(roles, "kernel"),
        backend=found.get("backend") or macro.backend or _text(roles, "backend"),
        layout=found.get("layout") or _text(roles, "layout"),
        dtype=found.get("dtype") or macro.dtype,
        function=found.get("function") or _text(roles, "function").removeprefix("&"),
        macro=name,
        file=file,
        line=line,
    )


# ---------------------------------------------------------------------- PyTorch


def _of_library(
    trace: Trace,
    expansion: Expansion,
    step: Step,
    macro: RegistrationMacro,
    roles: dict[str, list[list[Token]]],
    file: str,
) -> Iterator[Registered]:
    """The calls in the block behind the macro. It stands in the output, right behind the last token
    that the macro became, whether it was written there or came out of the same wrapper."""
    namespace, library = _text(roles, "namespace"), _text(roles, "library")
    made = [i for i, t in enumerate(expansion.after) if _came_of(t, step.name)]
    if not made:
        return
    behind = trace.output[expansion.at + made[-1] + 1 :]
    for call in calls_of_block(behind, library, namespace, _text(roles, "backend")):
        yield Registered(
            framework=macro.framework,
            kernel=call.operator,
            backend=call.dispatch_key,
            layout="",
            dtype="",
            function=call.function,
            macro=f"{step.macro} {call.method}",
            file=file,
            line=written_at(call.token).line,
        )


def _came_of(token: Token, name: Token) -> bool:
    """Whether the replacement of the macro `name` brought this token, directly or further in."""
    pending, seen = [token], {id(token)}
    while pending:
        origin = pending.pop().origin
        parents = (getattr(origin, "by", None), getattr(origin, "token", None))
        for parent in parents:
            if parent is name:
                return True
            if parent is not None and id(parent) not in seen:
                seen.add(id(parent))
                pending.append(parent)
    return False


# ---------------------------------------------------------------------- Fluid


def _of_fluid(
    name: str,
    macro: RegistrationMacro,
    roles: dict[str, list[list[Token]]],
    file: str,
    line: int,
) -> Iterator[Registered]:
    """A row for each kernel class, whose template arguments hold the dtype; for an operator, one."""
    if "kernels" not in roles and "pairs" not in roles:
        yield _registered(name, macro, roles, file, line)
        return
    library, place = _text(roles, "library"), _text(roles, "place")
    backend = place.rpartition("::")[2].removesuffix("Place")
    if library not in ("", "PLAIN", backend):
        backend = f"{backend}/{library}"
    layout = "MKLDNNLAYOUT" if library == "MKLDNN" else "ANYLAYOUT"  # RegisterKernelClass does so
    pairs = roles.get("pairs", [])
    kernels = [(dtype_of(t), f) for t, f in zip(pairs[::2], pairs[1::2], strict=False)]
    kernels += [(_dtype_in(closing_apart(k)), k) for k in roles.get("kernels", [])]
    for dtype, kernel in kernels:
        found = {"backend": backend, "layout": layout, "dtype": dtype, "function": spell(kernel)}
        yield _registered(name, macro, roles, file, line, **found)


def _dtype_in(kernel: Sequence[Token]) -> str:
    """The dtype of `CastKernel<CPUContext, float>`, or of `Activation<CPUContext, Relu<float>>`: the
    first template argument that is one."""
    opening = next((i for i, t in enumerate(kernel) if t.text == "<"), None)
    if opening is None:
        return ""
    arguments = split_at_commas(kernel[opening + 1 : -1], templates=True)
    for argument in arguments:
        if _known_dtype(spell(argument)):
            return dtype_of(argument)
        if nested := _dtype_in(argument):
            return nested
    return spell(arguments[-1]) if len(arguments) == 2 else ""


# ---------------------------------------------------------------------- names


def dtype_of(words: Sequence[Token]) -> str:
    """A C++ type by PHI's name for it, `int64_t` as `int64`; as written where PHI knows none."""
    text = spell(list(words))
    return _known_dtype(text) or text


def _known_dtype(text: str) -> str:
    head, bracket, rest = text.partition("<")
    bare = head.rpartition("::")[2] + bracket + rest
    if bare == ALL_DTYPE:
        return ALL_DTYPE
    for spelling in (
        text,
        bare,
    ):  # `plat::float16`: a namespace's alias says nothing about the type
        try:
            return str(cpp_type_to_data_type(spelling))
        except KeyError:
            continue
    return ""


def _device(trace: Trace, file: str) -> str:
    """What REGISTER_DISPATCH registers for: nvcc compiles it for CUDA, the others for the CPU."""
    by_nvcc = "__CUDACC__" in trace.definitions or PurePath(file).suffix in _GPU_SOURCES
    return "CUDA" if by_nvcc else "CPU"
