"""What is answered about files of PHI, of PyTorch and of plain C."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from wire import Editor, edited, started

from visualizer.workbench.samples import samples_folder

PHI = samples_folder() / "phi" / "bitwise_kernel.cc"
ATEN = samples_folder() / "aten" / "override.cc"
PLAIN = """\
#define TWICE(x) x x
#define SELF SELF + 1
#define STR(x) #x
#define NONE(x)
/* TWICE */ const char* s = "TWICE";
int a = SELF;
const char* t = STR(TWICE(2));
int b = NONE(TWICE(3)) 4;
int c = TWICE;
#if 0
int d = TWICE(5);
#endif
int e = TWICE(TWICE(6));
"""


def find(text: str, sought: str, nth: int = 0) -> tuple[int, int]:
    """Where it stands: line and character, from 0."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(sought, at + 1)
    return text.count("\n", 0, at), at - (text.rfind("\n", 0, at) + 1)


@pytest.fixture
def phi(editor: Editor) -> tuple[str, str]:
    text = PHI.read_text()
    return editor.open(PHI, text), text


@pytest.mark.parametrize(
    ("sought", "said"),
    [
        ("TWICE */", "stands in a comment, which is one blank to the preprocessor"),
        ('TWICE";', "stands inside a string: no macro is replaced there"),
        ("SELF;", "SELF + 1"),
        ("TWICE(2)", "is an operand of # in STR: it is spelled out as it stands, not replaced"),
        ("TWICE(3)", "is an argument of NONE, whose replacement has no use for it"),
        ("TWICE;", "is left alone: TWICE(x) is replaced only where a ( follows"),
        ("TWICE(5)", "is not looked at: the line is skipped"),
        ("TWICE(6)", "becomes `6 6`, as an argument of `TWICE`"),
        ("TWICE(TWICE(6))", "6 6 6 6"),
        ("SELF SELF", "is what this line defines"),
        ("int a", ""),
    ],
)
def test_hover_says_what_becomes_of_a_name_or_why_nothing(
    editor: Editor, here: Path, sought: str, said: str
) -> None:
    uri = editor.open(here.with_suffix(".c"), PLAIN, "c")
    told = editor.hover(uri, *find(PLAIN, sought))
    assert said in told if said else told == ""


def test_hover_on_a_registration_tells_what_it_registers(
    editor: Editor, phi: tuple[str, str]
) -> None:
    uri, text = phi
    line, _ = find(text, "PD_REGISTER_KERNEL(bitwise_and")
    told = editor.hover(uri, line, 4)
    for said in (
        "#define PD_REGISTER_KERNEL(kernel_name, backend, layout, meta_kernel_fn, ...)",
        "kernel_registry.h:",
        "struct __test_global_namespace_",
        "steps, 1,127 tokens",
        "- `bitwise_and` (CPU, Undefined(AnyLayout), int64)",
        f"unfold open {PHI}:{line + 1}",
    ):
        assert said in told
    in_argument = editor.hover(uri, *find(text, "bitwise_and,"))
    assert in_argument.startswith("the argument `kernel_name` of `PD_REGISTER_KERNEL`")


def test_the_outline_has_the_registrations_with_their_keys(
    editor: Editor, phi: tuple[str, str]
) -> None:
    uri, text = phi
    symbols = editor.ask("textDocument/documentSymbol", textDocument={"uri": uri})
    registered = {s["name"]: s for s in symbols}
    assert list(registered) == ["bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not"]
    first = registered["bitwise_and"]
    assert first["detail"] == "6 kernels: bool … int64"
    assert first["children"][0]["name"] == "bitwise_and (CPU, Undefined(AnyLayout), bool)"
    assert first["range"]["start"]["line"] == find(text, "PD_REGISTER_KERNEL(bitwise_and")[0]
    hints = editor.ask("textDocument/inlayHint", textDocument={"uri": uri}, range=first["range"])
    assert [hint["label"] for hint in hints][:1] == ["6 kernels: bool … int64"]
    lenses = editor.ask("textDocument/codeLens", textDocument={"uri": uri})
    commands = [lens["command"] for lens in lenses if lens["range"] == first["range"]]
    assert [c["command"] for c in commands[1:]] == ["unfold.step", "unfold.run", "unfold.verify"]
    run = editor.command("unfold.run", *commands[2]["arguments"])
    assert run["words"][:4] == ["unfold", "run", "bitwise_and", "--file"]


def test_a_block_s_operators_stand_at_their_statements(editor: Editor) -> None:
    text = ATEN.read_text()
    uri = editor.open(ATEN, text)
    symbols = editor.ask("textDocument/documentSymbol", textDocument={"uri": uri})
    children = [child for symbol in symbols for child in symbol["children"]]
    assert children
    lines = text.split("\n")
    for child in children:
        assert "m." in lines[child["range"]["start"]["line"]], child


def test_a_definition_is_the_one_that_holds_at_the_place(editor: Editor, here: Path) -> None:
    text = "#define N 1\nint a = N;\n#undef N\n#define N 2\nint b = N;\n#ifdef N\n#endif\n"
    uri = editor.open(here, text)

    def defined(line: int, character: int) -> Any:
        found = editor.ask("textDocument/definition", **editor.at(uri, line, character))
        return found and found["range"]["start"]["line"]

    assert [defined(1, 8), defined(4, 8), defined(5, 7), defined(1, 4)] == [0, 3, 3, None]


def test_a_use_that_a_pasted_name_makes_is_found(editor: Editor, phi: tuple[str, str]) -> None:
    uri, text = phi
    line, character = find(text, "BitwiseAndKernel,")
    used = editor.ask(
        "textDocument/references",
        **editor.at(uri, line, character),
        context={"includeDeclaration": True},
    )
    places = [(u["range"]["start"]["line"], u["range"]["start"]["character"]) for u in used]
    begun, column = find(text, "DEFINE_BITWISE_KERNEL(And)")
    assert places == [(begun, column + len("DEFINE_BITWISE_KERNEL(")), (line, character)]


REGISTERED = '#include "{folder}/kernel_registry.h"\n' + (
    "template <typename T, typename Context>\n"
    "void K(const Context& dev_ctx, const phi::DenseTensor& x, phi::DenseTensor* out) {{}}\n"
)


@pytest.mark.parametrize(
    ("line", "code", "cured"),
    [
        (
            "PD_REGISTER_KERNEL(mine, CPU, ALL_LAYOUT, K, float);",
            "incomplete",
            "PD_REGISTER_KERNEL(mine, CPU, ALL_LAYOUT, K, float){}",
        ),
        (
            "PD_REGISTER_KERNAL(mine, CPU, ALL_LAYOUT, K, float) {}",
            "not-a-macro",
            "PD_REGISTER_KERNEL(mine, CPU, ALL_LAYOUT, K, float) {}",
        ),
        (
            "#define F(x) x\nint a = F(f[1, 2]);",
            "argument-count",
            "#define F(x) x\nint a = F((f[1, 2]));",
        ),
        ("#define F(x) x\nint a = F(1;", "open-list", "#define F(x) x\nint a = F(1);"),
        (
            '#include "{aten}/library.h"\nTORCH_LIBRARY(mine, m);',
            "incomplete",
            '#include "{aten}/library.h"\nTORCH_LIBRARY(mine, m){ }',
        ),
    ],
)
def test_what_is_wrong_has_a_code_and_a_cure(
    editor: Editor, here: Path, line: str, code: str, cured: str
) -> None:
    above = REGISTERED.format(folder=PHI.parent)
    line, cured = (each.replace("{aten}", str(ATEN.parent)) for each in (line, cured))
    text = f"{above}{line}\n"
    uri = editor.open(here, text)
    told = editor.hear("textDocument/publishDiagnostics", lambda p: p["uri"] == uri)
    (found,) = told["diagnostics"]
    assert (found["code"], found["source"]) == (code, "unfold")
    actions = editor.ask(
        "textDocument/codeAction",
        textDocument={"uri": uri},
        range=found["range"],
        context={"diagnostics": [found]},
    )
    fixes = [a for a in actions if a["kind"] == "quickfix"]
    assert len(fixes) == 1
    only = editor.ask(
        "textDocument/codeAction",
        textDocument={"uri": uri},
        range=found["range"],
        context={"diagnostics": [found], "only": ["refactor"]},
    )
    assert [a for a in actions if a["kind"] != "quickfix"] == only
    after = edited(text, fixes[0]["edit"]["changes"][uri])
    assert after == f"{above}{cured}\n"
    editor.change(uri, {"text": after})
    assert editor.hear("textDocument/publishDiagnostics", lambda p: p["uri"] == uri) == {
        "uri": uri,
        "diagnostics": [],
    }


def test_cpp_that_registers_nothing_is_nobody_s_here(editor: Editor, here: Path) -> None:
    text = REGISTERED.format(folder=PHI.parent) + (
        "int a = = 3;\nPD_REGISTER_KERNEL(mine, CPU, ALL_LAYOUT, K, float) {}\nint int;\n"
    )
    uri = editor.open(here, text)
    told = editor.hear("textDocument/publishDiagnostics", lambda p: p["uri"] == uri)
    assert told["diagnostics"] == []


def test_what_is_wrong_in_a_header_stands_at_its_include(editor: Editor, here: Path) -> None:
    header = here.with_name("own.h")
    header.write_text("#define F(x) x\n#if F(1\n#endif\n")
    uri = editor.open(here, 'int a;\n#include "own.h"\n')
    told = editor.hear("textDocument/publishDiagnostics", lambda p: p["uri"] == uri)
    assert told["diagnostics"]
    for found in told["diagnostics"]:
        assert found["range"]["start"]["line"] == 1
        assert found["relatedInformation"][0]["location"]["uri"] == header.as_uri()


def test_a_kernel_s_name_finds_its_registration(tmp_path: Path) -> None:
    source = tmp_path / "kernel.cc"
    source.write_text("\nPD_REGISTER_KERNEL(bitwise_and, CPU, ALL_LAYOUT, K, int, bool) {}\n")
    (tmp_path / "other.txt").write_text("PD_REGISTER_KERNEL(none, CPU, ALL_LAYOUT, K, int) {}\n")

    def found(query: str) -> list[tuple[str, str, int]]:
        each = editor.ask("workspace/symbol", query=query)
        return [
            (s["name"], s["containerName"], s["location"]["range"]["start"]["line"]) for s in each
        ]

    with started(tmp_path, "--cc", "none") as editor:
        assert found("bwand") == [("bitwise_and", "CPU ALL_LAYOUT int32 … CPU ALL_LAYOUT bool", 1)]
        assert found("dna") == []
        source.write_text("PD_REGISTER_KERNEL(other, GPU, ALL_LAYOUT, K, int) {}\n")
        editor.notify("textDocument/didSave", textDocument={"uri": source.as_uri()})
        while not found("other"):
            pass
        assert found("") == [("other", "GPU ALL_LAYOUT int32", 0)]
