"""One world of PyTorch: what in a process are its singletons.

A C++ program has one dispatcher and one object for each stub, and whoever names them gets the same.
Here each opened program has a world of its own, so that what one registers the other doesn't see. A
world is plain data: who fills it stands above it, in `linking` and in `library`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatcher import Dispatcher
from registry_runtime.aten.library.libtorch import Fallbacks
from registry_runtime.aten.stub.dispatch_stub import DispatchStub
from registry_runtime.aten.stub.stub_choice import StubChoice
from registry_runtime.cxx import CxxFunction
from registry_runtime.diagnostic import Diagnostic


@dataclass(eq=False, slots=True)
class World:
    """`dispatcher` holds operators, `fallbacks` those that libtorch brings, `stubs` the stubs by
    name.

    `warnings` are what PyTorch would have printed. `allow_list` is what a selective build keeps: a
    library for another key registers nothing. None keeps every key.
    """

    dispatcher: Dispatcher
    fallbacks: Fallbacks
    warnings: list[str]
    allow_list: Collection[DispatchKey] | None = None
    # Member functions that texts define, by full name: `at::meta::structured_add_Tensor::meta`, the
    # latest last.
    members: dict[str, list[CxxFunction]] = field(default_factory=dict)
    # What there is to say of the text that runs, and which headers it misses.
    said: list[Diagnostic] = field(default_factory=list)
    missing_headers: Sequence[str] = ()
    stubs: dict[str, DispatchStub] = field(default_factory=dict)
    # What texts put into each slot of a stub, the latest last.
    filled: dict[tuple[str, str], list[Any]] = field(default_factory=dict)
    # Whoever wants to hear of each stub that is called.
    stub_stories: list[list[StubChoice]] = field(default_factory=list)
