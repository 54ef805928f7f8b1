"""From a key to the picture: what a step costs while a whole registration is stepped through."""

from tests.tui.answering import is_at_once
from visualizer.tui.app import UnfoldApp


async def test_a_key_is_answered_at_once(bitwise):
    """From the source line to the expanded one."""
    assert await is_at_once(
        lambda: UnfoldApp(bitwise, 3), "right", len(bitwise.timeline(3).moments)
    )
