"""`make fuzz N=2000`: random macro programs, and texts whose layout is hard to read, ours against the
installed compilers, until N are done. What is expanded without a trace must be the same, to the blank.

A difference is shrunk by Hypothesis and written to `regressions/` as a source file, which the tests
compare with the compilers from then on.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from both_ways import CXX, by_itself, by_trace
from compilers import INSTALLED, preprocessed_by, spellings
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from macro_programs import macro_program
from untidy_texts import untidy_text

REGRESSIONS = Path(__file__).parent / "regressions"


def difference(file: Path, judges: Sequence[str] = INSTALLED) -> str | None:
    """Where the judges agree and we do not, or we do not with ourselves: what each makes of the
    file. None if there is none."""
    traced, alone = (printed(file, CXX, markers=True) for printed in (by_trace, by_itself))
    if traced != alone:
        return f"traced: {traced}\nby itself: {alone}"
    wanted = [preprocessed_by(compiler, file) for compiler in judges]
    if not wanted or None in wanted or any(w != wanted[0] for w in wanted):
        return None
    ours = spellings(by_itself(file, CXX, markers=False)[0])
    if ours == wanted[0]:
        return None
    return f"ours: {' '.join(ours)}\ntheirs: {' '.join(wanted[0] or [])}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=int, help="how many programs to try")
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    if not INSTALLED:
        print("fuzz: neither g++ nor clang++ is installed")
        return 2
    folder = Path(tempfile.mkdtemp(prefix="unfold-fuzz-"))
    file = folder / "program.cc"
    tried = 0
    worst = ""

    gcc_and_clang = INSTALLED if len(INSTALLED) > 1 else []  # gcc lets tokens of untidy texts fuse
    judges = {macro_program: INSTALLED[:1], untidy_text: gcc_and_clang}

    def one(random: Random) -> None:
        nonlocal tried, worst
        write = random.choice((macro_program, untidy_text))
        file.write_text(write(random))
        found = difference(file, judges[write])
        tried += 1
        if sys.stderr.isatty() and tried % 50 == 0:
            print(f"\r{tried} programs", end="", file=sys.stderr)
        if found is not None:
            worst = file.read_text()
            raise AssertionError(found)

    check = settings(
        max_examples=arguments.cases,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )(given(st.randoms(use_true_random=False))(one))
    if arguments.seed is not None:
        from hypothesis import seed

        check = seed(arguments.seed)(check)
    started = time.monotonic()
    try:
        check()
    except AssertionError as error:
        name = hashlib.sha256(worst.encode()).hexdigest()[:10]
        regression = REGRESSIONS / f"{name}.cc"
        regression.write_text(worst)
        print(f"\n{error}\nwritten to {regression}, the smallest found:\n{worst}")
        return 1
    seconds = time.monotonic() - started
    print(f"\n{tried} programs in {seconds:.0f} s against {', '.join(INSTALLED)}: no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
