"""The keys of the stepper. The help screen, the footer and the command palette are read off them.

While a token is followed, the arrows choose another one and step nowhere: then they are other keys. A
key that has nothing to do in a text or a place says why; where that is all it does, it is told nowhere.
"""

from __future__ import annotations

from textual.binding import Binding

_STEP = Binding.Group("step", compact=True)
_OVER = Binding.Group("over", compact=True)
_TOKEN = Binding.Group("token", compact=True)
_FILE = Binding.Group("invocation")
_STEPS = "One step back, one step on"
_TOKENS = "The token beside it, above it, below it: that one is followed instead"
_OVERS = "Back over and over a whole invocation"
_ENDS = "The source line, the fully expanded line"
_BIRTHS = "Previous and next entry of the registry (★)"
_NEIGHBOURS = "Previous and next invocation in the file"
_BREAKS = "Run back and on to a breakpoint, through all invocations"
_LIVES = "Of the token that is followed: where it came into being, where it is used up"
_ENDED = "End what you are in: following a token, an included text, an edited one"
_INCLUDED = "Into a text that is included (#include), or this one as it is read another time"


def _hidden(keys: str, action: str, description: str, tooltip: str) -> Binding:
    return Binding(keys, action, description, tooltip=tooltip, show=False)


# Where a text leads on to others; a screen that has another use for the key has these as well.
INCLUDED = [
    Binding("g", "included", "#include", tooltip=_INCLUDED),
    Binding("g", "passes", "passes", tooltip=_INCLUDED),
    _hidden("g", "headers", "into a header", _INCLUDED),
]
KEYS = [
    Binding("left", "go_back", "one step back", tooltip=_STEPS, group=_STEP),
    Binding("right", "go_on", "one step on", tooltip=_STEPS, group=_STEP),
    Binding("up", "back_over", "back over an invocation", tooltip=_OVERS, group=_OVER),
    Binding("down", "over", "over an invocation", tooltip=_OVERS, group=_OVER),
    Binding("left", "beside(-1)", "token before", tooltip=_TOKENS, group=_TOKEN),
    Binding("right", "beside(1)", "token behind", tooltip=_TOKENS, group=_TOKEN),
    Binding("up", "row(-1)", "token above", tooltip=_TOKENS, group=_TOKEN),
    Binding("down", "row(1)", "token below", tooltip=_TOKENS, group=_TOKEN),
    Binding("comma", "birth_of_followed", "its origin", tooltip=_LIVES),
    Binding("full_stop", "end_of_followed", "its end", tooltip=_LIVES),
    Binding("escape", "let_go", "let go", tooltip=_ENDED),
    Binding("escape", "close_picture", "close the picture", tooltip=_ENDED),
    Binding("escape", "stop_reading", "read no more", tooltip=_ENDED),
    Binding("escape", "close_line", "the steps", tooltip=_ENDED),
    Binding("escape", "leave", "back", tooltip=_ENDED),
    Binding("escape", "back_to_workshop", "edit on", tooltip=_ENDED),
    _hidden("escape", "nothing_to_end", "", ""),
    _hidden("comma,full_stop", "nothing_followed", "its origin, its end", _LIVES),
    _hidden("o", "out", "out", "Out of the invocation around the next step"),
    _hidden("home", "first", "the source line", _ENDS),
    _hidden("end", "last", "the expanded line", _ENDS),
    Binding("p", "invocation(-1)", "previous invocation", tooltip=_NEIGHBOURS, group=_FILE),
    Binding("n", "invocation(1)", "next invocation", tooltip=_NEIGHBOURS, group=_FILE),
    _hidden("left_square_bracket", "birth(-1)", "previous entry", _BIRTHS),
    _hidden("right_square_bracket", "birth(1)", "next entry", _BIRTHS),
    _hidden("j", "jump", "jump", "Go to a step by its number"),
    _hidden("backspace", "run_to(-1)", "run back to a breakpoint", _BREAKS),
    _hidden("space", "run_to(1)", "run on to a breakpoint", _BREAKS),
    _hidden("k", "breakpoints", "breakpoints", "Where to stop: macros and events"),
    _hidden("f", "fold", "fold", "Every step, what makes declarations, some levels, my own macros"),
    _hidden("x", "hide", "hide", "Macros that are not to be seen"),
    _hidden("slash", "search", "search", "Search the tokens of this expansion"),
    _hidden("i", "follow", "follow", "Follow a token to its origin: the arrows choose it"),
    _hidden(
        "u", "unabridged", "unabridged", "Unabridged: what is cut below the card and in it (u ▾)"
    ),
    *INCLUDED,
    Binding("c", "turn_card", "card", tooltip="Turn the card: what comes next, what happened"),
    _hidden("P", "picture", "picture", "Pictures of what the macros do together, if there are any"),
    Binding("r", "run", "run", tooltip="Run the selected kernel beside NumPy"),
    _hidden("b", "benchmark", "bench", "Measure the selected kernel"),
    _hidden("enter", "entry", "entry", "All about the selected entry"),
    _hidden("V", "verify", "verify", "Is it so? Compile the file, and compare what it registers"),
    Binding("w", "workshop", "edit", tooltip="Edit the file, and see at once what becomes of it"),
    Binding(
        "m", "migrate", "migrate", tooltip="Fluid's operators of this file beside their PHI form"
    ),
    Binding("s", "share", "share", tooltip="Copy or save what is on the screen"),
    Binding("E", "editor", "$EDITOR", tooltip="This line in your own editor: VISUAL or EDITOR"),
    _hidden("d", "compare", "compare", "Beside it: other compilations, Microsoft's preprocessor"),
    _hidden(
        "v",
        "directives",
        "conditionals",
        "Conditionals and includes, at every depth: Enter goes there",
    ),
    _hidden("z", "wrap_source", "wrap", "Wrap the source lines that are too long, or cut them"),
    _hidden("l", "reload", "reload", "Read the file again, as it is now"),
    _hidden("e", "diagnostics", "errors", "What is wrong with this file"),
    _hidden("left,right,up,down,p,n,c,s", "nowhere", "", ""),
    _hidden("m", "nothing_to_migrate", "", ""),
    _hidden("r,b,enter,left_square_bracket,right_square_bracket,3", "nothing_registered", "", ""),
    _hidden("1", "tab('line')", "pane: line", "To the line"),
    _hidden("2", "tab('source')", "pane: source", "To the source"),
    _hidden("3", "tab('registry')", "pane: registry", "To the registry"),
    _hidden("4", "tab('tree')", "pane: tree", "To the tree of all steps"),
]
