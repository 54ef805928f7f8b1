"""How a key is spelled, wherever one is named: `Ctrl+O`, `Esc`, `F1`, `→`, `?`, `q`."""

from __future__ import annotations

from textual.binding import Binding
from textual.keys import key_to_character

_SIGNS = {
    "enter": "Enter",
    "escape": "Esc",
    "space": "Space",
    "backspace": "Backspace",
    "delete": "Del",
    "tab": "Tab",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "home": "Home",
    "end": "End",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "slash": "/",
}


def sign(key: str) -> str:
    """A key of Textual's, `ctrl+o`, as it stands on a keyboard."""
    *modifiers, name = key.split("+")
    spelled = _SIGNS.get(name) or key_to_character(name) or name.capitalize()
    spelled = spelled.upper() if modifiers and len(spelled) == 1 else spelled
    return "+".join([*(m.capitalize() for m in modifiers), spelled])


def sign_of(binding: Binding) -> str:
    return binding.key_display or sign(binding.key)
