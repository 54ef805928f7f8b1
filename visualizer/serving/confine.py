"""What a visitor's process may open, write and start.

Python tells an audit hook (PEP 578) of every file that is opened, every folder that is listed and
every program that is started, whichever code does it, and the hook can refuse. So one place answers
for all screens, those to come included: a path that a visitor types is refused as the operating system
refuses a file that belongs to somebody else.

Reading is allowed in the folders of `UNFOLD_ROOTS` and in what Python and its libraries consist of.
Writing is allowed in the visitor's own folder. The caches of compiled kernels are shared by all, and
what lies in them is run; there, only the modules that keep them may write, never a "save as".
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from errno import EACCES
from importlib.util import find_spec
from types import FrameType
from typing import Any

from visualizer.expansion.ask_compiler import COMPILERS
from visualizer.expansion.readable import is_below, may_read

# Of the system: what the C library, Python and the numeric libraries look at. Nobody's own files.
_OF_THE_SYSTEM = (
    *("/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/cuda", "/lib", "/lib64", "/opt/cuda"),
    *("/usr/share/zoneinfo", "/usr/share/locale", "/usr/share/terminfo", "/usr/share/mime"),
    *("/etc/localtime", "/etc/mime.types", "/etc/apache2/mime.types", "/etc/os-release"),
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/version", "/proc/loadavg"),
    *("/sys/devices/system", "/sys/fs/cgroup", "/etc/ld.so.cache", "/dev/null", "/dev/urandom"),
)
_OF_ITSELF = ("status", "statm", "stat", "maps", "cgroup", "mountinfo")  # in /proc/self
_CACHE_KEEPERS = ("numba.core.caching", "visualizer.expansion.cache_folder", "cupy.cuda.compiler")
_PROGRAMS = frozenset((*COMPILERS, "ld", "objdump", "ldconfig", "nvidia-smi"))
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

Name = str | bytes | os.PathLike[str] | int | None  # of a file, as the events give it


def confine(visitor: str, caches: Iterable[str]) -> None:
    """From now on, and for good, this process is confined. `visitor` is the one folder to write in,
    `caches` those in which only their keepers may."""
    own = (os.path.realpath(visitor),)
    shared = tuple(map(os.path.realpath, caches))
    itself = [f"/proc/{os.getpid()}/{name}" for name in _OF_ITSELF]
    others = (*_of_python(), *_OF_THE_SYSTEM, *itself)
    readable = (*own, *shared, *map(os.path.realpath, others))

    def read(file: Name, *_: object) -> None:
        path = _path(file)
        if path is not None and not may_read(path) and not is_below(path, readable):
            raise _refused(path)

    def write(file: Name, folder: int = -1) -> None:
        path = _path(file, folder)
        if path is None or path == os.devnull:
            return
        if not is_below(path, own) and not (is_below(path, shared) and _keeps_a_cache()):
            raise _refused(path)

    def opened(file: Name, mode: str | None, flags: int) -> None:
        (write if flags & _WRITING else read)(file)

    def truncated(file: Name, *_: object) -> None:
        write(file)

    def changed(file: Name, *what: Any) -> None:
        write(file, what[-1])  # the folder that the name starts from

    def renamed(file: Name, to: Name, folder: int = -1, to_folder: int = -1) -> None:
        write(file, folder)
        write(to, to_folder)

    def started(program: Name, *_: object) -> None:
        path = os.fsdecode(program) if isinstance(program, str | bytes | os.PathLike) else ""
        known = path == sys.executable or os.path.basename(path) in _PROGRAMS
        if not known or is_below(path, own):
            raise _refused(path)

    checks: dict[str, Callable[..., None]] = {
        "open": opened,
        **dict.fromkeys(("os.listdir", "os.scandir", "os.chdir"), read),
        **dict.fromkeys(("os.remove", "os.rmdir"), write),
        **dict.fromkeys(("os.mkdir", "os.chmod", "os.chown", "os.utime"), changed),
        **dict.fromkeys(("os.truncate", "os.setxattr", "os.removexattr"), truncated),
        "os.rename": renamed,
        **dict.fromkeys(("subprocess.Popen", "os.posix_spawn", "os.exec"), started),
        **dict.fromkeys(("os.link", "os.symlink", "os.system", "os.spawn", "os.fork"), _never),
        **dict.fromkeys(("os.forkpty", "pty.spawn", "os.startfile", "os.chroot"), _never),
    }

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        check = checks.get(event)
        if check is not None:
            check(*arguments)

    sys.addaudithook(hook)


def _of_python() -> Iterable[str]:
    """Where Python, its packages and we ourselves are."""
    yield sys.prefix
    yield from filter(os.path.isabs, sys.path)
    for name in ("visualizer", "registry_runtime"):
        spec = find_spec(name)
        yield from spec.submodule_search_locations or () if spec is not None else ()


def _path(file: Name, folder: int = -1) -> str | None:
    """The path that is meant, absolute; None if it is a file that is open already."""
    if isinstance(file, int):
        return None
    name = os.fsdecode(file) if file is not None else "."
    if folder >= 0 and not os.path.isabs(name):
        name = os.path.join(os.readlink(f"/proc/self/fd/{folder}"), name)
    return os.path.abspath(name)


def _keeps_a_cache() -> bool:
    """Whether it is one of the cache's keepers that writes."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        if frame.f_globals.get("__name__") in _CACHE_KEEPERS:
            return True
        frame = frame.f_back
    return False


def _refused(path: str) -> PermissionError:
    return PermissionError(EACCES, "outside of the served folder", path)


def _never(*_: object) -> None:
    raise PermissionError(EACCES, "not for a visitor")
