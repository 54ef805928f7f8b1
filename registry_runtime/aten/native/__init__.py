"""Python stands in here for the bodies of C++ functions: PyTorch's own, and those torchgen writes.

`find` looks one up by the C++ function's qualified name. What a function reaches through a global
object in C++, a stub, it reaches through its world.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registry_runtime.aten.native import assert_async, register_add
from registry_runtime.aten.world import World

Kernel = Callable[..., Any]


def find(qualified_name: str, world: World) -> Kernel | None:
    """The Python function for this C++ function, bound to `world`; None where nobody wrote one."""
    if qualified_name == "at::native::_assert_async_cpu":
        return assert_async._assert_async_cpu
    return register_add.find(qualified_name.replace("(anonymous namespace)::", ""), world)
