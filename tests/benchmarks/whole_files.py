"""Whole files and heavy macros: CPU time and memory of `unfold`, beside gcc and what else is installed.

    python tests/benchmarks/whole_files.py
    python tests/benchmarks/whole_files.py --sqlite DIR/sqlite3.c --boost preprocessor \\
        --metalang99 metalang99 --datatype99 datatype99 --tree zlib lua redis/src --turns 3

It fetches nothing. Inputs that nobody wrote are made; the others are left out unless their places are
named: sqlite's amalgamation, clones of boostorg/preprocessor, hirrolot/metalang99 and
hirrolot/datatype99, torch's include folders, a tree to survey, and folders of C files, of which those
count that gcc can preprocess with these folders alone: of their ratios to gcc the quartiles are
printed, of a first run and of one behind it.
All sides of a row are measured in turns, and the minimum counts: CPU seconds of user and system
together, which say more than the clock on a shared machine, and the largest resident memory. Where
files include others, a first run is one that keeps nothing on disk. What is printed is a table for
`RESULTS.md`, with ratios to gcc.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

SAMPLES = Path(__file__).parents[2] / "cpp_samples"
UNFOLD = (sys.executable, "-c", "import sys; from visualizer.cli import main; sys.exit(main())")
# Each prints a file preprocessed; simplecpp, mcpp and pcpp understand -I and -D.
OTHERS = {
    "clang": ("clang", "-E", "-P"),
    "simplecpp": ("simplecpp",),
    "mcpp": ("mcpp", "-P"),
    "pcpp": ("pcpp", "--line-directive", ""),
}
EXPAND = ("expand", "-P")
JSON = ("steps", "--format", "json")
REGISTRATION = """\
namespace phi {{
template <typename T, typename Context>
void Made{0}Kernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {{}}
}}
PD_REGISTER_KERNEL(made_{0}, CPU, ALL_LAYOUT, phi::Made{0}Kernel, float, int) {{}}
"""
THROUGH_TORCH = """\
#include <torch/library.h>
at::Tensor mine(const at::Tensor& self) { return self; }
TORCH_LIBRARY_IMPL(aten, CPU, m) { m.impl("mine", &mine); }
"""
TOO_LONG = 600  # seconds, after which a run is ended


@dataclass(frozen=True, slots=True)
class Row:
    """An input, and what is `asked` of it: its text, all of its steps, what it registers."""

    name: str
    file: Path
    flags: tuple[str, ...] = ()
    asked: tuple[str, ...] = EXPAND
    cache: str = ""  # another place than that of the other rows

    def unfold(self) -> list[str]:
        cache = ["env", f"XDG_CACHE_HOME={self.cache}"] if self.cache else []
        return [*cache, *UNFOLD, *self.asked, str(self.file), *self.flags]


@dataclass(frozen=True, slots=True)
class Cost:
    """Of the cheapest run: CPU seconds, megabytes; and why it failed, if it did."""

    seconds: float
    megabytes: float
    failed: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("sqlite", "boost", "metalang99", "datatype99"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--torch", nargs="*", default=(), help="the wheel's include folders")
    parser.add_argument("--survey", type=Path, help="a source tree")
    parser.add_argument("--tree", type=Path, nargs="*", default=())
    parser.add_argument("--files", type=int, default=40, help="of each --tree, spread over it")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="unfold-bench-") as folder:
        # as an installed program has its modules compiled
        os.environ |= {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": f"{folder}/compiled"}
        os.environ["UNFOLD_CONFIG_DIR"] = os.environ["XDG_CACHE_HOME"] = folder
        print(f"{time.strftime('%Y-%m-%d')}, {_machine()}, Python {platform.python_version()}\n")
        others = {name: words for name, words in OTHERS.items() if shutil.which(words[0])}
        columns = ["input", "Unfold", "memory", "gcc", "÷ gcc", *others]
        print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}", flush=True)
        for row in rows(Path(folder), given):
            if given.only in row.name:
                print(line_of(row, others, given.turns), flush=True)
        if given.tree and given.only in "files":
            print(f"\n{quartiles(given.tree, given.files)}")


def rows(folder: Path, given: argparse.Namespace) -> Iterator[Row]:
    yield Row("100,000 `#define`", made(folder / "defines.c", hundred_thousand_macros()))
    yield Row("10 MB generated", made(folder / "generated.c", ten_megabytes()))
    stdcxx = made(folder / "stdcxx.cc", "#include <bits/stdc++.h>\n")
    nowhere = "/proc/none"  # where no cache can be written
    yield Row("`<bits/stdc++.h>`, first", stdcxx, ("--cc", "g++"), cache=nowhere)
    yield Row("`<bits/stdc++.h>`, once more", stdcxx, ("--cc", "g++"))
    if given.sqlite:
        yield Row("sqlite3.c", given.sqlite, ("--cc", "gcc"))
    if given.boost:
        include = ("-I", str(given.boost / "include"), "--std", "c++17")
        for name in ("tuple", "seq"):
            yield Row(f"Boost.PP `{name}.cxx`", given.boost / f"test/{name}.cxx", include)
    if given.metalang99:
        include = ("-I", str(given.metalang99 / "include"), "--std", "c11")
        examples = given.metalang99 / "examples"
        yield Row("metalang99 `lambda_calculus.c`", examples / "lambda_calculus.c", include)
        yield Row("metalang99 `factorial.c`", examples / "factorial.c", include)
        yield Row("metalang99 `factorial.c`, JSON", examples / "factorial.c", include, JSON)
    if given.metalang99 and given.datatype99:
        text = (
            "#include <datatype99.h>\ndatatype(Tree, (Leaf, int), (Node, Tree *, int, Tree *));\n"
        )
        flags = (*include, "-I", str(given.datatype99))
        one = made(folder / "datatype.c", text)
        yield Row("datatype99, one `datatype`", one, flags)
        yield Row("datatype99, one `datatype`, JSON", one, flags, JSON)
    phi = ("-I", str(SAMPLES / "phi"))
    small = SAMPLES / "phi/bitwise_kernel.cc"
    yield Row("a sample's steps", small, phi, ("steps",))
    yield Row("a sample's steps, JSON", small, phi, JSON)
    if given.torch:
        one = made(folder / "torch.cc", THROUGH_TORCH)
        include = tuple(word for path in given.torch for word in ("-I", path))
        cxx = ("--std", "c++17", "--cc", "g++", *include)
        asked = ("steps",)
        yield Row("one through torch's headers, `steps`, first", one, cxx, asked, nowhere)
        yield Row("one through torch's headers, `steps`, once more", one, cxx, asked)
    if given.survey:
        yield Row(f"{given.survey.name}, `survey`", given.survey, (), ("survey",))
    for kernels in (400, 3_000):
        lines = "".join(REGISTRATION.format(n) for n in range(kernels))
        many = made(folder / f"many_{kernels}.cc", f'#include "kernel_registry.h"\n{lines}')
        yield Row(f"{kernels:,} registrations, `kernels`", many, phi, ("kernels",))


def made(file: Path, text: str) -> Path:
    file.write_text(text)
    return file


def hundred_thousand_macros() -> str:
    lines = (f"#define NAME_{n}(x) ((x) + {n} * sizeof(int))\n" for n in range(100_000))
    return "".join(lines) + "int x = NAME_7(1) + NAME_99999(2);\n"


def ten_megabytes() -> str:
    """As generators write C: table after table, a macro now and then."""
    head = "#define COUNT 12\n#define ROW(a, b) { a, b, COUNT }\n"
    row = '    { 0x%08x, "name %d", &handler_%d, sizeof(struct entry), 17u }, /* %d */\n'
    parts, size, n = [head], 0, 0
    while size < 10_000_000:
        rows_of_one = "".join(
            row % (i * 2654435761 % 2**32, i, i % 97, i) for i in range(n, n + 100)
        )
        parts.append(
            f"static const struct entry table_{n}[] = {{\n{rows_of_one}    ROW({n}, 1)\n}};\n"
        )
        size += len(parts[-1])
        n += 100
    return "".join(parts)


def line_of(row: Row, others: dict[str, Sequence[str]], turns: int) -> str:
    gcc = "g++" if row.file.suffix in (".cc", ".cxx") else "gcc"
    flags = [flag for flag in row.flags if flag not in ("--cc", "g++", "gcc")]
    flags = [
        f"-std={flags[i + 1]}" if flag == "--std" else flag
        for i, flag in enumerate(flags)
        if i == 0 or flags[i - 1] != "--std"
    ]
    commands = {"unfold": row.unfold()}
    if row.file.is_dir():
        ours = in_turns(commands, turns)["unfold"]
        return f"| {row.name} | {told(ours)} | {ours.megabytes:.0f} MB | | {' | ' * len(others)}|"
    commands |= {"gcc": [gcc, "-E", "-P", str(row.file), *flags]}
    commands |= {name: [*words, str(row.file), *flags] for name, words in others.items()}
    costs = in_turns(commands, turns)
    ours, theirs = costs["unfold"], costs["gcc"]
    ratio = "" if ours.failed or theirs.failed else f"{ours.seconds / theirs.seconds:.0f}"
    seconds = [told(costs[name]) for name in others]
    cells = [row.name, told(ours), f"{ours.megabytes:.0f} MB", told(theirs), ratio, *seconds]
    return f"| {' | '.join(cells)} |"


def quartiles(trees: Sequence[Path], most: int) -> str:
    """Of real files: how many times gcc's CPU time `expand -P` takes, at first and once more."""
    ratios: tuple[list[float], list[float]] = ([], [])
    for tree in trees:
        files = sorted(tree.rglob("*.c"))
        for file in files[:: max(1, len(files) // most)]:
            flags = [str(file), "-I", str(tree), "-I", str(tree / "include")]
            theirs = min((cost(["gcc", "-E", "-P", *flags]) for _ in range(3)), key=seconds_of)
            if theirs.failed or theirs.seconds == 0:
                continue
            for found in ratios:
                found.append(cost([*UNFOLD, *EXPAND, *flags]).seconds / theirs.seconds)
    told = [" ".join(f"{q:.0f}×" for q in statistics.quantiles(found, n=4)) for found in ratios]
    return f"{len(ratios[0])} real files, quartiles: {told[0]} gcc; once more {told[1]}"


def seconds_of(cost: Cost) -> float:
    return cost.seconds


def told(cost: Cost) -> str:
    return cost.failed or f"{cost.seconds:.2f} s"


def in_turns(commands: dict[str, list[str]], turns: int) -> dict[str, Cost]:
    costs: dict[str, Cost] = {}
    for _ in range(turns):
        for name, words in commands.items():
            if name in costs and costs[name].failed:
                continue
            now = cost(words)
            known = costs.get(name)
            costs[name] = now if known is None or now.seconds < known.seconds else known
    return costs


def cost(command: list[str]) -> Cost:
    """Of one run. One that takes too long is ended."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(["timeout", str(TOO_LONG), *command], **quiet)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    failed = "" if process.returncode == 0 else f"fails ({process.returncode})"
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, failed)


def _machine() -> str:
    with open("/proc/cpuinfo") as info:
        model = next(
            (line.split(":")[1].strip() for line in info if line.startswith("model name")), "?"
        )
    return f"{os.cpu_count()} × {model}"


if __name__ == "__main__":
    main()
