"""Small texts that would cost a naive preprocessor years: each ends soon, in one located error."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest
from macro_programs import macro_program

from tests.pace import quickest, slowness
from visualizer.cli import main
from visualizer.expansion import Options, preprocess
from visualizer.expansion.runaway import sure
from visualizer.expansion.tokens import spell
from visualizer.expansion.trace import Step, Trace, replay
from visualizer.workbench.flag_words import read_flags
from visualizer.workbench.samples import samples_folder

SMALL = 40 << 20  # bytes that a reading may take
DOUBLING = "".join(f"#define A{i} A{i - 1} + A{i - 1}\n" for i in range(1, 60))


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str], tuple[int, str, str]]:
    monkeypatch.chdir(tmp_path)

    def expand(text: str) -> tuple[int, str, str]:
        (tmp_path / "a.c").write_text(text)
        code = main(["expand", "-P", "a.c"])
        return code, *capsys.readouterr()

    return expand


def test_a_file_that_includes_itself_twice_ends_at_the_first_depth_error(run) -> None:
    code, _, err = run('#include "a.c"\n#include "a.c"\n')
    assert code == 1
    assert err.startswith("a.c:1:10: error: #include nested 200 deep")
    assert err.count("error: ") == 1


@pytest.mark.parametrize(
    "directive",
    ["#if A59\n#endif\n", "#include A59\n", "#line A59\n", "#if __has_include(A59)\n#endif\n"],
)
def test_what_grows_in_a_directive_is_said_at_its_place(tmp_path: Path, directive: str) -> None:
    (tmp_path / "a.c").write_text(f"#define A0 1\n{DOUBLING}{directive}int x = A0;\n")
    trace = preprocess(tmp_path / "a.c", Options(step_limit=1_000))
    first = trace.diagnostics[0]
    assert (first.severity, first.where.line) == ("error", 61)
    assert "expansion stopped after 1,000 steps" in first.message
    assert spell(trace.output) == "int x = 1;"


@pytest.mark.parametrize("digits", ["9" * 20, "0x1" + "0" * 16, "9" * 5_000, "7" * 200_000])
def test_a_number_that_no_type_holds_is_an_error_as_clang_has_it(run, digits: str) -> None:
    code, out, err = run(f"#if {digits}\nint y;\n#endif\nint x;\n")
    assert (code, out) == (1, "int x;\n")
    assert err.startswith("a.c:1:5: error: #if ")
    assert "integer constant is too large for its type" in err
    assert len(err) < 500


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_the_compiler_is_asked_once_about_all_that_a_file_asks(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    counting = tmp_path / "bin" / "gcc"
    real = shutil.which("gcc")
    counting.write_text(f'#!/bin/sh\necho call >> "{tmp_path}/calls"\nexec {real} "$@"\n')
    counting.chmod(0o755)
    monkeypatch.setenv("PATH", f"{counting.parent}{os.pathsep}{os.environ['PATH']}")
    asks = "".join(
        f"#if __has_builtin(f{i}) || __has_attribute(g{i})\n#endif\n" for i in range(300)
    )
    known = "#if __has_builtin(__builtin_frame_address) && !__has_builtin(f7)\nint x;\n#endif\n"
    assert run(asks + known) == (0, "int x;\n", "")
    # All that headers ask, with its standard; then what this file alone asks.
    assert len((tmp_path / "calls").read_text().split()) == 2


def test_no_compiler_of_the_working_folder_is_run(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = tmp_path / "gcc"
    planted.write_text(f'#!/bin/sh\ntouch "{tmp_path}/ran"\n')
    planted.chmod(0o755)
    for path in ("", ".", f".{os.pathsep}", f"{os.pathsep}{os.environ['PATH']}"):
        monkeypatch.setenv("PATH", path)
        run("#define A 1\nint x = A;\n")
    assert not (tmp_path / "ran").exists()


def test_invocations_nested_beyond_the_limit_are_refused_and_what_follows_is_read(run) -> None:
    deep = f"int a = {'F(' * 100_000}1{')' * 100_000};\nint b = F(2);\n"
    code, out, err = run(f"#define F(x) x\n{deep}")
    assert code == 1
    assert err.startswith("a.c:2:9: error: arguments are nested more than 1000 deep")
    assert err.count("error: ") == 1
    assert out.endswith("int b = 2;\n")


def test_the_first_of_many_that_are_never_closed_is_told(run) -> None:
    code, out, err = run(f"#define F(x) x\nint a = {'F(' * 100_000}1; int b = F(2);\n")
    assert code == 1
    assert err.startswith('a.c:2:9: error: unterminated argument list invoking macro "F"')
    assert err.count("error: ") == 1
    assert out == "int a = F\n"  # as gcc: the name, and nothing of what it took for arguments


@pytest.mark.parametrize(
    ("text", "said", "column"),
    [
        (f'char *x = "{"a" * 2**21}";\n', "this token has more than 1,048,576 characters", 11),
        (f"int {'a' * 2**21};\n", "this token has more than 1,048,576 characters", 5),
        (f"int {'1' * 2**21};\n", "this token has more than 1,048,576 characters", 5),
        (
            f"#define D(a) D_(a, a)\n#define D_(a, b) a##b\nint {'D(' * 30}abcdefgh{')' * 30};\n",
            "expansion stopped where ## makes a token of more than 1,048,576 characters",
            5,
        ),
        (
            f'#define S(x) S_(x)\n#define S_(x) #x\nchar *x = {"S(" * 30}"\\\\"{")" * 30};\n',
            "expansion stopped where # makes a token of more than 1,048,576 characters",
            11,
        ),
    ],
    ids=["string", "name", "number", "pasted", "stringized"],
)
def test_a_token_has_an_end(tmp_path: Path, text: str, said: str, column: int) -> None:
    """In little memory, too: a pattern that could go back took 300 bytes for each letter."""
    (tmp_path / "a.c").write_text(text)
    done = within(500 * 2**20, tmp_path, "expand", "a.c", "-P")
    line = text.count("\n")
    assert done.returncode == 1
    assert done.stderr.startswith(f"a.c:{line}:{column}: error: {said}"), done.stderr


GROWING = "#define F0(x) x + x\n" + "".join(
    f"#define F{i}(x) F{i - 1}(x + x)\n" for i in range(1, 60)
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{GROWING}int y;\nint x = F59(1);\nint z;\n", "62:9: error: expansion"),
        (f"#define D(x) x + x\nint y;\nint x = {'D(' * 60}1{')' * 60};\n", "3:9: error: expansion"),
        ("#define M 1\nint M " + "a " * 300_000 + ";\n", "2:"),
        ("int a;\n" + "".join(f"#define A{i}\n" for i in range(200_000)), ""),
    ],
    ids=["arguments", "nested", "a line", "definitions"],
)
@pytest.mark.parametrize("command", ["expand", "steps"])
def test_memory_has_an_end_and_it_is_said_where(
    command: str, text: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "a.c").write_text(text)
    done = within(300 * 2**20, tmp_path, command, "a.c", "--memory", "40M")
    assert done.returncode == 1
    assert done.stderr.startswith(f"a.c:{said}")
    assert "stopped at 40 MB of memory (--memory 2G allows it more)" in done.stderr
    assert done.stderr.count("error: ") == 1


def test_what_was_expanded_until_then_can_be_stepped(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(f"{GROWING}int y;\nint x = F59(1);\nint z;\n")
    trace = preprocess(tmp_path / "a.c", Options(memory=SMALL))
    (expansion,) = trace.expansions
    assert len(expansion.steps) > 5
    assert replay(expansion.before, expansion.steps) == expansion.after
    assert spell(trace.output) == "int y; int x ="


@pytest.mark.parametrize("each", ["int A8;\n", "#if A8 1\n#endif\n"])
def test_many_invocations_that_each_stay_below_their_limit_have_one_together(
    tmp_path: Path, each: str
) -> None:
    """Not the memory's: they leave nothing."""
    text = "#define A0\n" + DOUBLING.replace("+", "") + each * 400 + "int x;\n"
    (tmp_path / "a.c").write_text(text)
    trace = preprocess(tmp_path / "a.c", Options(step_limit=1_000))
    (stopped,) = (d for d in trace.diagnostics if d.severity == "error")
    assert "expansion stopped after 20,000 steps of all invocations" in stopped.message
    assert 90 < stopped.where.line < 200
    assert "x" not in spell(trace.output)


def chained(first: str, each: str, parameters: str = "x") -> str:
    """Sixty definitions, each of which has the one before it in its list."""
    lines = [f"#define F{i}({parameters}) {each.format(i - 1)}" for i in range(1, 60)]
    return "\n".join([first, *lines, "int x = F59(1);\n"])


@pytest.mark.parametrize(
    "text",
    [
        f"#define A0 1\n{DOUBLING}int x = A59;\n",
        "#define A0\n" + DOUBLING.replace("+", "") + "int x = A59;\n",
        "#define A0 1\n" + DOUBLING + "#if A59\n#endif\n",
        chained("#define F0(x) x x", "F{0}(x) F{0}(x)"),
        chained("#define F0(x)", "F{0}(F{0}(x))"),
        chained("#define F0(x) __LINE__", "(F{0}(x)) + [F{0}(x)]"),
        "#define I(x) x\n" + chained("#define F0(x) x", "I(F{0}(x) F{0}(x))"),
        chained("#define F0(...) __VA_OPT__(x)", "__VA_OPT__(F{0}(x) F{0}(__VA_ARGS__))", "..."),
    ],
    ids=[
        *("objects", "nothing", "condition", "functions", "arguments in arguments", "parentheses"),
        *("an argument", "__VA_OPT__"),
    ],
)
def test_what_never_ends_is_known_soon(run, text: str) -> None:
    code, _, err = run(text)
    assert code == 1
    assert re.match(r"a\.c:6[12]:", err)
    assert "expansion stopped, since it takes more than 2,000,000 steps" in err


def test_no_more_is_taken_for_sure_than_comes(tmp_path: Path) -> None:
    """Some of the programs have parentheses that pair with others elsewhere."""
    some = 0
    for seed in range(300):
        (tmp_path / "a.c").write_text(re.sub("#undef .*", "", macro_program(Random(seed))))
        trace = preprocess(tmp_path / "a.c")
        if trace.has_errors():
            continue
        for expansion in trace.expansions:
            found = sure(expansion.before, trace.definitions)
            assert found.steps <= number(expansion.steps)
            assert found.tokens <= len(expansion.after)
            some += found.steps > 2
    assert some > 100


def test_what_drops_most_of_itself_is_no_runaway(run) -> None:
    """A list that doubles in arguments that nobody takes, and a name that leads back to itself."""
    text = "#define EAT(x) 1\n#define A0 1\n" + "".join(
        f"#define A{i} EAT(A{i - 1} A{i - 1}) B\n" for i in range(1, 60)
    )
    text += "#define B C C\n#define C B B\n"
    code, out, _ = run(text + f"int x = {'A59 ' * 3000};\n")
    assert (code, out.count("1")) == (0, 3000)


@pytest.mark.parametrize(
    "text",
    [
        'R"(' * 300_000,
        "/* " * 300_000,
        f"#define F({', '.join(map('a{}'.format, range(60_000)))}) 1",
    ],
    ids=["raw strings", "comments", "parameters"],
)
def test_what_has_no_end_is_looked_for_once(run, text: str) -> None:
    """Time that grows with the square would be minutes."""
    assert quickest(lambda: run(f"int x;\n{text}\n"), tries=1) < 10 * slowness()


def test_many_pastes_in_a_row_take_no_square_of_their_number(tmp_path: Path) -> None:
    def trace(pastes: int) -> Trace:
        (tmp_path / "a.c").write_text(f"#define P a{' ## a' * pastes}\nint P;\n")
        return preprocess(tmp_path / "a.c")

    assert spell(trace(6000).output) == f"int {'a' * 6001};"
    once = quickest(lambda: trace(1500), tries=3)
    assert quickest(lambda: trace(6000), tries=2) < 9 * once


def test_what_is_sure_not_to_fit_is_not_begun(run) -> None:
    doubling = "\n".join(DOUBLING.splitlines()[:18])
    code, _, err = run(f"#define A0 {'1 ' * 40}\n{doubling}\nint x = A18;\n")
    assert code == 1
    assert err.startswith("a.c:20:9: error: expansion stopped at 500 MB of memory")


@pytest.mark.parametrize(("piece", "column"), [("a ", 400_000), ("1,", 400_000)])
def test_tokens_that_are_sure_not_to_fit_are_counted_and_not_made(
    tmp_path: Path, piece: str, column: int
) -> None:
    (tmp_path / "a.c").write_text(f"#define M 1\nM {piece * 2_000_000}\n")
    done = within(100 * 2**20, tmp_path, "expand", "a.c", "--memory", "120M")
    m = re.match(r"a\.c:2:(\d+): error: reading stopped at 120 MB of memory", done.stderr)
    assert m is not None, done.stderr
    assert int(m[1]) > column


@pytest.mark.parametrize("size", ["0", "-1", "much", "1T", "1" * 5000])
def test_a_size_is_a_number(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["expand", "a.c", f"--memory={size}"])
    assert ended.value.code == 2
    assert "is no size, such as 500M or 2G" in capsys.readouterr().err


def test_a_size_is_kept_with_the_other_flags() -> None:
    flags = read_flags(["--memory", "2G"])
    assert flags.options().memory == 2 << 30
    assert read_flags(flags.words()) == flags
    assert read_flags(["--memory=500"]).words() == ()


def test_what_is_embedded_is_followed_up_to_an_end_and_printed_without_one(tmp_path: Path) -> None:
    (tmp_path / "data.bin").write_bytes(bytes(range(256)) * 4_000)
    (tmp_path / "a.c").write_text('char x[] = {\n#embed "data.bin" prefix(7,) suffix(,8)\n};\n' * 3)
    done = within(160 * 2**20, tmp_path, "expand", "a.c", "-P", "--cc", "none")
    assert (done.returncode, done.stderr) == (0, "")
    bytes_ = ", ".join(map(str, range(256)))
    one = ["char x[] = {", "7,", *f"{bytes_}, {bytes_}".split(), ",8", "};"]
    assert done.stdout.split()[:200] == " ".join(one).split()[:200]
    assert done.stdout.count(",") == 3 * (256 * 4_000 + 1)
    done = within(500 * 2**20, tmp_path, "steps", "a.c", "--cc", "none")
    assert done.stderr.startswith(
        "a.c:2:2: error: #embed: these are 1,024,000 bytes, and a trace has no more than 1,000,000 "
        "(limit(1000000) takes the first ones)\n"
    )


@pytest.mark.parametrize("made", ["x##a", "#a"])
def test_long_tokens_are_weighed_by_their_length(tmp_path: Path, made: str) -> None:
    """Few tokens may take much memory, as each is a text of its own."""
    (tmp_path / "a.c").write_text(
        f"#define C(a) {made}\n#define L {'y' * 500_000}\n#define E(x) C(x)\n{'E(L) ' * 1000}\n"
    )
    done = within(300 * 2**20, tmp_path, "expand", "a.c", "--memory", "40M")
    assert done.stderr.count("error: ") == 1
    assert "a.c:4:" in done.stderr
    assert "stopped at 40 MB of memory (--memory 2G allows it more)" in done.stderr


@pytest.mark.parametrize("line", ["\\\n", "int M;", '"'], ids=["splices", "a line", "strings"])
def test_long_text_is_weighed_before_it_is_read(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.c").write_text("#define M 1\n" + line * (20_000_000 // len(line)))
    done = within(400 * 2**20, tmp_path, "expand", "a.c", "--memory", "60M")
    assert done.returncode == 1
    assert "error: reading stopped at 60 MB of memory (--memory 2G allows it more)" in done.stderr


def test_a_long_line_without_macros_is_not_read(tmp_path: Path) -> None:
    """A million tokens would not fit."""
    line = "int a; (b) " * 400_000
    (tmp_path / "a.c").write_text(line + "\n")
    done = within(200 * 2**20, tmp_path, "expand", "-P", "a.c", "--memory", "60M")
    assert (done.returncode, done.stdout.strip()) == (0, line.strip())
    (tmp_path / "a.c").write_text(line[: 2**20] + "; " + "x" * 2**21 + "\n")
    done = within(600 * 2**20, tmp_path, "expand", "-P", "a.c")
    assert "a.c:1:1048579: error: this token has more than 1,048,576 characters" in done.stderr


def number(steps: Sequence[Step]) -> int:
    """Of these, and of those that their arguments took."""
    inside = (a.prescan.steps for s in steps for a in s.arguments if a.prescan is not None)
    return len(steps) + sum(map(number, inside))


def within(memory: int, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, with so much memory and no more."""
    return subprocess.run(
        [sys.executable, "-m", "visualizer", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (memory, memory)),
    )


def test_an_open_raw_string_whose_prefix_a_line_end_cuts_is_gone_through_once(run) -> None:
    code, _, err = run('int a;\nL\\\nR"(x\nint b;\n')
    assert (code, err.partition(" (")[0]) == (1, 'a.c:2:1: error: missing terminating " character')


@pytest.mark.compiler
def test_what_is_longer_than_a_look_ahead_is_read_as_gcc_reads_it(run) -> None:
    """Comments and blanks, and whatever nobody reads because of `#if 0`."""
    letters = "x" * 1_300_000
    text = f"""\
#define M(a) [a]
#if 0
{letters} "{letters}\\"{letters}" '{letters}
#endif
int a; /* {letters} */ M(1) // {letters} M(2)
M( /* {letters}
"{letters} */ 3 {" " * 1_300_000} )
M(4) /*"""
    _, ours, _ = run(text + letters + "*/\n")
    theirs = subprocess.run(["gcc", "-E", "-P", "a.c"], capture_output=True, text=True, check=True)
    assert ours.split() == theirs.stdout.split()
    code, _, err = run(text + letters)
    assert code == 1
    assert ": error: unterminated comment" in err


@pytest.mark.parametrize("token", ["{}", "1{}", '"{}\\"{}"', "'{}'", '"{}"_{}', "L'{}'"])
def test_a_token_that_long_is_refused_where_it_stands(run, token: str) -> None:
    long = token.replace("{}", "x" * 1_200_000)
    code, _, err = run(f"int a;\n  {long} b;\n")
    assert code == 1
    where, _, said = err.splitlines()[0].partition(": error: ")
    assert where in ("a.c:2:3", "a.c:2:4")
    assert said.startswith("this token has more than 1,048,576 characters")


def test_the_cxx_of_many_registrations_is_bounded_as_their_expansion_is(tmp_path: Path) -> None:
    names = [f"Kernel{n}" for n in range(150)]
    heads = (
        "template <typename T, typename Context>\nvoid {}(const Context&, DenseTensor* out) {{}}\n"
    )
    functions = "".join(map(heads.format, names))
    registered = "".join(
        f"PD_REGISTER_KERNEL({name}, CPU, ALL_LAYOUT, phi::{name}, float, double) {{}}\n"
        for name in names
    )
    text = f'#include "kernel_registry.h"\nnamespace phi {{\n{functions}}}\n{registered}'
    (tmp_path / "a.cc").write_text(text)
    words = ("kernels", "a.cc", "--cc", "none", "-I", str(samples_folder() / "phi"))
    stopped = within(400 << 20, tmp_path, *words, "--memory", "45M")
    said = "reading what it expands to as C++ stopped at 45 MB of memory: nothing is registered"
    assert stopped.stderr.startswith(f"a.cc:1:1: error: {said} (--memory 2G allows it more)")
    assert (stopped.returncode, stopped.stdout) == (1, "no kernels registered\n")
    done = within(400 << 20, tmp_path, *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("a.cc:") == 300
