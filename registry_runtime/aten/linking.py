"""What a linker would do: what one text defines, another finds under its name.

Member functions that a text defines, the two halves of a structured kernel, take the place of
Python's; a stub is one object, whichever text declares it, defines it or fills it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from registry_runtime.aten.call_plan import ShortWays
from registry_runtime.aten.dispatch.dispatcher import Dispatcher
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.libtorch import Fallbacks
from registry_runtime.aten.stub.dispatch_stub import DispatchStub
from registry_runtime.aten.world import World
from registry_runtime.cxx import CxxError, CxxFunction, unknown_call


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
        world.members.setdefault(_in_class(function), []).append(function)
        world.dispatcher.changed()


def unlink(world: World, functions: Iterable[CxxFunction]) -> None:
    """Take them out again."""
    for function in functions:
        standing = world.members[_in_class(function)]
        standing[:] = [other for other in standing if other is not function]
        world.dispatcher.changed()


def _in_class(function: CxxFunction) -> str:
    return "::".join(function.name.split("::")[-2:])


def linked_member(world: World, this: object, name: str) -> Callable[..., object] | None:
    """The member function of this name for `this`, its class's or the nearest base's, as a text of
    this program defines it; None where none does, or where its body can't be run."""
    for of in type(this).__mro__:
        for function in reversed(world.members.get(f"{of.__name__}::{name}", ())):
            if unknown_call(function, this) is None:
                return partial(run, function.call_on, this)
    return None


def linked_stub(world: World, class_name: str) -> DispatchStub:
    """The stub whose class is called so: `at::native::add_stub_DECLARE_DISPATCH_type`."""
    name = class_name.rpartition("::")[2].removesuffix("_DECLARE_DISPATCH_type")
    if name not in world.stubs:
        world.stubs[name] = DispatchStub(name, world.dispatcher.changed)
    return world.stubs[name]


def run(function: Callable[..., object], *values: object) -> object:
    """Run a body of the text. What a check in it throws, the caller gets as PyTorch's error."""
    try:
        return function(*values)
    except CxxError as error:
        if isinstance(error.__cause__, TorchError):
            raise error.__cause__ from None
        raise TorchError(error.message, hint=error.hint) from error
