"""The keys of the stepper. The help screen, the footer and the command palette are read off them."""

from __future__ import annotations

from textual.binding import Binding

_STEP = Binding.Group("step", compact=True)
_OVER = Binding.Group("over", compact=True)
_FILE = Binding.Group("invocation")
_STEPS = "One step back, one step on"
_OVERS = "Back over and over a whole invocation"
_ENDS = "The source line, the fully expanded line"
_BIRTHS = "Previous and next entry of the registry (★)"
_NEIGHBOURS = "Previous and next invocation in the file"
_BREAKS = "Run back and on to a breakpoint, through all invocations"
_LIVES = "Of the token that is followed: where it came into being, where it is used up"
_TABS = "Go to a pane: its tab shows its key"


def _hidden(keys: str, action: str, description: str, tooltip: str) -> Binding:
    return Binding(keys, action, description, tooltip=tooltip, show=False)


KEYS = [
    Binding("left", "go_back", "back", tooltip=_STEPS, group=_STEP),
    Binding("right", "go_on", "step", tooltip=_STEPS, group=_STEP),
    Binding("up", "back_over", "back over", tooltip=_OVERS, group=_OVER),
    Binding("down", "over", "over", tooltip=_OVERS, group=_OVER),
    _hidden("o", "out", "out", "Out of the invocation around the next step"),
    _hidden("home", "first", "first", _ENDS),
    _hidden("end", "last", "last", _ENDS),
    Binding("p", "invocation(-1)", "previous", tooltip=_NEIGHBOURS, group=_FILE),
    Binding("n", "invocation(1)", "next", tooltip=_NEIGHBOURS, group=_FILE),
    _hidden("left_square_bracket", "birth(-1)", "before", _BIRTHS),
    _hidden("right_square_bracket", "birth(1)", "after", _BIRTHS),
    _hidden("j", "jump", "jump", "Go to a step by its number"),
    _hidden("backspace", "run_to(-1)", "run back", _BREAKS),
    _hidden("space", "run_to(1)", "run on", _BREAKS),
    _hidden("k", "breakpoints", "breakpoints", "Where to stop: macros and events"),
    _hidden("f", "fold", "fold", "Every step, what makes declarations, some levels, my own macros"),
    _hidden("x", "hide", "hide", "Macros that are not to be seen"),
    _hidden("slash", "search", "search", "Search the tokens of this expansion"),
    _hidden("i", "follow", "follow", "Follow a token to its origin: the arrows choose it"),
    _hidden("escape", "let_go", "let go", "End what you are in: following a token, an edited text"),
    _hidden("comma", "birth_of_followed", "its origin", _LIVES),
    _hidden("full_stop", "end_of_followed", "its end", _LIVES),
    Binding("c", "turn_card", "card", tooltip="Turn the card: what comes next, what happened"),
    Binding("r", "run", "run", tooltip="Run the selected kernel beside NumPy"),
    _hidden("b", "benchmark", "bench", "Measure the selected kernel"),
    _hidden("enter", "entry", "entry", "All about the selected entry"),
    Binding("w", "workshop", "edit", tooltip="Edit the file, and see at once what becomes of it"),
    Binding(
        "m", "migrate", "migrate", tooltip="Fluid's operators of this file beside their PHI form"
    ),
    Binding("s", "share", "share", tooltip="Copy or save what is on the screen"),
    _hidden("d", "compare", "compare", "Beside it: other compilations, Microsoft's preprocessor"),
    _hidden("v", "directives", "conditionals", "Conditionals and includes of the file"),
    _hidden("z", "wrap_source", "wrap", "Wrap the source lines that are too long, or cut them"),
    _hidden("l", "reload", "reload", "Read the file again, as it is now"),
    _hidden("e", "diagnostics", "errors", "What is wrong with this file"),
    _hidden("1", "tab('line')", "line", _TABS),
    _hidden("2", "tab('source')", "source", _TABS),
    _hidden("3", "tab('registry')", "registry", _TABS),
    _hidden("4", "tab('tree')", "tree", _TABS),
]
