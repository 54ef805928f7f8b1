"""The colours of pages and pictures, on a light ground and on a dark one; each reads on its grounds
at 4.5:1 or better. No colour is alone in saying anything."""

from __future__ import annotations

from visualizer.layout.words import HUES

_NAMES = (
    *("ground", "panel", "text", "quiet", "rule", "accent", "link", "consumed"),
    *("ground-consumed", "produced", "ground-produced", *(f"h{n}" for n in range(HUES))),
)
_LIGHT = "#fbfaf7 #eeece6 #24292f #626a75 #cfccc3 #8a4b00 #0b55b0 #8a4b00 #fdecc8 #146430 #ddf3e0"
_LIGHT += " #0b55b0 #934004 #146430 #6639ba #a81835 #06626a #695400 #9c1790"
_DARK = "#14161b #1e222a #d5d9e0 #969eae #353b47 #ffc66b #79bfff #ffc66b #362c15 #7fd88f #17301f"
_DARK += " #79bfff #f5a25d #9bd88a #d3b4fb #ff9aa8 #5fd4d6 #e3cc6b #f08ae0"

LIGHT = dict(zip(_NAMES, _LIGHT.split(), strict=True))
DARK = dict(zip(_NAMES, _DARK.split(), strict=True))
