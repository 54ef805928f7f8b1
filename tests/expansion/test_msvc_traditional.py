"""Microsoft's traditional preprocessor, by the examples of its documentation, and what they mean for
PHI's header: why everything in it is wrapped in PD_EXPAND."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from compilers import spellings

from visualizer.expansion import Options, Trace, preprocess
from visualizer.workbench.samples import samples_folder

PHI = samples_folder() / "phi"
# "MSVC new preprocessor overview": what each says the traditional and the conforming one print.
DOCUMENTED = {
    "the comma before an empty __VA_ARGS__ goes away": (
        "#define FUNC(a, ...) func(a, __VA_ARGS__)\nFUNC(10, 20, 30); FUNC(1, );",
        "func(10, 20, 30); func(1);",
        "func(10, 20, 30); func(1, );",
    ),
    "an argument is not unpacked where it is inserted": (
        "#define TWO_STRINGS(first, second) #first, #second\n"
        "#define A(...) TWO_STRINGS(__VA_ARGS__)\n{ A(1, 2) }",
        '{ "1, 2", }',
        '{ "1", "2" }',
    ),
    "one more macro unpacks it": (
        "#define TWO_STRINGS(first, second) #first, #second\n#define EXPAND(x) x\n"
        "#define A(...) EXPAND(TWO_STRINGS(__VA_ARGS__))\n{ A(1, 2) }",
        '{ "1", "2" }',
        '{ "1", "2" }',
    ),
    "what follows a name is replaced before it is looked at": (
        "#define CAT(a,b) a ## b\n#define ECHO(...) __VA_ARGS__\n"
        "#define IMPL1(prefix,value) do_thing_one( prefix, value)\n"
        '#define DO_THING(macro_switch, b) CAT(IMPL, macro_switch) ECHO(( "Hello", b))\n'
        'DO_THING(1, "World");',
        'do_thing_one( "Hello", "World");',
        'IMPL1 ( "Hello", "World");',
    ),
    "commas of a macro inside an argument do not separate": (
        "#define M3(x, y, z) x + y + z\n#define M2(x, y) M3(x, y)\n#define P(x, y) {x, y}\n"
        "#define M(x, y) M2(x, P(x, y))\nM(a, b)",
        "a + {a, b} +",
        "a + {a + b}",
    ),
}


def expand(text: str, folder: Path, dialect: str) -> Trace:
    file = folder / "case.cc"
    file.write_text(text + "\n")
    return preprocess(file, Options(dialect=dialect))


@pytest.mark.parametrize("name", DOCUMENTED)
def test_documented_example(name: str, tmp_path: Path) -> None:
    text, traditional, standard = DOCUMENTED[name]
    for dialect, expected in (("msvc-traditional", traditional), ("standard", standard)):
        trace = expand(text, tmp_path, dialect)
        assert [t.text for t in trace.output] == spellings(expected), dialect
        assert not trace.has_errors()


def registration(folder: Path, dialect: str, with_expand: bool) -> list[str]:
    """The tokens of bitwise_and's registration, through the header with or without PD_EXPAND."""
    for name in ("phi.h", "bitwise_kernel.cc"):
        (folder / name).write_text((PHI / name).read_text())
    header = (PHI / "kernel_registry.h").read_text()
    if not with_expand:
        header = without_invocations(header, "PD_EXPAND")
    (folder / "kernel_registry.h").write_text(header)
    macros = (("D", "_WIN32"),)
    trace = preprocess(folder / "bitwise_kernel.cc", Options(macros=macros, dialect=dialect))
    expansion = next(e for e in trace.expansions if e.macro == "PD_REGISTER_KERNEL")
    return [t.text for t in expansion.after]


def without_invocations(text: str, macro: str) -> str:
    """Each `macro( … )` but its definition as what stands between the parentheses."""
    while found := re.search(rf"(?<!define ){macro}\(", text):
        depth, end = 1, found.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = text[: found.start()] + text[found.end() : end - 1] + text[end:]
    return text


def test_pd_expand_changes_nothing_under_the_standard(tmp_path: Path) -> None:
    with_it = registration(tmp_path, "standard", with_expand=True)
    assert registration(tmp_path, "standard", with_expand=False) == with_it


def test_pd_expand_repairs_the_registration_for_microsoft(tmp_path: Path) -> None:
    standard = registration(tmp_path, "standard", with_expand=True)
    assert registration(tmp_path, "msvc-traditional", with_expand=True) == standard
    six = ["bool", "uint8_t", "int8_t", "int16_t", "int", "int64_t"]
    assert registered_types(standard) == six
    broken = registration(tmp_path, "msvc-traditional", with_expand=False)
    assert registered_types(broken)[0] == ",".join(six)
    assert registered_types(broken)[1:] != six[1:]


def registered_types(tokens: list[str]) -> list[str]:
    return re.findall(r"CppTypeToDataType<([^>]*)>", "".join(tokens))
