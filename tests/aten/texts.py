"""Expanded texts for tests: what PyTorch's registration macros leave of a block."""

from registry_runtime.program import Initialisation, Program

Result = tuple[Program, Initialisation, str]


def library(ns: str, block: str, line: int = 1) -> str:
    """`TORCH_LIBRARY(ns, m) { block }`, expanded."""
    return _expanded(f"TORCH_LIBRARY_init_{ns}", "DEF", ns, "std::nullopt", block, line)


def fragment(ns: str, block: str, line: int = 1) -> str:
    """`TORCH_LIBRARY_FRAGMENT(ns, m) { block }`, expanded."""
    name = f"TORCH_LIBRARY_FRAGMENT_init_{ns}_{line}"
    return _expanded(name, "FRAGMENT", ns, "std::nullopt", block, line)


def impl(ns: str, key: str, block: str, line: int = 1, check: bool = False) -> str:
    """`TORCH_LIBRARY_IMPL(ns, key, m) { block }`, expanded; with `check` as it was in 2023."""
    name = f"TORCH_LIBRARY_IMPL_init_{ns}_{key}_{line}"
    optional = f"std::make_optional(c10::DispatchKey::{key})"
    return _expanded(name, "IMPL", ns, optional, block, line, key if check else "")


def _expanded(
    name: str, kind: str, ns: str, key: str, block: str, line: int, check: str = ""
) -> str:
    function = f"&{name}"
    if check:
        asked = f"c10::impl::dispatch_key_allowlist_check(c10::DispatchKey::{check})"
        function = f"({asked} ? &{name} : [](torch::Library&) -> void {{}})"
    return (
        f"static void {name}(torch::Library&); "
        f"static const torch::detail::TorchLibraryInit static_{name}(torch::Library::{kind}, "
        f'{function}, "{ns}", {key}, "a.cc", {line}); '
        f"void {name}(torch::Library& m) {{ {block} }}\n"
    )


def torch_fn(function: str) -> str:
    """`TORCH_FN(function)`, expanded."""
    return (
        "::c10::CompileTimeFunctionPointer< "
        f"std::remove_pointer_t<std::remove_reference_t<decltype({function})>>, {function}>()"
    )


def run(text: str, program: Program | None = None) -> Result:
    """Run `text` into a program, a new one by default."""
    program = program or Program()
    return program, program.run(text), text


def entries(result: Result) -> list[tuple[str, str, str, str]]:
    """What each registration is, and what stands at its `call`."""
    _, made, text = result
    assert [d.message for d in made.diagnostics if d.severity == "error"] == []
    return [
        (r.kernel_name, str(r.key), r.function, text[r.call.start : r.call.end])
        for r in made.registrations
    ]


def error(text: str, program: Program | None = None) -> tuple[str, str]:
    """The one error that `text` gives, and what it points at."""
    _, made, _ = run(text, program)
    (found,) = made.diagnostics
    assert found.severity == "error"
    return found.message, text[found.span.start : found.span.end]
