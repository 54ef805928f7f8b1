"""What a linker would do: what one text defines, another finds under its name.

Member functions, the two halves of a structured kernel, are declared in one text and defined in
another; a stub is one object, whichever text declares it, defines it or fills it.
"""

from __future__ import annotations

from collections.abc import Iterable

from registry_runtime.aten.call_plan import ShortWays
from registry_runtime.aten.dispatch.dispatcher import Dispatcher
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.libtorch import Fallbacks
from registry_runtime.aten.stub.dispatch_stub import DispatchStub
from registry_runtime.aten.world import World
from registry_runtime.cxx import CxxFunction


def new_world() -> World:
    """A world as libtorch leaves it, before any text runs."""
    warnings: list[str] = []
    dispatcher = Dispatcher(warn=warnings.append)
    world = World(dispatcher, Fallbacks(dispatcher), warnings)
    dispatcher.listeners_.append(ShortWays(world))
    return world


def link(world: World, functions: Iterable[CxxFunction]) -> None:
    """Take member functions that a text defines into the program."""
    for function in functions:
        world.members.setdefault(function.name, []).append(function)
        world.dispatcher.changed()


def unlink(world: World, functions: Iterable[CxxFunction]) -> None:
    """Take them out again."""
    for function in functions:
        standing = world.members[function.name]
        standing[:] = [other for other in standing if other is not function]
        world.dispatcher.changed()


def linked_member(world: World, declared: CxxFunction) -> CxxFunction:
    """The member function that a text only declares, as another of this program defines it: the latest.
    Raises TorchError where none does."""
    for function in reversed(world.members.get(declared.name, ())):
        if function.type == declared.type:
            return function
    raise TorchError(
        f"`{declared.name}` is declared, and no file that is open defines it",
        hint="open the file too that has its body",
    )


def linked_stub(world: World, class_name: str) -> DispatchStub:
    """The stub whose class is called so: `at::native::add_stub_DECLARE_DISPATCH_type`."""
    name = class_name.rpartition("::")[2].removesuffix("_DECLARE_DISPATCH_type")
    if name not in world.stubs:
        world.stubs[name] = DispatchStub(name, world.dispatcher.changed)
    return world.stubs[name]
