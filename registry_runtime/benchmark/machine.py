"""What was measured on: numbers without it mean nothing, and two machines can't be compared."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from registry_runtime.benchmark import threads
from registry_runtime.benchmark.peers import Library
from registry_runtime.kernels import device


@dataclass(frozen=True)
class Machine:
    """The processor, or the GPU, that the kernels ran on, and the versions of all that took part."""

    device: str
    cores: int
    threads: int
    system: str
    versions: dict[str, str]


def this_machine(backend: str, thread_count: int, libraries: Iterable[Library]) -> Machine:
    versions = {"python": platform.python_version()}
    for package in ("unfold", "numpy", "numba"):
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue  # a source tree that was never installed
    versions |= {library.name: library.version for library in libraries}
    return Machine(
        device=_gpu() if backend == "GPU" else _processor(),
        cores=threads.cores(),
        threads=thread_count,
        system=f"{platform.system()} {platform.machine()}",
        versions=versions,
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _gpu() -> str:
    properties = device.cupy().cuda.runtime.getDeviceProperties(0)
    name: str = properties["name"].decode()
    return name
