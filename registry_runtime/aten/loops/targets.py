"""Compiling one Python function for several instruction sets in one process.

Numba compiles for the processor that it runs on. What decides that are two methods of its code
generator, which name a processor and its features to LLVM; so there is one code generator here for
each capability, with a target of Numba's around it. Plain `x86-64` with AVX2 added to its features
would still be tuned for the old registers, so the levels are LLVM's own: `x86-64-v3` is AVX2 with FMA
and F16C, `x86-64-v4` the AVX-512 that PyTorch asks for. LLVM avoids the 512-bit registers of
processors that slow down from using them, and of this level, unless told otherwise.

The code of each level goes into the cache on disk under the level's name, as Numba's does under the
host's. This module imports Numba and depends on names that Numba keeps private.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from importlib import import_module
from typing import Any

from registry_runtime.aten.stub.cpu_capability import CPUCapability, family
from registry_runtime.kernels import compile_cache
from registry_runtime.kernels.own_numba import numba

_ccallback: Any = import_module("numba.core.ccallback")
_codegen: Any = import_module("numba.core.codegen")
_cpu: Any = import_module("numba.core.cpu")
_registry: Any = import_module("numba.core.registry")

LEVELS = {
    CPUCapability.DEFAULT: ("x86-64", ""),
    CPUCapability.AVX2: ("x86-64-v3", ""),
    CPUCapability.AVX512: ("x86-64-v4", "-prefer-256-bit"),
}


class _LevelCodegen(_codegen.JITCPUCodegen):  # type: ignore[misc]
    level: tuple[str, str]

    def _get_host_cpu_name(self) -> str:
        return self.level[0]

    def _get_host_cpu_features(self) -> str:
        return self.level[1]


@cache
def target(capability: CPUCapability) -> Any:
    """Numba's target for a capability. Elsewhere than on x86 all are the host's own."""
    if family() != "x86":
        return _registry.cpu_target
    codegen = type(f"{capability}Codegen", (_LevelCodegen,), {"level": LEVELS[capability]})

    class LevelContext(_cpu.CPUContext):  # type: ignore[misc]
        def init(self) -> None:
            super().init()
            self._internal_codegen = codegen("numba.exec")

    class LevelTarget(_registry.CPUTarget):  # type: ignore[misc]
        @cached_property
        def _toplevel_target_context(self) -> Any:
            return LevelContext(self.typing_context, self._target_name)

    return LevelTarget("cpu")


class _LevelCFunc(_ccallback.CFunc):  # type: ignore[misc]
    def __init__(self, function: Any, signature: Any, capability: CPUCapability) -> None:
        self._targetdescr = target(capability)
        options = {"nopython": True, "error_model": "numpy", "boundscheck": False}
        super().__init__(function, (signature.args, signature.return_type), {}, options)

    def assembly(self) -> str:
        return str(self._library.get_asm_str())


def compiled(
    function: Callable[..., Any], signature: Any, capability: CPUCapability, *, cached: bool = True
) -> Any:
    """`function` as machine code with a C function's address. Call it under a lock."""

    def decorator(cache: bool) -> Callable[[Callable[..., Any]], Any]:
        def compile(function: Callable[..., Any]) -> Any:
            made = _LevelCFunc(function, signature, capability)
            if cache:
                made.enable_caching()
            made.compile()
            return made

        return compile

    return compile_cache.compiled(decorator, function) if cached else decorator(False)(function)


types: Any = numba.types
