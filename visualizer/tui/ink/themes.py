"""Three themes: the same calm screen on a dark ground and on a light one, and one of high contrast.

Their colours are those of pages and pictures too (`layout/colours`); what Textual needs besides stands
here.
"""

from __future__ import annotations

from textual.theme import Theme

from visualizer.layout import colours
from visualizer.layout.words import HUES


def _theme(name: str, ink: dict[str, str], error: str, here: str, **more: str) -> Theme:
    """A theme of these colours: `here` is the ground under the cursor, `more` what isn't as in the
    others, with `_` for `-`."""
    same = ("quiet", "rule", "ground-consumed", "ground-produced", "consumed", "produced")
    return Theme(
        name=f"unfold-{name}",
        primary=ink["link"],
        secondary=ink["h5"],
        accent=ink["accent"],
        success=ink["produced"],
        warning=ink["h1"],
        error=error,
        foreground=ink["text"],
        background=ink["ground"],
        surface=ink["ground"],
        panel=ink["panel"],
        dark=ink is not colours.LIGHT,
        variables={
            **{f"hue-{n}": ink[f"h{n}"] for n in range(HUES)},
            **{role: ink[role] for role in same},
            "ground-here": here,
            "block-cursor-background": here,
            "block-cursor-foreground": ink["text"],
            "block-cursor-blurred-background": here,
            "block-cursor-blurred-foreground": ink["text"],
            "border": ink["link"],
            "footer-background": ink["panel"],
            "footer-key-foreground": ink["accent"],
            "scrollbar-active": ink["link"],
            "scrollbar-background": ink["ground"],
            "scrollbar-background-hover": ink["ground"],
            "scrollbar-background-active": ink["ground"],
            **{variable.replace("_", "-"): colour for variable, colour in more.items()},
        },
    )


DARK = _theme(
    "dark",
    colours.DARK,
    error="#ff8088",
    here="#232a38",
    footer_description_foreground="#aab1bf",
    scrollbar="#3f4654",
    scrollbar_hover="#5a6375",
)
LIGHT = _theme(
    "light",
    colours.LIGHT,
    error="#a81835",
    here="#e8eef8",
    footer_description_foreground="#4d545e",
    scrollbar="#c4c0b6",
    scrollbar_hover="#a5a196",
)
HIGH_CONTRAST = _theme(
    "high-contrast",
    colours.HIGH_CONTRAST,
    error="#ffa0a6",
    here="#0e2749",
    border="#ffe14d",
    footer_description_foreground="#ffffff",
    scrollbar="#8f96a3",
    scrollbar_hover="#ffffff",
    scrollbar_active="#ffe14d",
    # Textual mixes these with the ground behind them, and would end up below 7:1.
    text_error="#ffa0a6",
    text_warning="#ffb877",
    text_success="#8dff9e",
    text_accent="#ffe14d",
    text_primary="#9fd0ff",
    block_hover_background="#0e2749",
    input_selection_background="#0e2749",
)

THEMES = {"dark": DARK, "light": LIGHT, "high-contrast": HIGH_CONTRAST}
