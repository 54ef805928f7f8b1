"""The workbench: a file is opened on it, with the flags of its compiler, and read into a registry.

`bench` ties the trace to the registry, through the expanded text (`expanded_text`); what is registered
are `entries`, what is wrong is `told_once`. Around it stand what says how a file is read (`opening`,
`compilations`, `wheels`), what headers have to give (`header_declarations`, `header_classes`), and the
program that a file is linked into (`linking`). For a Python user this is the one door:

>>> program = load(["cpp_samples/phi/bitwise_kernel.cc"])  # doctest: +SKIP
>>> program.call("bitwise_and", x, y)  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench, load, open_file, open_files

__all__ = ["Workbench", "load", "open_file", "open_files"]


def __getattr__(name: str) -> Any:
    """A bench reads C++ and fills registries; who only asks where the samples are needs neither."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("visualizer.workbench.bench"), name)
