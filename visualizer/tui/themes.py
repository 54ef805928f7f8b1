"""Two themes: the same calm screen on a dark ground and on a light one.

Each has eight hues for a macro's parameters, two grounds that lie under what the next step consumes
and under what the last one produced, and a colour each for those two roles. Every hue reads at 4.5:1
or better on all grounds of its theme. No colour is alone in saying anything.
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
