"""Every example of every `--help`, run as it stands: in one process, in a folder that has the files
which it names. Of what waits for a reader, or for a machine that isn't here, the words are read."""

from __future__ import annotations

import io
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from glob import glob
from pathlib import Path

import numpy as np
import pytest

from visualizer.cli import main
from visualizer.commands.command_line import COMMANDS, EXAMPLES, parser, with_command
from visualizer.learning import lesson
from visualizer.workbench.samples import samples_folder

TEXTS = {
    "x.c": '#define COLOUR(n) n,\nenum colours {\n#include "list.def"\n};\n#undef COLOUR\n'
    '#define COLOUR(n) #n,\nconst char* names[] = {\n#include "list.def"\n};\n',
    "list.def": "COLOUR(red)\nCOLOUR(green)\n",
    "server.c": "#define PORT 80\n" * 11 + "int port = PORT;\n",
    "build/compile_commands.json": '[{"directory": "..", "file": "server.c", "command": "cc -c"}]',
}
WAIT = ("", "open", "serve", "lsp")  # for a reader, or an editor
# A framework, a cluster, a compiler.
ELSEWHERE = ("--paddle", "--torch", "--scheduler", "--body", "--compile")


def examples() -> Iterator[str]:
    """As they stand in the texts of help, without what is said beside them."""
    texts = [EXAMPLES]
    for name in COMMANDS:
        told = parser([name])
        texts.append(next(iter(told._subparsers._group_actions)).choices[name].epilog or "")
    for text in texts:
        for line in text.splitlines():
            if re.match(r"  (unfold|echo)\b", line):
                yield re.split(r"\s{2,}", line.strip())[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the examples speak of: a sample of ours as a user's own file, with its headers beside it."""
    folder = tmp_path_factory.mktemp("examples")
    shutil.copytree(samples_folder(), folder / "cpp_samples")
    phi = samples_folder() / "phi"
    shutil.copytree(phi, folder / "include")
    kernels = folder / "paddle" / "phi" / "kernels"
    kernels.mkdir(parents=True)
    for header in phi.glob("*.h"):
        shutil.copy(header, folder)
        shutil.copy(header, kernels)
    shutil.copy(phi / "bitwise_kernel.cc", kernels)
    text = (phi / "bitwise_kernel.cc").read_text()
    functors, macro, rest = text.partition("#define DEFINE_BITWISE_KERNEL")
    defined, registered, rest = rest.partition("PD_REGISTER_KERNEL(")
    (folder / "bitwise.h").write_text(f"{functors}}}\n")
    lines = ['#include "bitwise.h"', *[""] * 10, "#if defined(__cplusplus)", "#endif"]
    lines += ["namespace phi {", *f"{macro}{defined}".splitlines()]
    registration = f"{registered}{rest.partition('{}')[0]}{{}}\n"
    lines += [""] * (39 - len(lines)) + [registration.replace("bitwise_and", "my_kernel")]
    (folder / "kernel.cc").write_text("\n".join(lines))
    for file in (samples_folder() / "fluid").glob("*.*"):
        shutil.copy(file, folder)
    shutil.copy(lesson.find("fluid/12") / "shrink_op.cc", folder)
    for name, text in TEXTS.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    np.save(folder / "a.npy", np.ones((2, 3), np.float32))
    solved = lesson.load(lesson.find("phi/3"))
    exercise = next(exercise for _, exercise in solved.exercises())
    shutil.copy(solved.folder / exercise.solution, folder / "my_solution.cc")
    shutil.copytree(solved.folder, folder / "mycourse" / "week" / "01-counting")
    # What one example writes and another reads: a machine with several cores takes them in any order.
    written = str(folder / "written")
    assert main(["migrate", str(folder / "trace_op.cc"), "--output", written]) == 0
    shutil.copytree(f"{written}/phi", folder / "phi")
    shutil.rmtree(written)
    assert main(["kernel", "new", f"{folder}/kernel.cc:40", "--output", f"{folder}/mine.py"]) == 0
    bench = "bench add --dtypes float32,float64 --sizes 10 --seconds 0.001 --save"
    assert main([*bench.split(), str(folder / "before.json")]) == 0
    return folder


def words_of(example: str) -> tuple[list[str], str]:
    """The words of the command, and what it reads from a pipe."""
    words = shlex.split(example, comments=True)
    given = ""
    if words[0] == "echo":
        given, words = words[1], words[3:]
    end = next((i for i, word in enumerate(words) if word in "|>"), len(words))
    return [file for word in words[1:end] for file in sorted(glob(word)) or [word]], given


@pytest.mark.parametrize("example", dict.fromkeys(examples()))
def test_an_example_of_help_runs_as_it_stands(
    example: str,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    words, given = words_of(example)
    command = (words or [""])[0]
    opens = command in WAIT or (command == "lesson" and "--check" not in words)
    if opens or any(some in example for some in ELSEWHERE):
        parser(words).parse_args(with_command(words))
        return
    if command == "bench":  # is measured in no time, and one kernel for all
        words += ["--seconds", "0.001", "--sizes", "10"]
        words += ["bitwise_and"] * (words[1] == "--sizes")
    if "--output" in words:
        words[words.index("--output") + 1] = str(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
    code = main(words)
    told = capsys.readouterr()
    assert code == 0, told.err
    written = words[words.index("-o") + 1] if "-o" in words else ""
    assert told.out or Path(written).stat().st_size
    assert "error" not in told.err
