"""`V`: the opened file before its judge, at the reader's word."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Static

from tests.waiting import until
from visualizer.expansion import Options
from visualizer.personal import consent
from visualizer.tui.app import UnfoldApp
from visualizer.tui.verify.screen import VerifyScreen
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.samples import samples_folder

pytestmark = pytest.mark.compiler
PHI = samples_folder() / "phi"
TEXT = """\
#include "kernel_registry.h"
namespace phi {
template <typename T, typename Context>
void CopyKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}
}
PD_REGISTER_KERNEL(copy, CPU, ALL_LAYOUT, phi::CopyKernel, int) {}
"""


def written(folder: Path, text: str = TEXT) -> Workbench:
    path = folder / "copy_kernel.cc"
    path.write_text(text)
    return open_file(path, Options(include_folders=(str(PHI),), cc="auto"))


def told(app: UnfoldApp) -> str:
    return str(app.screen.query_one("#verify-told", Static).visual)


async def test_a_stranger_s_file_runs_at_the_reader_s_word_and_is_remembered(
    tmp_path: Path,
) -> None:
    bench = written(tmp_path)
    app = UnfoldApp(bench)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("V")
        await until(lambda: isinstance(app.screen, VerifyScreen))
        assert "copy_kernel.cc will be compiled (2 s)" in told(app)
        await pilot.press("r")  # nothing has run that could run again
        assert "will be compiled" in told(app)
        await pilot.press("enter")
        await until(lambda: "as interpreted" in told(app))
        assert "1 entry, 4 facts by g++" in told(app)
        await pilot.press("escape")
        await pilot.press("V")
        await until(lambda: "as interpreted" in told(app))
    app = UnfoldApp(written(tmp_path, TEXT + "// changed\n"))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("V")
        await until(lambda: "will be compiled" in told(app))


async def test_an_error_of_the_compiler_is_shown_and_a_run_can_be_called_off(
    tmp_path: Path,
) -> None:
    wrong = written(tmp_path, TEXT + "int n = nobody;\n")
    app = UnfoldApp(wrong)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("V", "enter")
        await until(lambda: "✗" in told(app))
        assert f"copy_kernel.cc:{TEXT.count(chr(10)) + 1}:9: error:" in told(app)
    app = UnfoldApp(written(tmp_path, TEXT + "int forever() { for (;;) {} }\nint n = forever();\n"))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("V", "enter")
        progress = app.screen.query_one("#verify-progress", Static)
        await until(lambda: "static initialisation" in str(progress.visual))
        await pilot.press("c")
        await until(lambda: "called off" in told(app))


async def test_nothing_is_compiled_for_a_visitor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consent, "why_not_here", lambda: "in a served app nothing is compiled")
    app = UnfoldApp(written(tmp_path))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("V")
        await pilot.pause()
        assert not isinstance(app.screen, VerifyScreen)
        assert [n.message for n in app._notifications] == ["In a served app nothing is compiled."]


def test_the_judge_is_the_framework_whose_headers_were_taken() -> None:
    from visualizer.workbench.verdict import judges_of

    site = "/opt/env/lib/python3.11/site-packages/"
    of_torch = (f"{site}torch/include", f"{site}torch/include/torch/csrc/api/include")
    flags = judges_of(Options(system_folders=("/usr/include", *of_torch)))
    assert (flags.torch, flags.paddle) == (site, None)
    flags = judges_of(Options(system_folders=(f"{site}paddle/include",)))
    assert (flags.torch, flags.paddle) == (None, site)
