"""Completion, asked of the shells themselves."""

import os
import pty
import select
import shutil
import subprocess

import pytest

from tests.waiting import PATIENCE
from visualizer.cli import main

_ASK_BASH = """
source "$1"; shift
COMP_WORDS=(unfold "$@"); COMP_CWORD=$#; COMP_LINE="${COMP_WORDS[*]}"
function=$(complete -p unfold | sed 's/.*-F \\([^ ]*\\).*/\\1/')
$function unfold "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
_SETUP_ZSH = """
fpath=(%s $fpath); autoload -Uz compinit; compinit -u -D
answer() { print -r -- $BUFFER > answer }; zle -N answer; bindkey '^X' answer
bindkey '^I' complete-word
"""
_ASK_FISH = "source $argv[1]; complete -C (string join ' ' -- unfold $argv[2..])"
LINES = [
    (["comple"], ["completion"]),
    (["run", "bitwise_a"], ["bitwise_and"]),
    (["run", "aten::add.T"], ["aten::add.Tensor"]),
    (["bench", "bitwise_and", "softm"], ["softmax"]),
    (["run", "trace", "--dt"], ["--dtype"]),
    (["open", "kernel.cc", "--dialect", "msvc"], ["msvc-traditional"]),
    (["open", "ker"], ["kernel.cc"]),
    (["steps", "ker"], ["kernel.cc"]),
    (["why", "ker"], ["kernel.cc"]),
    (["steps", "list.def", "--from", "ker"], ["kernel.cc"]),
    (["survey", "inc"], ["include"]),
    (["lesson", "macros/3"], ["macros/3"]),
    (["open", "kernel.cc", "-I", "inc"], ["include"]),
    (["why", "ker"], ["kernel.cc"]),
    (["lessons", "ph"], ["phi"]),
    (["survey", "include", "inc"], ["include"]),
]
FILE = (["kernel.c"], ["kernel.cc"])  # `unfold FILE` opens it, too


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("completion")

    def script(shell, capsys):
        path = folder / shell
        if not path.exists():
            assert main(["completion", shell]) == 0
            path.write_text(capsys.readouterr().out)
        return path

    return script


def ask(shell, options, question, script, words, folder):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (folder / "kernel.cc").write_text("")
    (folder / "include").mkdir()
    command = [shell, *options, question, *(["ask"] if shell == "bash" else []), script, *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=PATIENCE)
    assert done.stderr == ""
    return [line.split("\t")[0].rstrip("/ ") for line in done.stdout.splitlines()]


@pytest.mark.parametrize(("words", "completed"), LINES, ids=lambda v: " ".join(v))
def test_bash_completes(scripts, capsys, tmp_path, words, completed):
    script = scripts("bash", capsys)
    assert ask("bash", ["--norc", "-c"], _ASK_BASH, script, words, tmp_path) == completed


@pytest.mark.parametrize(("words", "completed"), [*LINES, FILE], ids=lambda v: " ".join(v))
def test_fish_completes(scripts, capsys, tmp_path, words, completed):
    script = scripts("fish", capsys)
    assert ask("fish", ["--no-config", "-c"], _ASK_FISH, script, words, tmp_path) == completed


def test_bash_completes_files_where_nothing_else_is_known(scripts, capsys):
    """`unfold FILE` opens it, too."""
    asked = f"source {scripts('bash', capsys)}; complete -p unfold"
    done = subprocess.run(["bash", "--norc", "-c", asked], capture_output=True, text=True)
    assert "-o default" in done.stdout


@pytest.mark.parametrize(("words", "completed"), [*LINES, FILE], ids=lambda v: " ".join(v))
def test_zsh_completes_at_tab(scripts, capsys, tmp_path, words, completed):
    """It completes only where somebody types: what stands there then, a key of ours writes down."""
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed")
    (tmp_path / "kernel.cc").write_text("")
    (tmp_path / "include").mkdir()
    functions = tmp_path / "functions"
    functions.mkdir()
    (functions / "_unfold").write_text(scripts("zsh", capsys).read_text())
    ours, theirs = pty.openpty()
    zsh = subprocess.Popen(
        ["zsh", "-f", "-i"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=tmp_path,
        env=os.environ | {"TERM": "xterm"},
        start_new_session=True,
    )
    os.close(theirs)
    try:
        setup = _SETUP_ZSH % functions
        os.write(ours, f"{setup}unfold {' '.join(words)}\t\x18".encode())
        answer = tmp_path / "answer"
        while not answer.exists() or not answer.read_text():
            assert zsh.poll() is None
            if select.select([ours], [], [], 0.05)[0]:
                os.read(ours, 65_536)
    finally:
        zsh.kill()
        zsh.wait()
        os.close(ours)
    assert answer.read_text().split()[len(words) :] == [
        f + "/" * (f == "include") for f in completed
    ]


def test_zsh_reads_its_script(scripts, capsys):
    script = scripts("zsh", capsys)
    assert script.read_text().startswith("#compdef unfold")
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed")
    done = subprocess.run(["zsh", "-f", "-n", script], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_another_shell_is_wrong_usage(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["completion", "csh"])
    assert "choose from" in capsys.readouterr().err
