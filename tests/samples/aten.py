"""PyTorch's samples, and the ways in which each is compiled."""

from __future__ import annotations

from pathlib import Path

from visualizer.expansion import Options
from visualizer.expansion.compile_commands import compilations
from visualizer.workbench.samples import samples_folder

SAMPLES = samples_folder() / "aten"
FILES = sorted(SAMPLES.glob("*.cc"))
HEADERS = sorted(SAMPLES.glob("*.h"))
COMPILERS = {"g++": "gcc", "clang++": "clang"}  # with the name that `--cc` has for each

_HEADERS = (
    "array",
    "cmath",
    "cstdint",
    "functional",
    "optional",
    "string",
    "type_traits",
    "vector",
)
# The samples include no system header; what they take from the standard library comes from here.
STANDARD_LIBRARY = tuple(flag for name in _HEADERS for flag in ("-include", name))
CAPABILITIES = {
    "DEFAULT": (),
    "AVX512": ("-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512dq", "-mfma"),
    "AVX2": ("-mavx2", "-mfma", "-mf16c"),
}
OTHER_DEVICES = {
    "HIP": ("-D__HIPCC__",),
    "MPS": ("-D__OBJC__", "-DUSE_MPS"),
}


def flags(options: Options) -> tuple[str, ...]:
    """A compilation's macros, as a compiler takes them, with what its processor needs."""
    given = dict(name.split("=") for _, name in options.macros if "=" in name)
    return (
        f"-std={options.std}",
        *(f"-{letter}{text}" for letter, text in options.macros),
        *CAPABILITIES.get(given.get("CPU_CAPABILITY", ""), ()),
    )


def _ways() -> dict[str, tuple[Path, tuple[str, ...]]]:
    ways = {}
    for file in FILES:
        for n, compilation in enumerate(compilations(SAMPLES, file)):
            ways[f"{file.stem} {n}" if n else file.stem] = (file, flags(compilation.options))
    cuda = SAMPLES / "ufunc_add_cuda.cc"
    return ways | {d: (cuda, ("-std=c++20", *f)) for d, f in OTHER_DEVICES.items()}


WAYS = _ways()
"""By a name: a sample, and the compiler's flags for it, each time that the database has it."""
