"""The line that is edited is traced ahead of the rest of the text, and as it is with all of it."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from tests.expansion.macro_programs import macro_program
from tests.pace import quickest
from visualizer.expansion import Expansion, Options
from visualizer.expansion.trace import every
from visualizer.workbench.samples import samples_folder
from visualizer.workshop.ahead import ahead
from visualizer.workshop.attempt import Attempt, attempt

OPTIONS = Options(std="gnu++20", cc="none")
PHI = Options(include_folders=(str(samples_folder() / "phi"),), cc="none")
KERNEL = """\
namespace phi {{ template <typename T, typename Context>
void Made{0}Kernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {{}} }}
PD_REGISTER_KERNEL(made_{0}, CPU, ALL_LAYOUT, phi::Made{0}Kernel, float, int) {{}}
"""
PIECES = (
    *("(", ")", ";", "{", "}", ",", "A", "B(1)", "C", "__COUNTER__", "__LINE__", "x", "\n", "\n\n"),
    *("/* ", "*/", "// ", '"', "\\\n", "\n#undef B\n", "\n#if 0\n", "\n#define A __COUNTER__\n"),
)


def told(expansion: Expansion) -> object:
    """All that is shown of one: its tokens, its steps, and where it stands."""
    texts = [token.text for token in expansion.before], [token.text for token in expansion.after]
    steps = [(s.macro, s.at, s.remove, [t.text for t in s.insert]) for s in every(expansion.steps)]
    return expansion.where, texts, steps


def at(tried: Attempt, line: int) -> object:
    assert tried.bench is not None
    found = tried.bench.expansion_at(line)
    return None if found is None else told(tried.bench.expansions[found])


def edited(text: str, random: Random) -> tuple[str, int]:
    """A text with something put in, left out or exchanged; and the line where that was."""
    place = random.choice([*re.finditer(r"\w+|\S", text)])
    kept = random.choice(("", place[0]))
    text = f"{text[: place.start()]}{random.choice(('', *PIECES))}{kept}{text[place.end() :]}"
    return text, text.count("\n", 0, place.start()) + 1


@pytest.mark.parametrize("seed", range(40))
def test_a_line_is_traced_as_in_the_whole_text(seed: int, tmp_path: Path) -> None:
    random, path = Random(seed), tmp_path / "program.cc"
    text = "".join(macro_program(random) for _ in range(3))
    felt = ("__COUNTER__", "__LINE__", "x", "x", "x")
    text = re.sub(r"\bc\b", lambda _: random.choice(felt), text)
    path.write_text(text)
    before = attempt(path, OPTIONS, {})
    for _ in range(12):
        now, line = edited(text, random)
        found = ahead(before, {path: now}, line)
        if found is not None:
            assert at(found, line) == at(attempt(path, OPTIONS, {path: now}), line), now


def many(kernels: int) -> str:
    return '#include "kernel_registry.h"\n' + "".join(map(KERNEL.format, range(kernels)))


def with_type(text: str, kernel: int) -> tuple[str, int]:
    """A registration of the kernel for one type more, and its line."""
    where = text.index("float", text.index(f"(made_{kernel},"))
    return f"{text[:where]}double, {text[where:]}", text.count("\n", 0, where) + 1


def test_names_are_counted_on_from_those_above(tmp_path: Path) -> None:
    path, text = tmp_path / "many.cc", many(60)
    path.write_text(text)
    before = attempt(path, PHI, {})
    for kernel in (0, 1, 30, 59):
        now, line = with_type(text, kernel)
        found = ahead(before, {path: now}, line)
        assert found is not None
        assert at(found, line) == at(attempt(path, PHI, {path: now}), line)
        assert found.bench is not None
        assert len(found.bench.trace.expansions) == 1


def test_the_work_does_not_grow_with_the_text(tmp_path: Path) -> None:
    def seconds(kernels: int) -> float:
        path, text = tmp_path / f"{kernels}.cc", many(kernels)
        path.write_text(text)
        before = attempt(path, PHI, {})
        now, line = with_type(text, kernels // 2)
        assert ahead(before, {path: now}, line) is not None
        return quickest(lambda: ahead(before, {path: now}, line), 3)

    assert seconds(300) < 3 * seconds(30)


def test_what_is_done_above_the_line_is_left_to_the_whole(tmp_path: Path) -> None:
    path = tmp_path / "pushed.cc"
    text = '#define X 1\n#define PUSH _Pragma("push_macro(\\"X\\")")\nPUSH;\nX;\nint y = X;\n'
    path.write_text(text)
    assert ahead(attempt(path, OPTIONS, {}), {path: text + " "}, 5) is None


def test_other_texts_that_were_edited_are_left_to_the_whole(tmp_path: Path) -> None:
    path, header = tmp_path / "source.cc", tmp_path / "macros.h"
    header.write_text("#define TWICE(x) x x\n")
    path.write_text('#include "macros.h"\nint y;\nTWICE(1);\n')
    before = attempt(path, OPTIONS, {})
    assert ahead(before, {path: before.text + " "}, 3) is not None
    assert ahead(before, {path: before.text, header: "#define TWICE(x) x\n"}, 3) is None
