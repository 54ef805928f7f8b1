"""An entry that is no kernel: the registry shows it, and one screen answers the keys of a kernel."""

from __future__ import annotations

import pytest

from tests.tui.settled import settled
from visualizer.tui.app import UnfoldApp
from visualizer.tui.entry.screen import EntryScreen
from visualizer.tui.ink.listing import Listing
from visualizer.tui.stepper.registry_pane import RegistryPane
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder


@pytest.mark.parametrize("key", ["enter", "r", "b"])
async def test_a_mapping_is_told_and_not_run(key: str) -> None:
    bench = open_file(samples_folder() / "fluid" / "trace_sig.cc")
    app = UnfoldApp(bench, bench.first_registration() or 0, 10**6)
    async with app.run_test(size=(140, 45)) as pilot:
        selected = app.screen.query_one(RegistryPane).selected
        assert selected is not None
        assert selected.entry.registration.kernel_name == "trace"
        app.screen.query_one(RegistryPane).focus()
        await pilot.press(key)
        await settled(pilot)
        assert isinstance(app.screen, EntryScreen)
        told = app.screen.query_one("#entry-told", Listing)
        assert "phi::TraceOpArgumentMapping" in "".join(told.render_line(y).text for y in range(5))


async def test_the_summary_says_what_was_registered() -> None:
    bench = open_file(samples_folder() / "fluid" / "trace_sig.cc")
    app = UnfoldApp(bench, bench.first_registration() or 0, 10**6)
    async with app.run_test(size=(140, 45)):
        scene = app.screen.scene  # type: ignore[attr-defined]
        assert "The argument mapping is in the registry because of it." in scene.summary()
