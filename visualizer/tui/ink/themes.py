"""Three themes: the same calm screen on a dark ground and on a light one, and one of high contrast.

Each has eight hues for a macro's parameters, two grounds that lie under what the next step consumes
and under what the last one produced, and a colour each for those two roles. Every hue reads at 4.5:1
or better on all grounds of its theme (WCAG's level AA), and at 7:1 in high contrast (AAA). No colour
is alone in saying anything.
"""

from __future__ import annotations

from textual.theme import Theme

_DARK_HUES = (
    "#79bfff",  # blue
    "#f5a25d",  # orange
    "#9bd88a",  # green
    "#d3b4fb",  # lavender
    "#ff9aa8",  # rose
    "#5fd4d6",  # cyan
    "#e3cc6b",  # yellow
    "#f08ae0",  # magenta
)
_LIGHT_HUES = (
    "#0b55b0",  # blue
    "#934004",  # orange
    "#146430",  # green
    "#6639ba",  # violet
    "#a81835",  # rose
    "#06626a",  # teal
    "#695400",  # olive
    "#9c1790",  # magenta
)
_HIGH_CONTRAST_HUES = (
    "#9fd0ff",  # blue
    "#ffb877",  # orange
    "#a8f59a",  # green
    "#dfc6ff",  # lavender
    "#ffb3c0",  # rose
    "#6df2f4",  # cyan
    "#fbe66f",  # yellow
    "#ffa3f2",  # magenta
)


def _variables(hues: tuple[str, ...], more: dict[str, str]) -> dict[str, str]:
    return {f"hue-{n}": hue for n, hue in enumerate(hues)} | more


DARK = Theme(
    name="unfold-dark",
    primary="#79bfff",
    secondary="#5fd4d6",
    accent="#ffc66b",
    success="#7fd88f",
    warning="#f5a25d",
    error="#ff8088",
    foreground="#d5d9e0",
    background="#14161b",
    surface="#14161b",
    panel="#1e222a",
    dark=True,
    variables=_variables(
        _DARK_HUES,
        {
            "quiet": "#969eae",
            "rule": "#353b47",
            "ground-consumed": "#362c15",
            "ground-produced": "#17301f",
            "ground-here": "#232a38",
            "block-cursor-background": "#232a38",
            "block-cursor-foreground": "#d5d9e0",
            "block-cursor-blurred-background": "#232a38",
            "block-cursor-blurred-foreground": "#d5d9e0",
            "consumed": "#ffc66b",
            "produced": "#7fd88f",
            "border": "#79bfff",
            "footer-background": "#1e222a",
            "footer-key-foreground": "#ffc66b",
            "footer-description-foreground": "#aab1bf",
            "scrollbar": "#3f4654",
            "scrollbar-hover": "#5a6375",
            "scrollbar-active": "#79bfff",
            "scrollbar-background": "#14161b",
            "scrollbar-background-hover": "#14161b",
            "scrollbar-background-active": "#14161b",
        },
    ),
)

LIGHT = Theme(
    name="unfold-light",
    primary="#0b55b0",
    secondary="#06626a",
    accent="#8a4b00",
    success="#146430",
    warning="#934004",
    error="#a81835",
    foreground="#24292f",
    background="#fbfaf7",
    surface="#fbfaf7",
    panel="#eeece6",
    dark=False,
    variables=_variables(
        _LIGHT_HUES,
        {
            "quiet": "#626a75",
            "rule": "#cfccc3",
            "ground-consumed": "#fdecc8",
            "ground-produced": "#ddf3e0",
            "ground-here": "#e8eef8",
            "block-cursor-background": "#e8eef8",
            "block-cursor-foreground": "#24292f",
            "block-cursor-blurred-background": "#e8eef8",
            "block-cursor-blurred-foreground": "#24292f",
            "consumed": "#8a4b00",
            "produced": "#146430",
            "border": "#0b55b0",
            "footer-background": "#eeece6",
            "footer-key-foreground": "#8a4b00",
            "footer-description-foreground": "#4d545e",
            "scrollbar": "#c4c0b6",
            "scrollbar-hover": "#a5a196",
            "scrollbar-active": "#0b55b0",
            "scrollbar-background": "#fbfaf7",
            "scrollbar-background-hover": "#fbfaf7",
            "scrollbar-background-active": "#fbfaf7",
        },
    ),
)

HIGH_CONTRAST = Theme(
    name="unfold-high-contrast",
    primary="#9fd0ff",
    secondary="#6df2f4",
    accent="#ffe14d",
    success="#8dff9e",
    warning="#ffb877",
    error="#ffa0a6",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#101010",
    dark=True,
    variables=_variables(
        _HIGH_CONTRAST_HUES,
        {
            "quiet": "#d0d4dc",
            "rule": "#8f96a3",
            "ground-consumed": "#3a2b00",
            "ground-produced": "#06330f",
            "ground-here": "#0e2749",
            "consumed": "#ffe14d",
            "produced": "#8dff9e",
            "border": "#ffe14d",
            "footer-background": "#101010",
            "footer-key-foreground": "#ffe14d",
            "footer-description-foreground": "#ffffff",
            "scrollbar": "#8f96a3",
            "scrollbar-hover": "#ffffff",
            "scrollbar-active": "#ffe14d",
            "scrollbar-background": "#000000",
            "scrollbar-background-hover": "#000000",
            "scrollbar-background-active": "#000000",
            # Textual mixes these with the ground behind them, and would end up below 7:1.
            "text-error": "#ffa0a6",
            "text-warning": "#ffb877",
            "text-success": "#8dff9e",
            "text-accent": "#ffe14d",
            "text-primary": "#9fd0ff",
            "block-cursor-background": "#0e2749",
            "block-cursor-foreground": "#ffffff",
            "block-cursor-blurred-background": "#0e2749",
            "block-cursor-blurred-foreground": "#ffffff",
            "block-hover-background": "#0e2749",
            "input-selection-background": "#0e2749",
        },
    ),
)

THEMES = {"dark": DARK, "light": LIGHT, "high-contrast": HIGH_CONTRAST}
