"""A Python kernel in the workshop: begun at its registration, and run at each save."""

import re
from pathlib import Path

import pytest

from tests.tui.test_workshop import SAMPLES, Workshop, _at_once  # noqa: F401
from tests.waiting import until
from visualizer.personal import consent
from visualizer.tui.dialogs.question import QuestionScreen
from visualizer.tui.workshop.kernel_pane import KernelPane
from visualizer.tui.workshop.problems_pane import ProblemsPane
from visualizer.tui.workshop.screen import WorkshopScreen

SOURCE = """\
#include "kernel_registry.h"
namespace phi {
template <typename T, typename Context>
void TwiceKernel(const Context& dev_ctx, const DenseTensor& x, float by, DenseTensor* out) {
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = x.data<T>()[i] * by;
}
}  // namespace phi
PD_REGISTER_KERNEL(twice, CPU, ALL_LAYOUT, phi::TwiceKernel, float) {}
"""


@pytest.fixture
def path(tmp_path):
    for header in ("kernel_registry.h", "phi.h"):
        (tmp_path / header).write_text((SAMPLES / header).read_text())
    (tmp_path / "twice.cc").write_text(SOURCE)
    return tmp_path / "twice.cc"


def told(shop) -> str:
    return shop.screen.query_one(KernelPane).text


async def saved_and_run(shop, word: str) -> str:
    await shop.pilot.press("ctrl+s")
    await until(lambda: word in told(shop))
    return told(shop)


async def test_it_is_begun_asked_for_once_and_run_at_each_save(path):
    kernel = path.with_name("twice_kernel.py")
    async with Workshop(path, line=9) as shop:
        await shop.press("f5")
        await until(lambda: shop.screen.file.path == kernel)
        await shop.settle()
        assert "def reference(" in shop.editor.text
        assert kernel.read_text() == shop.editor.text
        assert "Ctrl+S saves it and runs it" in told(shop)
        await shop.pilot.press("ctrl+s")
        await shop.until(QuestionScreen)
        await shop.pilot.press("n")
        await shop.until(WorkshopScreen)
        await until(lambda: "It isn't run" in told(shop))
        assert not consent.is_given(consent.digest(kernel.read_bytes()))
        await shop.pilot.press("ctrl+s")
        await shop.until(QuestionScreen)
        await shop.pilot.press("r")
        await shop.until(WorkshopScreen)
        await until(lambda: "agree" in told(shop))
        assert re.search(r"out +float32\[1024\]: ", told(shop))
        assert re.search(r"reference +float32\[1024\]: ", told(shop))
        assert re.search(r"time +[\d.]+ µs", told(shop))
        shop.editor.put(shop.editor.text.replace("return x * by\n", "return x + by\n", 1))
        await shop.settle()
        assert "differ" in await saved_and_run(shop, "differ")
        shop.editor.put(shop.editor.text.replace("import numpy as np\n", "import nunpy as np\n"))
        await shop.settle()
        await saved_and_run(shop, "ModuleNotFoundError")
        assert "twice_kernel.py" in shop.shown(ProblemsPane)
        assert consent.is_given(consent.digest(kernel.read_bytes()))
        kernel.write_text(kernel.read_text() + "# by somebody else\n")
        await until(lambda: "by somebody else" in shop.editor.text)
        await shop.pilot.press("ctrl+s")
        await shop.until(QuestionScreen)


async def test_a_file_that_is_there_is_opened_and_stays_as_it_is(path):
    kernel = path.with_name("twice_kernel.py")
    kernel.write_text("open('ran', 'w')\n")
    async with Workshop(path, line=1) as shop:
        assert kernel in shop.screen.choices
        await shop.press("f5")
        await until(lambda: shop.screen.file.path == kernel)
        notes = [note.message for note in shop.app._notifications]
        assert "twice_kernel.py is there already, and stays as it is." in notes
    assert kernel.read_text() == "open('ran', 'w')\n"
    assert not Path("ran").exists()


async def test_a_sample_is_to_be_copied_first_and_a_served_app_runs_none(path, monkeypatch):
    async with Workshop(SAMPLES / "softmax_kernel.cc") as shop:
        await shop.press("f5")
        await until(lambda: bool(shop.app._notifications))
        (note,) = shop.app._notifications
        assert "softmax_kernel.cc comes with Unfold" in note.message
    assert not (SAMPLES / "softmax_kernel.py").exists()
    async with Workshop(path, line=9) as shop:
        await shop.press("f5")
        await until(lambda: shop.screen.file.path.suffix == ".py")
        monkeypatch.setattr("visualizer.personal.consent.is_confined", lambda: True)
        await saved_and_run(shop, "in a served app")
