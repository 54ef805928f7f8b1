"""A document that steps, and what of it may be put into the text: held against what g++ makes of it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest
from compilers import needs_compiler, preprocessed_by, spellings
from hypothesis import given, settings
from hypothesis import strategies as st
from macro_programs import macro_program
from test_answers import PHI, PLAIN, find
from wire import Editor

from visualizer.editor import stepping
from visualizer.editor.in_text import Replacing, replacing
from visualizer.editor.stepping import Address, address
from visualizer.editor.texts import read
from visualizer.expansion import Options
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.samples import samples_folder

GXX = shutil.which("g++")
MANY = settings.default is not None and settings.default.max_examples > 100  # in make fuzz
SAMPLES = (
    sorted(str(each.relative_to(samples_folder())) for each in samples_folder().rglob("*.cc"))
    if MANY
    else ["phi/full_kernel.cc", "aten/exp_kernel.cc", "fluid/trace_sig.cc"]
)


def code(shown: dict[str, Any]) -> str:
    """A document without what is said above the code."""
    return "\n".join(shown["text"].split("\n")[shown["code"] :])


def own_part(file: Path, text: str) -> list[str]:
    """The tokens that the compiler makes of a file's own text, without what it includes."""
    told: list[str] = []
    keeps = False
    for line in text.split("\n"):
        m = re.match(r'# \d+ "(.*?)"', line)
        if m is not None:
            keeps = m[1] == str(file)
        elif keeps:
            told.append(line)
    return spellings("\n".join(told))


def last_state(bench: Workbench, index: int) -> int:
    """The state that one level, again and again, comes to."""
    moments, state = bench.timeline(index).moments, 0
    while state < len(moments):
        to = stepping.next_of(bench, index, state, moments[state].step.name)
        assert to is not None
        assert to > state
        state = to
    return state


def last_pages(bench: Workbench, file: Path) -> str:
    """The text with each invocation replaced by the last page of its document."""
    rows = file.read_text().split("\n")
    for line in (line for lines in bench.trace.skipped for line in lines):
        rows[line - 1] = " " * len(rows[line - 1])
    text = read("\n".join(rows), "utf-16")
    told, at = "", 0
    for index, expansion in enumerate(bench.trace.expansions):
        where = Address(str(file), *expansion.where[1:])
        shown = stepping.page(bench, where, last_state(bench, index))
        assert shown is not None
        assert shown.state == shown.last
        end = max(text.offset_of(t.origin) + len(t.text) for t in expansion.before)  # type: ignore[arg-type]
        told += text.text[at : text.offset_of(expansion.where)] + f" {shown.text[shown.code :]} "
        at = end
    return told + text.text[at:]


@needs_compiler
@pytest.mark.compiler
@pytest.mark.skipif(GXX is None, reason="no g++")
@pytest.mark.hypothesis
@pytest.mark.parametrize("name", SAMPLES)
def test_all_invocations_expanded_to_their_ends_are_what_the_compiler_reads(name: str) -> None:
    file = samples_folder() / name
    bench = open_file(file, Options(cc="g++"))
    command = ["g++", "-E", "-w", "-std=gnu++17", str(file)]
    theirs = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    ours = "\n".join(_without_directives(last_pages(bench, file).split("\n")))
    assert spellings(ours) == own_part(file, theirs)


def _without_directives(rows: list[str]) -> list[str]:
    kept, inside = [], False
    for row in rows:
        begins = inside or row.lstrip().startswith("#")
        inside = begins and row.endswith("\\")
        kept += [] if begins else [row]
    return kept


def test_one_level_again_and_again_comes_to_the_end(editor: Editor) -> None:
    text = PHI.read_text()
    uri = editor.open(PHI, text)
    line, _ = find(text, "DEFINE_BITWISE_KERNEL(And)")
    place = {"line": line, "character": 3}
    shown = editor.command("unfold.expand", uri, place, "level")
    texts = [code(shown)]
    while shown["state"] < shown["last"]:
        shown = editor.command("unfold.next", shown["uri"])
        texts.append(code(shown))
    whole = editor.command("unfold.expand", uri, place, "whole")
    assert code(whole) == texts[-1]
    assert "BitwiseAndFunctor<T> func;" in texts[-1]
    back = editor.command("unfold.back", whole["uri"])
    assert back["state"] == whole["last"] - 1
    assert editor.command("unfold.content", whole["uri"]) == back


def test_a_document_goes_on_from_any_macro_in_it(editor: Editor, here: Path) -> None:
    text = "#define A(x) B(x) B(x)\n#define B(x) C(x)\n#define C(x) [x]\n"
    text += "#define ID(x) x\nint a = A(1);\nint b = ID(ID(2) B(3));\n"
    uri = editor.open(here, text)
    first = editor.command("unfold.expand", uri, {"line": 4, "character": 8}, "level")
    assert code(first) == "B(1) B(1)\n"
    assert first["changed"][0] == {"line": first["code"], "start": 0, "end": 1}
    second = {"line": first["code"], "character": 5}
    assert code(editor.command("unfold.expandHere", first["uri"], second, "level")) == "[1] C(1)\n"
    over = editor.command("unfold.expandHere", first["uri"], {**second, "character": 4}, "whole")
    assert code(over) == "[1] [1]\n"
    inner = editor.command("unfold.expand", uri, {"line": 5, "character": 17}, "level")
    assert code(inner) == "ID(2 C(3))\n"
    argument = editor.command("unfold.expand", uri, {"line": 5, "character": 17}, "argument")
    assert code(argument) == "ID(2 [3])\n"
    tokens = editor.ask("textDocument/semanticTokens/full", textDocument={"uri": argument["uri"]})
    assert tokens["data"][:5] == [argument["code"], 3, 1, 1, 1]
    content = editor.ask("workspace/textDocumentContent", uri=argument["uri"])
    assert content["text"] == argument["text"]


def test_the_steps_of_a_document_are_listed_as_they_nest(editor: Editor, here: Path) -> None:
    text = "#define A(x) B(x) B(x)\n#define B(x) C(x)\n#define C(x) [x]\n#define ID(x) x\n"
    uri = editor.open(here, text + "int a = A(ID(1));\n")
    shown = editor.command("unfold.step", uri, {"line": 4, "character": 8})

    def listed(first: int, last: int) -> list[tuple[str, list[object]]]:
        each = editor.command("unfold.steps", shown["uri"], first, last)
        return [(row["macro"], listed(row["state"], row["over"])) for row in each]

    c = ("C", [])
    inside = [("ID", []), ("A", [("B", [c]), ("B", [c])])]
    assert listed(0, shown["last"]) == [("A", inside)]
    (row,) = editor.command("unfold.steps", shown["uri"], 0, 99)
    assert (row["state"], row["over"], row["inside"]) == (1, shown["last"], shown["last"] - 1)
    assert "the prescan" in row["text"]
    assert editor.command("unfold.to", shown["uri"], 3)["state"] == 3
    assert editor.command("unfold.to", shown["uri"], -7)["state"] == 0
    assert editor.command("unfold.to", shown["uri"], 10**9)["state"] == shown["last"]
    assert editor.command("unfold.steps", "unfold:/77.1/gone.cc", 0, 9) is None


def test_a_document_follows_the_text(editor: Editor, here: Path) -> None:
    uri = editor.open(here, "#define A(x) x x\nint a = A(1);\n")
    shown = editor.command("unfold.expand", uri, {"line": 1, "character": 8}, "whole")
    editor.change(uri, {"text": "#define A(x) x, x\nint a = A(2);\n"})
    assert code(editor.command("unfold.content", shown["uri"])) == "2, 2\n"
    editor.change(uri, {"text": "int a;\n"})
    assert editor.command("unfold.content", shown["uri"]) is None
    told = editor.ask("workspace/textDocumentContent", uri=shown["uri"])
    assert told["text"] == "// the file isn't open\n"


def test_an_address_leads_back() -> None:
    where = Address("/a b/中.cc", 40, 7, 2)
    assert address(where.uri()) == where
    assert address("file:///a.cc") is None
    assert address("unfold:/x/a.cc") is None


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_into_the_text_where_that_changes_nothing(editor: Editor, here: Path, end: str) -> None:
    text = "// 😀\n" + PLAIN + "#define TWO(x) int c##x;\\\n#x;\n/* 中 */ TWO(7) int f;\n"
    text += "#define COMMA(x) x, x\nint g[] = {TWICE(COMMA(9))};\n"
    uri = editor.open(here.with_suffix(".c"), text.replace("\n", end), "c")

    def put(sought: str, how: str) -> Any:
        editor.change(uri, {"text": editor.texts[uri]})
        line, character = find(editor.texts[uri].replace("\r\n", "\n"), sought)
        place = {"line": line, "character": character}
        return editor.command("unfold.intoText", uri, place, how)

    assert put("TWICE(TWICE(6))", "whole") == {"applied": True, "why": ""}
    assert f"int e = 6 6 6 6;{end}" in editor.texts[uri]
    assert put("TWO(7)", "level")["applied"]
    assert f'/* 中 */ int c7;{end}"7"; int f;' in editor.texts[uri]
    assert (
        put("COMMA(9)", "argument")["why"]
        == "not put into the text: `9` of line 20 would be `TWICE`"
    )
    assert put("SELF;", "level") == {
        "applied": False,
        "why": "not put into the text: `;` of line 7 would be `+`",
    }
    editor.hear("window/showMessage")
    told = editor.hear("window/showMessage")
    assert told["message"] == "not put into the text: `;` of line 7 would be `+`"


def test_an_expansion_that_asks_the_counter_is_put_nowhere_where_that_is_felt(
    editor: Editor, here: Path
) -> None:
    text = "#define N __COUNTER__\nint a = N;\nint b = N;\n"
    uri = editor.open(here, text)
    first = editor.command("unfold.intoText", uri, {"line": 1, "character": 8}, "whole")
    assert first["why"] == "not put into the text: `1` of line 3 would be `0`"
    last = editor.command("unfold.intoText", uri, {"line": 2, "character": 8}, "whole")
    assert last["applied"]
    header = editor.open(here.with_suffix(".h"), text)
    last = editor.command("unfold.intoText", header, {"line": 2, "character": 8}, "whole")
    assert "__COUNTER__ would be asked less often" in last["why"]


def test_lines_stay_where_line_is_asked(editor: Editor, here: Path) -> None:
    text = "#define F(x) struct x##1 {}; \\\n struct x##2 {};\nF(\n a\n)\nint b = __LINE__;\n"
    uri = editor.open(here, text)
    assert editor.command("unfold.intoText", uri, {"line": 2, "character": 0}, "whole")["applied"]
    assert editor.texts[uri].split("\n")[2:] == [
        "struct a1 {}; struct a2 {};",
        "",
        "",
        "int b = __LINE__;",
        "",
    ]


@needs_compiler
@pytest.mark.compiler
@pytest.mark.skipif(GXX is None, reason="no g++")
@pytest.mark.timeout(1200)
@settings(max_examples=100 if MANY else 8)
@given(st.integers(0, 1 << 32))
def test_what_is_put_into_a_text_never_changes_it(tmp_path_factory: Any, seed: int) -> None:
    """Of random programs, each state of each invocation that may be put into the text."""
    file = tmp_path_factory.mktemp("program") / "program.cc"
    text = macro_program(Random(seed))
    file.write_text(text)
    theirs = preprocessed_by("g++", file)
    if theirs is None:
        return
    bench = open_file(file, Options(std="gnu++20"))
    done = 0
    for index in range(len(bench.trace.expansions)):
        timeline = bench.timeline(index)
        for state in range(0, len(timeline) + 1, 1 + len(timeline) // 3):
            made = replacing(bench, index, timeline.state(state), read(text, "utf-16"))
            if isinstance(made, Replacing) and done < 3:
                file.write_text(text[: made.begin] + made.new + text[made.end :])
                assert preprocessed_by("g++", file) == theirs
                done += 1
