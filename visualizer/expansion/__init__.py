"""Preprocessing with every step recorded: C23 §6.10.5 and C++ [cpp.replace], on pcpp.

>>> trace = preprocess("file.cc", Options(include_folders=("include",)))  # doctest: +SKIP
>>> trace.expansions[0].steps[0].macro  # doctest: +SKIP
'PD_REGISTER_KERNEL'

It needs pcpp and the standard library only, and knows no screen and no registry.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from visualizer.expansion.diagnostics import Diagnostic, InputError
    from visualizer.expansion.options import Options
    from visualizer.expansion.preprocessor import preprocess
    from visualizer.expansion.tokens import Token
    from visualizer.expansion.trace import Expansion, Step, Trace

__all__ = [
    "Diagnostic",
    "Expansion",
    "InputError",
    "Options",
    "Step",
    "Token",
    "Trace",
    "preprocess",
]
_HOMES = {
    "Diagnostic": "diagnostics",
    "InputError": "diagnostics",
    "Options": "options",
    "preprocess": "preprocessor",
    "Token": "tokens",
}


def __getattr__(name: str) -> object:
    """What expands is imported when it is asked for: the first picture has no use for it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'trace')}"), name)
