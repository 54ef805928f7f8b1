"""The build that files are compiled in, as far as their program has to know of it.

Paddle's registry is compiled with the same `-D` as the files that register in it: a build for CUDA, or
for HIP, takes `KPS` for `GPU`, and a library's kernel where the GPU's own is asked for.

Source: `paddle/phi/core/kernel_factory.cc`, `paddle/phi/common/backend.h`.
"""

from __future__ import annotations

from registry_runtime.program import Program

_FOR_A_GPU = {"PADDLE_WITH_CUDA", "PADDLE_WITH_HIP"}


def program_with(macros: tuple[tuple[str, str], ...]) -> Program:
    """An empty program of a build with these `-D` and `-U`, of which the last of a name counts."""
    defined = {text.partition("=")[0].partition("(")[0]: letter == "D" for letter, text in macros}
    return Program(with_cuda=any(defined.get(name) for name in _FOR_A_GPU))
