"""A long text to read: told for the width that there is, and what is cut of it is marked."""

from tests.tui.bare_app import BareApp
from tests.tui.settled import settled
from visualizer.tui.ink.listing import Listing


async def test_a_listing_is_told_only_once_its_width_is_known():
    widths = []

    def tell(width):
        widths.append(width)
        return [[("told", ())]]

    app = BareApp()
    async with app.run_test(size=(80, 24)) as pilot:
        listing = Listing()
        listing.show(tell)
        assert widths == []
        await app.screen.mount(listing)
        await settled(pilot)
        assert set(widths) == {listing.room}
        assert listing.text == "told"


async def test_code_that_is_cut_is_marked_on_both_sides():
    app = BareApp()
    async with app.run_test(size=(40, 10)) as pilot:
        listing = Listing()
        await app.screen.mount(listing)
        await settled(pilot)
        listing.show_code("vaddps " + "ymm0, " * 20 + "last", "assembly")
        row = lambda: "".join(text for text, _ in listing.draw(0))  # noqa: E731
        assert row().endswith("…")
        listing.action_sideways(1)
        assert row().startswith("…")
        assert row().endswith("…")
        listing.action_sideways(100)
        assert row().endswith("last")
        assert len(row()) <= listing.room
