"""Texts that ask for more than anybody has: what `unfold expand` spends before it refuses them.

    python tests/benchmarks/bombs.py [WORD]

A row is a text whose name has the word in it: CPU seconds of user and system, the largest resident
memory, the exit code, the first error. Meant are 2 s and 500 MB. A run is ended after a minute of CPU
time, and its exit code is then that of the signal. `tests/expansion/test_bombs.py` holds most of them
to their messages.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

MB = 1 << 20
LARGE = 63 * MB


def doubling(times: int, between: str = "+") -> str:
    lines = (f"#define A{i} A{i - 1} {between} A{i - 1}\n" for i in range(1, times + 1))
    return f"#define A0 {'1' if between else ''}\n{''.join(lines)}"


def growing(times: int) -> str:
    lines = (f"#define F{i}(x) F{i - 1}(x + x)\n" for i in range(1, times))
    return f"#define F0(x) x + x\n{''.join(lines)}int x = F{times - 1}(1);\n"


def chained(first: str, each: str, parameters: str = "x") -> str:
    lines = (f"#define F{i}({parameters}) {each.format(i - 1)}\n" for i in range(1, 41))
    return f"{first}\n{''.join(lines)}int x = F40(1);\n"


def pasted(head: str, each: str) -> str:
    """Forty macros, none of which is named in another's list."""
    lines = (f"#define A{i}{head} {each.format(f'C(A, {i - 1})')}\n" for i in range(1, 41))
    first = f"#define C(a, b) C_(a, b)\n#define C_(a, b) a##b\n#define A0{head}\n"
    return f"{first}{''.join(lines)}int x = A40{head.replace('x', '1')};\n"


def long_tokens(operator: str) -> str:
    head = f"#define C(a) {operator}\n#define L {'y' * 500_000}\n#define E(x) C(x)\n"
    return head + "E(L) " * 10_000 + "\n"


def filled(piece: str) -> Callable[[], str]:
    return lambda: piece * (LARGE // len(piece)) + "\n"


BOMBS: dict[str, Callable[[], str]] = {
    "a file that includes itself twice": lambda: '#include "a.c"\n' * 2,
    "2^59 objects": lambda: doubling(59) + "A59\n",
    "2^25 objects": lambda: doubling(25) + "A25\n",
    "2^25 that leave nothing": lambda: doubling(25, "") + "A25\n",
    "2^59 objects in #if": lambda: doubling(59) + "#if A59\n#endif\n",
    "arguments that double": lambda: growing(60),
    "## that doubles": lambda: chained("#define F0(x) x", "F{0}(x##x)"),
    "## of what was pasted": lambda: (
        "#define D(a, b) a##b\n#define C(a, b) D(a, b)\n"
        + chained("#define F0(x) x", "C(F{0}(x), F{0}(x))")
    ),
    "arguments in arguments": lambda: chained("#define F0(x)", "F{0}(F{0}(x))"),
    "an argument that doubles": lambda: (
        "#define I(x) x\n" + chained("#define F0(x) __COUNTER__", "I(F{0}(x) F{0}(x))")
    ),
    "__VA_OPT__ that doubles": lambda: chained(
        "#define F0(...) __VA_OPT__(x)", "__VA_OPT__(F{0}(__VA_ARGS__) F{0}(__VA_ARGS__))", "..."
    ),
    "names that are pasted, and double": lambda: pasted("()", "{0}() {0}()"),
    "names that are pasted, arguments that double": lambda: pasted("(x)", "{0}(x x)"),
    "names that are pasted, other arguments": lambda: pasted("(x)", "{0}(x 0) {0}(x 1)"),
    "D(D(D( 60 deep": lambda: f"#define D(x) x + x\n{'D(' * 60}1{')' * 60}\n",
    "F(F(F( 100,000 deep": lambda: f"#define F(x) x\n{'F(' * 100_000}1{')' * 100_000}\n",
    "F(F(F( 100,000 deep, open": lambda: f"#define F(x) x\n{'F(' * 100_000}1\n",
    "## of 500 KB, 10,000 times": lambda: long_tokens("x##a"),
    "# of 500 KB, 10,000 times": lambda: long_tokens("#a"),
    "a number of 200,000 digits in #if": lambda: f"#if {'7' * 200_000}\n#endif\n",
    "1,500 __has_builtin": lambda: "".join(
        f"#if __has_builtin(f{i})\n#endif\n" for i in range(1500)
    ),
    "100,000 parentheses in #if": lambda: f"#if {'(' * 100_000}1{')' * 100_000}\n#endif\n",
    "#embed of 2 MB, 100 times": lambda: '#embed "data.bin"\n' * 100,
    "a macro of 100,000 parameters": lambda: (
        f"#define F({', '.join(f'a{i}' for i in range(100_000))}) a0\n"
    ),
    "1,000,000 arguments": lambda: "#define F(...) __VA_ARGS__\nF(" + "1," * 1_000_000 + "1)\n",
    "1,000,000 raw strings without an end": lambda: 'R"(' * 1_000_000 + "\n",
    "1,000,000 comments without an end": lambda: "int x;\n" + "/* " * 1_000_000 + "\n",
    "5,000,000 names": lambda: "#define M 1\nM " + "a " * 5_000_000 + "\n",
    "63 MB of #define": lambda: "".join(f"#define N{i:020} (1 + 2)\n" for i in range(LARGE // 38)),
    "63 MB of splices": filled("\\\n"),
    "63 MB of strings": filled('"'),
    "63 MB of (": filled("("),
    "63 MB of one line": filled("int x;"),
}


def spent(folder: Path) -> tuple[float, float, int, str]:
    """Seconds, megabytes, exit code, and the first error, of the text in this folder."""
    command = ["prlimit", "--cpu=60", sys.executable, "-m", "visualizer", "expand", "-P", "a.c"]
    with open(folder / "said", "w+") as said:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        error = next((line for line in said if "error: " in line), "").strip()
    seconds = used.ru_utime + used.ru_stime
    return seconds, used.ru_maxrss / 1024, process.returncode, error


def main() -> None:
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[2])
    print("| text | CPU | memory | code | said |\n|---|---|---|---|---|")
    for name, text in BOMBS.items():
        if wanted not in name:
            continue
        with tempfile.TemporaryDirectory(prefix="unfold-bomb-") as at:
            folder = Path(at)
            (folder / "data.bin").write_bytes(bytes(2_000_000))
            # In a process of its own, since a child begins with the memory that its parent has.
            if os.fork() == 0:
                (folder / "a.c").write_text(text())
                os._exit(0)
            os.wait()
            seconds, megabytes, code, error = spent(folder)
        print(
            f"| {name} | {seconds:.1f} s | {megabytes:.0f} MB | {code} | {error[:110]} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
