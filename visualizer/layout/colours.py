"""The colours of screens, pages and pictures: on a dark ground, on a light one, and of high contrast.

There are eight hues for a macro's parameters, two grounds that lie under what the next step consumes
and under what the last one produced, and a colour each for those two roles. Every colour reads at 4.5:1
or better on all its grounds (WCAG's level AA), and at 7:1 in high contrast (AAA). None is alone in
saying anything.
"""

from __future__ import annotations

from visualizer.layout.words import HUES

_NAMES = (
    *("ground", "panel", "text", "quiet", "rule", "accent", "link", "consumed"),
    *("ground-consumed", "produced", "ground-produced", *(f"h{n}" for n in range(HUES))),
)


def _colours(colours: str) -> dict[str, str]:
    return dict(zip(_NAMES, colours.split(), strict=True))


# The hues, in the last rows, are blue, orange, green, violet; rose, cyan, yellow, magenta.
DARK = _colours("""
    #14161b #1e222a #d5d9e0 #969eae #353b47 #ffc66b #79bfff #ffc66b #362c15 #7fd88f #17301f
    #79bfff #f5a25d #9bd88a #d3b4fb
    #ff9aa8 #5fd4d6 #e3cc6b #f08ae0""")
LIGHT = _colours("""
    #fbfaf7 #eeece6 #24292f #626a75 #cfccc3 #8a4b00 #0b55b0 #8a4b00 #fdecc8 #146430 #ddf3e0
    #0b55b0 #934004 #146430 #6639ba
    #a81835 #06626a #695400 #9c1790""")
HIGH_CONTRAST = _colours("""
    #000000 #101010 #ffffff #d0d4dc #8f96a3 #ffe14d #9fd0ff #ffe14d #3a2b00 #8dff9e #06330f
    #9fd0ff #ffb877 #a8f59a #dfc6ff
    #ffb3c0 #6df2f4 #fbe66f #ffa3f2""")
