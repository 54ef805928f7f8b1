"""Completion, asked of the shells themselves."""

import shutil
import subprocess

import pytest

from visualizer.cli import main

_ASK_BASH = """
source "$1"; shift
COMP_WORDS=(unfold "$@"); COMP_CWORD=$#; COMP_LINE="${COMP_WORDS[*]}"
function=$(complete -p unfold | sed 's/.*-F \\([^ ]*\\).*/\\1/')
$function unfold "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
printf '%s\\n' "${COMPREPLY[@]}"
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
    (["survey", "inc"], ["include"]),
    (["open", "kernel.cc", "-I", "inc"], ["include"]),
]


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
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=30)
    assert done.stderr == ""
    return [line.split("\t")[0].rstrip("/ ") for line in done.stdout.splitlines()]


@pytest.mark.parametrize(("words", "completed"), LINES, ids=lambda v: " ".join(v))
def test_bash_completes(scripts, capsys, tmp_path, words, completed):
    script = scripts("bash", capsys)
    assert ask("bash", ["--norc", "-c"], _ASK_BASH, script, words, tmp_path) == completed


@pytest.mark.parametrize(("words", "completed"), LINES, ids=lambda v: " ".join(v))
def test_fish_completes(scripts, capsys, tmp_path, words, completed):
    script = scripts("fish", capsys)
    assert ask("fish", ["--no-config", "-c"], _ASK_FISH, script, words, tmp_path) == completed


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
