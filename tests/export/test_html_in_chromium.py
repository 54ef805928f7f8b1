"""The page as Chromium lays it out: at no width and at no step is anything wider than its place."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from visualizer.export.html import html
from visualizer.scene.tour import tour
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

# Whatever is seen and is wider than the page or than its own box, whether that scrolls or cuts it off.
TOO_WIDE = """() => [...document.querySelectorAll("body, body *")]
  .filter(e => e.checkVisibility() && !(e instanceof SVGElement))
  .filter(e => e.getBoundingClientRect().right > innerWidth + 1
    || (getComputedStyle(e).display !== "inline" && e.scrollWidth > e.clientWidth + 1))
  .map(e => `${e.tagName}#${e.id}: ${e.textContent.slice(0, 40)}`)"""
CUT = """() => ["happened", "upcoming"].map(id => document.getElementById(id))
  .filter(e => e.scrollHeight > e.clientHeight + 1).map(e => e.textContent)"""


@pytest.mark.parametrize("width", [1280, 1440, 420])
@pytest.mark.parametrize("sample", ["phi/bitwise_kernel.cc", "aten/add.cc", "fluid/trace_op.cc"])
def test_nothing_overflows_at_any_step(
    browser: "Browser", tmp_path: Path, sample: str, width: int
) -> None:
    bench = open_file(samples_folder() / sample)
    expansion = bench.trace.expansions[bench.first_registration() or 0]
    path = tmp_path / "page.html"
    path.write_text("".join(html(tour(bench.trace, expansion, bench))), encoding="utf-8")
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(path.as_uri())
    last = int(page.get_attribute("#track input", "max") or 0)
    assert last
    for step in range(last + 1):
        assert page.text_content("#count") == f"{step} / {last}"
        assert not page.evaluate(TOO_WIDE), f"at step {step}"
        assert not page.evaluate(CUT), f"at step {step}"
        page.keyboard.press("ArrowRight")
    page.close()
