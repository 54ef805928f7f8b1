"""The edges of the protocol: what a client may send, and how it may leave."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from wire import COMMAND, Editor, started

TWICE = "#define TWICE(x) x x\n"


def place(line: int, first: int, last: int) -> dict[str, object]:
    return {
        "start": {"line": line, "character": first},
        "end": {"line": line, "character": last},
    }


@pytest.mark.parametrize(
    "line",
    [
        "/* 中文注释 */ int a = TWICE(1);",
        "/* 😀😀 */ int a = TWICE(1);",
        'const char* s = "é😀中"; int a = TWICE(1);',
        "\f int a = TWICE(1);",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_places_behind_any_characters(editor: Editor, here: Path, line: str, end: str) -> None:
    text = (TWICE + "// 第一行 😀\n" + line + "\n").replace("\n", end)
    uri = editor.open(here, text)
    before = line[: line.index("TWICE")]
    at = len(before.encode("utf-16-le")) // 2
    asked = editor.ask("textDocument/hover", **editor.at(uri, 2, at))
    assert asked["range"] == place(2, at, at + 5)
    assert "1 1" in asked["contents"]["value"]
    assert editor.hover(uri, 2, at - 4) == ""


def test_edits_are_incremental_or_whole(editor: Editor, here: Path) -> None:
    uri = editor.open(here, TWICE + "/* 😀 */ int a = TWICE(1);\n")
    editor.change(
        uri,
        {"range": place(1, 23, 24), "text": "2"},  # behind the emoji, which is two
        {"range": place(0, 17, 17), "text": "y \\\r\n"},
    )
    assert "y 2 2" in editor.hover(uri, 2, 17)
    editor.change(uri, {"text": TWICE + "int b = TWICE(7);\n"})
    assert "7 7" in editor.hover(uri, 1, 10)
    editor.change(uri, {"range": place(77, 5, 9), "text": "int c = TWICE(8);"})  # there is none
    assert "8 8" in editor.hover(uri, 2, 10)


def test_edits_during_a_trace_are_answered_for_the_latest_text(editor: Editor, here: Path) -> None:
    heavy = "#define A(x) x x x x\n#define B(x) A(A(A(A(A(x)))))\n"
    uri = editor.open(here, heavy + "int a = B(0);\n")
    waiting = []
    for n in range(40):
        editor.change(uri, {"range": place(2, 10, 11), "text": str(n % 10)})
        waiting.append(editor.start("textDocument/hover", editor.at(uri, 2, 8)))
    told = [editor.answer(number) for number in waiting]
    assert "9 9 9" in told[-1]["result"]["contents"]["value"]
    for answered in told[:-1]:
        assert answered["result"] is None or "1,024 tokens" in str(answered["result"])


def test_names_that_take_the_headers_are_asked_about_at_once(editor: Editor, here: Path) -> None:
    text = "".join(f"#if 0\n#elif defined N{n}\n#undef N{n}\n#endif\n" for n in range(30))
    uri = editor.open(here, text)
    editor.ask("textDocument/documentSymbol", textDocument={"uri": uri})  # all is read
    each = [(4 * n + 1, 15) for n in range(30)] * 2
    waiting = {editor.start("textDocument/hover", editor.at(uri, *at)) for at in each}
    last, told = max(waiting), {}
    while waiting:
        answered = editor.read()
        if "method" not in answered:
            waiting.remove(answered["id"])
            told[answered["id"]] = str(answered["result"])
    said = "is asked for: it is no macro here"
    assert said in told.pop(last)
    assert all(said in each or each == "None" for each in told.values())
    number = editor.start("textDocument/hover", editor.at(uri, 1, 15))
    editor.change(uri, {"text": TWICE})
    assert "error" not in editor.answer(number)
    assert "TWICE" in editor.hover(uri, 0, 9)


def test_a_text_with_bytes_that_are_no_utf_8_is_read(editor: Editor, here: Path) -> None:
    uri = editor.open(here, TWICE + "int a = TWICE(1);\n")
    document = {"uri": uri, "version": 2}
    changes = [{"text": TWICE + "/* BYTES */ int b = TWICE(2);\n"}]
    params = {"textDocument": document, "contentChanges": changes}
    sent = {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params}
    editor.write(json.dumps(sent).encode().replace(b"BYTES", b"\xe9t\xe9\xff"))
    assert "2 2" in editor.hover(uri, 1, len("/* .t.. */ int b = "))
    assert editor.hover(uri, 1, len("/* .t.. */ int b")) == ""


def test_a_request_that_is_cancelled_is_answered(editor: Editor, here: Path) -> None:
    uri = editor.open(here, TWICE + "int a = TWICE(1);\n")
    number = editor.start("textDocument/hover", editor.at(uri, 1, 9))
    editor.notify("$/cancelRequest", id=number)
    assert editor.answer(number).keys() & {"result", "error"}
    assert "1 1" in editor.hover(uri, 1, 9)


def test_bad_requests_are_refused_and_others_answered(editor: Editor, here: Path) -> None:
    def error(method: str, params: object) -> dict[str, object]:
        return editor.answer(editor.start(method, params)).get("error", {})

    assert error("textDocument/noSuchThing", {})["code"] == -32601
    assert error("textDocument/hover", {"textDocument": 1})
    assert error("textDocument/hover", {"textDocument": {"uri": "x"}, "position": {"line": -1}})
    assert error("workspace/executeCommand", {"command": "unfold.nothing"})
    assert error("workspace/executeCommand", {"command": "unfold.next", "arguments": []})
    assert error("workspace/executeCommand", {"command": "unfold.step", "arguments": ["a", 3]})
    editor.write(b"this is no JSON")
    editor.write(b"[]")
    editor.write(b'{"jsonrpc": "2.0"}')
    for uri in ("file:///no/such/file.cc", "untitled:1", "unfold:/1.1/no.cc", "unfold:nothing", ""):
        assert editor.ask("textDocument/hover", **editor.at(uri, 0, 0)) is None
        assert editor.ask("textDocument/documentSymbol", textDocument={"uri": uri}) is None
        editor.notify("textDocument/didClose", textDocument={"uri": uri})
        assert editor.command("unfold.next", uri) is None
    uri = editor.open(here, TWICE + "int a = TWICE(1);\n")
    assert "1 1" in editor.hover(uri, 1, 9)
    assert editor.hover(uri, 99, 99) == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x" * 1_000_001, "is not traced while it is edited"),
        ("a\0b", "is a binary file"),
        ("#define F(x) x\nint a = F(1;\n", "unterminated argument list"),
        ("#if 1\n", "unterminated #if"),
    ],
)
def test_a_text_that_cant_be_read_has_one_diagnostic(
    editor: Editor, here: Path, text: str, said: str
) -> None:
    uri = editor.open(here, text)
    told = editor.hear("textDocument/publishDiagnostics", lambda p: p["uri"] == uri)
    assert [said in each["message"] for each in told["diagnostics"]] == [True]
    assert editor.hover(uri, 0, 0) is not None
    assert editor.ask("textDocument/documentSymbol", textDocument={"uri": uri}) == []


def test_a_header_is_read_as_it_is_edited(editor: Editor, tmp_path: Path) -> None:
    header, source = tmp_path / "own.h", tmp_path / "own.cc"
    header.write_text("#define N 1\n")
    uri = editor.open(source, '#include "own.h"\nint a = N;\n')
    assert "N 1" in editor.hover(uri, 1, 8)
    other = editor.open(header, "#define N 1\n")
    editor.change(other, {"range": place(0, 10, 11), "text": "2"})
    editor.ask("textDocument/documentSymbol", textDocument={"uri": other})
    assert "N 2" in editor.hover(uri, 1, 8)
    editor.notify("textDocument/didClose", textDocument={"uri": other})
    assert "N 1" in editor.hover(uri, 1, 8)


def test_what_is_missing_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    with started(tmp_path, "-p", "build") as editor:
        for name in ("a.cc", "b.cc"):
            uri = editor.open(tmp_path / name, '#include "gone.h"\nint a = __LINE__;\n')
            assert "2" in editor.hover(uri, 1, 9)
            told = editor.hear(
                "textDocument/publishDiagnostics", lambda p, uri=uri: p["uri"] == uri
            )
            assert [d["code"] for d in told["diagnostics"]] == ["header-missing"]
        said = [m["params"]["message"] for m in editor.heard if m["method"] == "window/showMessage"]
        assert sum("compile_commands.json" in text for text in said) == len(said) == 2


def test_flags_are_those_of_the_database(tmp_path: Path) -> None:
    entry = {"directory": ".", "file": "a.cc", "command": "g++ -DN=41 -c a.cc"}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    with started(tmp_path, "-D", "M=N+1") as editor:
        uri = editor.open(tmp_path / "a.cc", "int a = M;\n")
        assert "41+1" in editor.hover(uri, 0, 8)
        entry["command"] = "g++ -DN=43 -c a.cc"
        (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
        changed = {"uri": (tmp_path / "compile_commands.json").as_uri(), "type": 2}
        editor.notify("workspace/didChangeWatchedFiles", changes=[changed])
        assert "43+1" in editor.hover(uri, 0, 8)


def test_opening_runs_nothing_of_the_folder(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    for name in ("g++", "gcc", "cc", "evil"):
        script = tmp_path / name
        script.write_text(f"#!/bin/sh\ntouch {ran}\n")
        script.chmod(0o755)
    for name in ("pygls.py", "sitecustomize.py", "json.py", "file.py", "file_kernel.py"):
        (tmp_path / name).write_text(f"open({str(ran)!r}, 'w')\n")
    entry = {"directory": str(tmp_path), "file": "file.cc", "command": "./evil -c file.cc"}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    (tmp_path / "file.cc").write_text(TWICE)
    with started(tmp_path) as editor:
        uri = editor.open(tmp_path / "file.cc", TWICE + "int a = TWICE(1);\n")
        assert "1 1" in editor.hover(uri, 1, 9)
        for name in ("open", "run", "verify"):
            editor.command(f"unfold.{name}", uri, {"line": 1, "character": 8})
    assert not ran.exists()


def test_the_server_ends_when_its_client_dies(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "--cc", "none"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    editor = Editor(process)
    editor.ask("initialize", processId=None, rootUri=None, capabilities={})
    heavy = "#define A(x) x x x x x x x x\n#define B(x) A(A(A(A(A(x)))))\nint a = B(B(0));\n"
    editor.open(tmp_path / "a.cc", heavy)
    assert process.stdin is not None
    process.stdin.close()  # in the middle of a trace
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait() == 0
    process.stdout.close()
    process.stderr.close()


def test_without_pygls_it_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from visualizer.cli import main
    from visualizer.commands import lsp

    monkeypatch.setattr(lsp, "find_spec", lambda name: None)
    assert main(["lsp"]) == 1
    assert capsys.readouterr().err == (
        "unfold: error: an editor's server needs pygls: pip install 'unfold[editor]'\n"
    )


def test_in_a_terminal_it_says_who_speaks_with_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from visualizer.cli import main

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    assert main(["lsp"]) == 2
    assert "unfold lsp --help" in capsys.readouterr().err


def test_a_database_in_no_folder_is_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "-p", str(tmp_path / "gone")],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    said = f"unfold: error: -p {tmp_path / 'gone'}: no such folder\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_help_has_what_each_editor_needs(capsys: pytest.CaptureFixture[str]) -> None:
    from visualizer.cli import main

    with pytest.raises(SystemExit):
        main(["lsp", "--help"])
    named = [Path(m) for m in re.findall(r"/\S*?clients/[\w.]+", capsys.readouterr().out)]
    names = ["neovim.lua", "emacs.el", "helix.toml", "kate.json", "vscode"]
    assert list(dict.fromkeys(path.name for path in named)) == names
    assert all(path.exists() for path in named)
    tomllib.loads(named[2].read_text())
    json.loads(named[3].read_text())
    json.loads((named[4] / "package.json").read_text())
