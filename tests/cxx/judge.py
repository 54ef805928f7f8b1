"""C++ as g++ runs it against C++ as the interpreter does: equal values or a refusal, and nothing else.

`python -m tests.cxx.judge 100000` is what `make fuzz` runs. Functions are judged by the thousand: g++
says first which of them it doesn't take, and what of those has a value here is a difference. Of the
others what the interpreter gives a value, g++ compiles with `-fsanitize=undefined` and runs; a value,
or a type, that differs is a difference, and so is what the sanitizer complains of.
"""

from __future__ import annotations

import argparse
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from bisect import bisect
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path
from random import Random

from registry_runtime.cxx import Bindings, Class, CxxError, CxxFunction, initialise
from registry_runtime.cxx.arithmetic import type_of
from registry_runtime.cxx.variables import value_of
from tests.cxx.cxx_functions import function

COMPILER = shutil.which("g++")
_AT_ONCE = 1000
_MOST = 60  # seconds of the processor's time for that many, which take one
_TYPES = {
    "bool": "bool", "char": "char", "int8_t": "signed char", "uint8_t": "unsigned char",
    "int16_t": "short", "uint16_t": "unsigned short", "int": "int", "uint32_t": "unsigned",
    "int64_t": "long", "uint64_t": "unsigned long", "long long": "long long",
    "unsigned long long": "unsigned long long", "float": "float", "double": "double",
}  # fmt: skip
_HEAD = """#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>
template <typename B> void bits(double x, B b) {
  x == x ? std::printf("%lx", static_cast<unsigned long>(b)) : std::printf("nan");
}
void show(float x) { unsigned b; std::memcpy(&b, &x, 4); bits(x, b); }
void show(double x) { unsigned long b; std::memcpy(&b, &x, 8); bits(x, b); }
template <typename T> void show(T x) {
  T(-1) < T(0) ? std::printf("%lld", static_cast<long long>(x))
               : std::printf("%llu", static_cast<unsigned long long>(x));
}
"""
_NAMES = "".join(
    f'const char* name({cpp}) {{ return "{ours}"; }}\n' for ours, cpp in _TYPES.items()
)


@dataclass
class Verdict:
    """Of some functions: how many have equal values, how many neither takes, why others were refused,
    and what differs."""

    equal: int = 0
    ill_formed: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def add(self, more: Verdict) -> None:
        self.equal += more.equal
        self.ill_formed += more.ill_formed
        self.refused += more.refused
        self.differences += more.differences


def judge(functions: Mapping[str, str], folder: Path, head: str = "") -> Verdict:
    """Run functions, by name, in both ways; before them stands `head`."""
    verdict = Verdict()
    ours = _interpreted(functions, verdict, head)
    for name, said in _all_ill_formed(functions, folder, head).items():
        value = ours.pop(name, None)
        if value is not None:  # alone, or what another one's missing brace leaves outside is known
            value = _interpreted({name: functions[name]}, Verdict(), head).get(name)
        verdict.ill_formed += value is None
        if value is not None:
            verdict.differences.append(f"{functions[name]}ours: {value}, g++ refuses: {said}")
    if not ours:
        return verdict
    theirs, complaints = _compiled({name: functions[name] for name in ours}, folder, head)
    verdict.differences += complaints
    for name, value in ours.items():
        if theirs.get(name) == value:
            verdict.equal += 1
        elif theirs:
            shown = f"ours: {value}, theirs: {theirs.get(name)}"
            verdict.differences.append(f"{functions[name]}{shown}")
    return verdict


def _interpreted(functions: Mapping[str, str], verdict: Verdict, head: str = "") -> dict[str, str]:
    kept: list[CxxFunction] = []
    bindings = Bindings({"Keep": Class(kept.append)})
    statics = "".join(f"static Keep keep_{name}(&{name});\n" for name in functions)
    made = initialise(head + "".join(functions.values()) + statics, bindings)
    if len(kept) < len(functions):  # what one of them breaks must not hide the others
        if len(functions) > 1:
            names = list(functions)
            halves = names[: len(names) // 2], names[len(names) // 2 :]
            read = ({name: functions[name] for name in half} for half in halves)
            return {k: v for half in read for k, v in _interpreted(half, verdict, head).items()}
        verdict.refused["not read: " + "; ".join(map(_anything, made.errors[:1]))] += 1
    values: dict[str, str] = {}
    for called in kept:
        try:
            value = value_of(called.program.execute(called, ()))
            if type_of(value) is None:
                verdict.refused["what is returned is no number"] += 1
            else:
                values[called.name] = _shown(value)
        except CxxError as error:
            verdict.refused[_anything(error)] += 1
        except Exception as error:
            verdict.differences.append(f"{functions[called.name]}crashes: {error!r}")
    return values


def _anything(error: CxxError) -> str:
    # What it says, whatever names and numbers it says it of.
    return re.sub(r"`[^`]*`|-?\b[\d.]+(e.\d+)?", "…", error.message)


def _shown(value: object) -> str:
    type = type_of(value)
    assert type is not None
    assert isinstance(value, bool | int | float)
    if not type.is_floating:
        return f"{type} {int(value)}"
    if value != value:
        return f"{type} nan"
    packed = struct.pack(">f" if type.bits == 32 else ">d", value)
    return f"{type} {int.from_bytes(packed, 'big'):x}"


def _all_ill_formed(functions: Mapping[str, str], folder: Path, head: str) -> dict[str, str]:
    """What g++ doesn't take, also of what it says only once in a file."""
    found: dict[str, str] = {}
    while True:
        rest = {n: f for n, f in functions.items() if n not in found}
        more = _ill_formed(rest, folder, _HEAD + head)
        if not more:
            return found
        found |= more


def _ill_formed(functions: Mapping[str, str], folder: Path, head: str) -> dict[str, str]:
    """What g++ doesn't take, and what it says first of each."""
    source, text, line = folder / "checked.cc", [head], head.count("\n") + 1
    owners: list[tuple[int, str]] = []
    for name, body in functions.items():
        owners.append((line, name))
        text.append(body)
        line += body.count("\n")
    source.write_text("".join(text))
    assert COMPILER is not None
    flags = "-std=c++17 -w -fsyntax-only -fmax-errors=0"
    told = subprocess.run([COMPILER, *flags.split(), source], capture_output=True, text=True)
    found: dict[str, str] = {}
    # Of a template of the library's the error stands there, and behind it where it was wanted.
    for at, said in re.findall(
        r"checked\.cc:(\d+):\d+:(?: error: (.*)|   required from here)", told.stderr
    ):
        name = owners[bisect(owners, (int(at), "~")) - 1][1]
        found.setdefault(name, said or "a template of the library's")
    return found


def _compiled(
    functions: Mapping[str, str], folder: Path, head: str
) -> tuple[dict[str, str], list[str]]:
    source, program = folder / "judged.cc", folder / "judged"
    shows = "".join(
        f'  {{ auto v = {name}(); std::printf("{name}: %s ", name(v)); show(v); std::puts(""); }}\n'
        for name in functions
    )
    main = f"int main() {{\n  std::setvbuf(stdout, nullptr, _IOLBF, 0);\n{shows}}}\n"
    source.write_text(f"{_HEAD}{_NAMES}{head}{''.join(functions.values())}{main}")
    assert COMPILER is not None
    # Nothing here throws, and what no pointer of ours can do isn't looked for: a third less to compile.
    flags = "-std=c++17 -w -O0 -fno-exceptions"
    flags += " -fsanitize=undefined,float-cast-overflow,float-divide-by-zero"
    flags += " -fno-sanitize=null,alignment,object-size,vptr"
    built = subprocess.run(
        [COMPILER, *flags.split(), source, "-o", program], capture_output=True, text=True
    )
    if built.returncode:
        return {}, [f"g++ refuses: {built.stderr[:3000]}"]
    # What ends here may go on for ever there: the last line is that of the function before.
    command = ["prlimit", f"--cpu={_MOST}", program]
    ran = subprocess.run(command, capture_output=True, text=True)
    lines = source.read_text().splitlines()
    complaints = []
    for at, said in re.findall(r"judged\.cc:(\d+):\d+: runtime error: (.*)", ran.stderr):
        complaints.append(f"{said} in `{lines[int(at) - 1].strip()}`")
    if ran.returncode:
        complaints.append(f"ends with {ran.returncode} behind {ran.stdout.splitlines()[-1:]}")
    found = (line.partition(": ") for line in ran.stdout.splitlines())
    return {name: value for name, _, value in found}, complaints


def programs(seed: str, count: int) -> dict[str, str]:
    """So many functions, by name: no local name of one is the name of another."""
    random = Random(seed)
    names = (f"function{i}" for i in range(count))
    return {name: function(random, name) for name in names}


def _judged(seed: str, count: int) -> Verdict:
    with tempfile.TemporaryDirectory(prefix="unfold-judge-") as folder:
        return judge(programs(seed, count), Path(folder))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("functions", type=int, help="how many functions to judge")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    arguments = parser.parse_args()
    if COMPILER is None:
        print("judge: g++ is not installed")
        return 2
    total, started, wanted = Verdict(), time.monotonic(), arguments.functions
    seeds = [f"{arguments.seed}/{start}" for start in range(0, wanted, _AT_ONCE)]
    with ProcessPoolExecutor() as pool:
        for seed, found in zip(seeds, pool.map(_judged, seeds, repeat(_AT_ONCE)), strict=True):
            total.add(found)
            if found.differences:
                print(*found.differences[:5], sep="\n\n")
                print(f"\nthe functions of seed {seed}", flush=True)
            if sys.stderr.isatty():
                print(f"\r{total.equal} equal", end="", file=sys.stderr)
    seconds, refused = time.monotonic() - started, sum(total.refused.values())
    print(
        f"{total.equal} equal, {refused} refused, of which g++ refuses {total.ill_formed}, "
        f"{len(total.differences) or 'no'} other, "
        f"in {seconds:.0f} s; refused are"
    )
    for reason, count in total.refused.most_common(12):
        print(f"{count:8} {reason}")
    return int(bool(total.differences))


if __name__ == "__main__":
    sys.exit(main())
