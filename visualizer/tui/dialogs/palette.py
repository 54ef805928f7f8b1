"""Textual's command palette, in a window without a row for its commands too: to go through them a page
at a time it looks up where the one that is marked is drawn, and falls where none is."""

from __future__ import annotations

from textual.command import CommandList, CommandPalette


class Palette(CommandPalette):
    def _action_command_list(self, action: str) -> None:
        if self.query_one(CommandList).scrollable_content_region:
            super()._action_command_list(action)
