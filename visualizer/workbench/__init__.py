"""The workbench: a file is opened on it, with the flags of its compiler, and read into a registry.

`reading` runs what a file expands to (`expanded_text`), until nothing is missing that headers have to
give (`header_declarations`, `header_classes`); what is wrong with it is `told_once`, with the arguments
of a registration that can't be right (`registration_arguments`). `bench` ties the steps to what was
registered, its `entries`. Around them stands what says how a file is read (`opening`,
`compilations`, `wheels`), and `linking` makes one program of several. A Python user's door is this:

>>> program = load(["cpp_samples/phi/bitwise_kernel.cc"])  # doctest: +SKIP
>>> program.call("bitwise_and", x, y)  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench, open_file
    from visualizer.workbench.linking import load, open_files

__all__ = ["Workbench", "load", "open_file", "open_files"]
_ROOMS = {"Workbench": "bench", "open_file": "bench", "load": "linking", "open_files": "linking"}


def __getattr__(name: str) -> Any:
    """A bench reads C++ and fills registries; who only asks where the samples are needs neither."""
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
