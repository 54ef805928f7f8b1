"""Where `UNFOLD_ROOTS` names folders, no file outside of them is found, however it is named."""

import json
import os
from pathlib import Path

import pytest

from visualizer.expansion import InputError, Options, preprocess
from visualizer.expansion.compile_commands import flags_for
from visualizer.expansion.readable import VARIABLE, may_read

SECRET = '#define SECRET "told"\n'


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The one folder to read in, beside which lies a secret."""
    (tmp_path / "secret.h").write_text(SECRET)
    root = tmp_path / "root"
    root.mkdir()
    (root / "own.h").write_text("#define OWN 1\n")
    (root / "link.h").symlink_to(tmp_path / "secret.h")
    (root / "folder").symlink_to(tmp_path)
    (tmp_path / "root-2").mkdir()
    (tmp_path / "root-2" / "secret.h").write_text(SECRET)
    monkeypatch.setenv(VARIABLE, str(root))
    return root


@pytest.mark.parametrize(
    "line",
    [
        '#include "{outside}/secret.h"',
        '#include "../secret.h"',
        '#include "../root-2/secret.h"',
        '#include "link.h"',
        '#include "folder/secret.h"',
        "#include <secret.h>",
        '#include_next "secret.h"',
        '#embed "../secret.h"',
        '#embed "{outside}/secret.h" limit(3)',
        '#if __has_include("{outside}/secret.h")\nint there;\n#endif',
        '#if __has_include("link.h")\nint there;\n#endif',
        "#if __has_include(<secret.h>)\nint there;\n#endif",
    ],
)
def test_no_directive_reads_outside(root: Path, line: str) -> None:
    main = root / "main.cc"
    main.write_text(f'{line.format(outside=root.parent)}\n#include "own.h"\nOWN SECRET\n')
    folders = (str(root.parent), str(root / "folder"))
    trace = preprocess(main, Options(include_folders=folders))
    text = " ".join(token.text for token in trace.output)
    assert text.endswith("1 SECRET")
    assert "there" not in text
    for said in trace.diagnostics:
        assert "no such file" in said.message  # as of one that does not exist


@pytest.mark.parametrize("path", ["{outside}/secret.h", "../secret.h", "link.h", "folder/secret.h"])
def test_no_file_outside_is_opened(root: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    with pytest.raises(InputError, match="no such file in the served folder"):
        preprocess(path.format(outside=root.parent))


def test_no_flag_reads_outside(root: Path) -> None:
    (root / "main.cc").write_text("int x = SECRET;\n")
    forced = Options(forced_includes=(str(root.parent / "secret.h"),))
    assert "told" not in str([t.text for t in preprocess(root / "main.cc", forced).output])
    (root.parent / "compile_commands.json").write_text("[]")
    with pytest.raises(InputError, match="no such file"):
        flags_for(root.parent, root / "main.cc")
    (root.parent / "words").write_text("-DSECRET=1")
    entry = {"file": "main.cc", "directory": str(root), "command": "cc @../words main.cc"}
    (root / "compile_commands.json").write_text(json.dumps([entry]))
    assert not flags_for(root, root / "main.cc").options.macros


def test_what_was_included_before_the_limit_is_not_remembered_behind_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache of includes knows what is in a header, and must not tell."""
    monkeypatch.setattr("visualizer.expansion.include_cache._WORTH_KEEPING", 0.0)
    monkeypatch.setattr("visualizer.expansion.include_cache._TOO_NEW", -(10**12))
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (outside / "secret.h").write_text(SECRET)
    (root / "main.cc").write_text('#include "own.h"\nint x = SECRET;\n')
    (root / "own.h").write_text('#include "../outside/secret.h"\n')

    def told() -> bool:
        trace = preprocess(root / "main.cc", skip_included_text=True)
        return '"told"' in [token.text for token in trace.output]

    assert told()
    assert told()
    monkeypatch.setenv(VARIABLE, str(root))
    assert not told()


def test_without_the_variable_everything_may_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert may_read("/etc/passwd")
    monkeypatch.setenv(VARIABLE, "")
    assert not may_read("/etc/passwd")
    assert not may_read("a\0b")


def test_a_build_by_another_compiler_is_read_with_one_that_a_visitor_may_ask(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all programs, a visitor's process may start the machine's own gcc and clang."""
    main = root / "main.cc"
    main.write_text("int x = OWN;\n")
    entry = {
        "directory": str(root),
        "file": "main.cc",
        "arguments": ["g++-99", "-DOWN=1", "main.cc"],
    }
    (root / "compile_commands.json").write_text(json.dumps([entry]))
    there = root / "g++-99"
    there.write_text("#!/bin/sh\n")
    there.chmod(0o755)
    monkeypatch.setenv("PATH", str(root), prepend=os.pathsep)
    options = flags_for(root, main).options
    assert options.cc == "auto"
    assert options.macros == (("D", "OWN=1"),)
