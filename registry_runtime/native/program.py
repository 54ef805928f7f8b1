"""A text that registers kernels with PHI, made into a program that runs one of them.

With the samples' headers, `phi/runtime.h` stands in front of it and implements what those declare, and
`phi/call.h` behind it, with `main`. With an installed Paddle's it stands alone, and is linked with
Paddle's libraries and with `paddle/main.cc`, which is compiled once. The text itself is compiled as it
is, with its file's flags and `-g`, and its lines keep their numbers. What was made is kept by its
contents: the compiler, the words, the text, every header that the text reads, and which libraries.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from registry_runtime.native import private_cache
from registry_runtime.native.compiler import PLAIN, compile_with

_HERE = Path(__file__).parent
_KEPT = 60  # programs; one takes some hundred KB
_ALWAYS = (*PLAIN, "-x", "c++", "-w", "-ffunction-sections", "-fno-pie")
_LINKED = ("-no-pie", "-Wl,--gc-sections")
_UNCLUTTERED = ("-fno-asynchronous-unwind-tables",)
_FAST = ("-O3",)
_SANITIZED = (
    *("-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
    *("-fno-omit-frame-pointer", "-DUNFOLD_SANITIZED"),
)


@dataclass(frozen=True)
class Runtime:
    """What makes a program of a text: what stands `before` it and `behind` it, or is compiled `apart`,
    files of this folder; and the libraries that it is linked with, those of `spare` where it calls
    one of their functions."""

    before: str = ""
    behind: str = ""
    apart: str = ""
    libraries: tuple[str, ...] = ()
    spare: tuple[str, ...] = ()


OF_SAMPLES = Runtime("phi/runtime.h", "phi/call.h")


def of_paddle(folder: Path) -> Runtime:
    """That of the Paddle whose package `paddle` this folder is. Raises FileNotFoundError for one that
    brings no libraries, as a checkout.

    `PADDLE_USE_OPENBLAS` has a text call BLAS itself, where Paddle built with MKL loads that library
    as it runs: so it is linked with it, where something calls it.
    """

    def brought(*names: str) -> tuple[str, ...]:
        libraries = (folder / "libs" / f"{name}.so" for name in names)
        return tuple(str(library) for library in libraries if library.is_file())

    found = brought("libphi", "libphi_core", "libcommon")
    if not found:
        raise FileNotFoundError(f"{folder} has no libraries to link with: name an installed Paddle")
    return Runtime(apart="paddle/main.cc", libraries=found, spare=brought("libmklml_intel"))


GIVEN = {"phi::funcs::ElementwiseCompute": "-DUNFOLD_ELEMENTWISE"}  # and what brings each


@dataclass(frozen=True)
class Source:
    """A text with its file's name and flags. `reads` are the headers' contents, `headers` the folder of
    the samples' `phi.h`, if that is among them; `compiler` an absolute path. `gives` names functions
    that the text only declares, and that `phi/call.h` has: keys of `GIVEN`."""

    text: bytes
    path: str
    compiler: str
    words: tuple[str, ...]
    headers: str
    reads: tuple[bytes, ...] = ()
    runtime: Runtime = OF_SAMPLES
    gives: tuple[str, ...] = ()


@dataclass(frozen=True)
class Program:
    """What was compiled: run it with `call.run`. `from_cache` where nothing had to be."""

    path: Path
    source: Source
    sanitized: bool
    from_cache: bool
    how: tuple[str, ...]

    @property
    def compiled_by(self) -> str:
        """`g++ -O3`, and what else decides how fast it is."""
        words = (*self.how, *self.source.words)
        flags = [word for word in words if word[:2] in ("-O", "-m", "-f", "-s")]
        return " ".join([Path(self.source.compiler).name, *dict.fromkeys(flags)])


def program_of(
    source: Source,
    kernel: str,
    sanitize: bool = False,
    optimise: bool = True,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Program:
    """The program that runs the C++ function `kernel`, `phi::SoftmaxKernel`, of this text. Raises
    CompilerFailed, OSError."""
    how = _SANITIZED if sanitize else _FAST if optimise else ("-O0",)
    runtime, objects = source.runtime, []
    watch = (progress, cancelled)
    if runtime.apart:
        words = [*source.words, *_ALWAYS, *how, "-c"]
        text = f'#include "{_HERE / runtime.apart}"\n'.encode()
        object, _ = _made_once(source, words, text, (), watch)
        objects = [str(object)]
    words, linked = _words(source, kernel, how), _linked(runtime, objects)
    path, from_cache = _made_once(
        source, words, _whole(source), source.reads, watch, ("-g",), linked
    )
    return Program(path, source, sanitize, from_cache, how)


def _made_once(
    source: Source,
    words: Sequence[str],
    text: bytes,
    reads: Iterable[bytes],
    watch: tuple[Callable[[float], None] | None, Callable[[], bool] | None],
    before: tuple[str, ...] = (),
    behind: tuple[str, ...] = (),
) -> tuple[Path, bool]:
    """What the compiler makes of a text, and whether it was there already. Raises as `program_of`."""
    own = (path.read_bytes() for path in sorted(_HERE.rglob("*")) if path.suffix in (".h", ".cc"))
    tools = map(_identity, (source.compiler, *source.runtime.libraries, *source.runtime.spare))
    name = _digest(*tools, "\0".join(words).encode(), text, *reads, *own)
    kept = private_cache.trusted(private_cache.folder("native")) or _until_we_end()
    made = kept / name
    if made.is_file():
        with contextlib.suppress(OSError):
            os.utime(made)
        return made, True
    with tempfile.TemporaryDirectory(prefix="unfold-", dir=kept) as beside:
        command = [source.compiler, *words, *before, "-", "-o", "made", *behind]
        compile_with(command, text, Path(beside), source.path, *watch)
        os.replace(Path(beside, "made"), made)  # two at once make the same
    _keep_newest(kept)
    return made, False


def assembly_of(
    source: Source, kernel: str, progress: Callable[[float], None] | None = None
) -> str:
    """What the compiler makes of the text, to be read. Raises as `program_of`."""
    with tempfile.TemporaryDirectory(prefix="unfold-") as beside:
        words = [*_words(source, kernel, _FAST), "-S", "-", "-o", "made", *_UNCLUTTERED]
        command = [source.compiler, *words]
        compile_with(command, _whole(source), Path(beside), source.path, progress)
        return Path(beside, "made").read_text(errors="replace")


def _words(source: Source, kernel: str, how: tuple[str, ...]) -> list[str]:
    wanted = () if source.runtime.apart else (f'-DUNFOLD_KERNEL="{kernel}"',)
    given = (GIVEN[name] for name in source.gives)
    quoted = ("-iquote", source.headers) if source.headers else ()
    return [*source.words, *_ALWAYS, *how, *quoted, *wanted, *given]


def _linked(runtime: Runtime, objects: Sequence[str]) -> tuple[str, ...]:
    folders = dict.fromkeys(os.path.dirname(library) for library in runtime.libraries)
    found = [f"-Wl,-rpath,{folder}" for folder in folders]
    spare = ("-Wl,--as-needed", *runtime.spare) if runtime.spare else ()
    return (*_LINKED, "-x", "none", *objects, *runtime.libraries, *spare, *found)


def _whole(source: Source) -> bytes:
    """The text between ours, its lines numbered as in its file."""
    path = source.path.replace("\\", "\\\\").replace('"', '\\"')
    before, behind = source.runtime.before, source.runtime.behind
    first = f'#include "{_HERE / before}"\n' if before else ""
    last = f'\n# 1 "unfold"\n#include "{_HERE / behind}"\n' if behind else ""
    return f'{first}# 1 "{path}"\n'.encode() + source.text + last.encode()


def _identity(compiler: str) -> bytes:
    real = os.path.realpath(compiler)
    about = os.stat(real)
    return f"{compiler}\0{real}\0{about.st_mtime_ns}\0{about.st_size}".encode()


def _digest(*parts: bytes) -> str:
    whole = blake2b(digest_size=20)
    for part in parts:
        whole.update(len(part).to_bytes(8, "little"))
        whole.update(part)
    return whole.hexdigest()


_OWN: list[tempfile.TemporaryDirectory[str]] = []


def _until_we_end() -> Path:
    """Where there is no cache: a folder that goes with this process."""
    if not _OWN:
        _OWN.append(tempfile.TemporaryDirectory(prefix="unfold-"))
    return Path(_OWN[0].name)


def _keep_newest(kept: Path) -> None:
    def files() -> Iterable[tuple[float, Path]]:
        for path in kept.iterdir():
            with contextlib.suppress(OSError):
                if path.is_file():
                    yield path.stat().st_mtime, path

    for _, path in sorted(files())[:-_KEPT]:
        with contextlib.suppress(OSError):
            path.unlink()
