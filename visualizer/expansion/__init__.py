"""Preprocessing with every step recorded: C23 §6.10.5 and C++ [cpp.replace], on pcpp.

>>> trace = preprocess("file.cc", Options(include_folders=("include",)))  # doctest: +SKIP
>>> trace.expansions[0].steps[0].macro  # doctest: +SKIP
'PD_REGISTER_KERNEL'

It needs pcpp and the standard library only, and knows no screen and no registry.
"""

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
