"""What Unfold remembers between runs, and why none of it is trusted.

A cache entry saves time and decides nothing: whoever reads one checks that it still holds, and makes
it anew where it does not. An entry is a line that says what it is, a checksum, and data: text and
numbers, never code. One that is damaged, or was written by another version, reads as absent; so does
one that is whole and has not the shape that its reader `fits` it to. It is written to a file of its own
and then renamed, so that nobody ever sees half of one.
"""

from __future__ import annotations

import os
import sys

try:
    from _blake2 import blake2b  # what hashlib has too, without loading OpenSSL first
except ImportError:  # a Python that builds it otherwise
    from hashlib import blake2b

from visualizer.expansion.readable import read_regular

_FORMAT = b"unfold cache 1\n"
_DIGEST = 16
_KEPT = 100  # entries of a kind; an include set of Paddle's takes less than a megabyte
_LARGEST = 256 << 20  # bytes of one
_PLATFORM: str = sys.platform


def cache_folder() -> str:
    """This user's cache folder for Unfold, by the platform's rules."""
    if _PLATFORM == "linux":  # what platformdirs says there, without importing it
        base = os.environ.get("XDG_CACHE_HOME", "").strip()
        return os.path.join(base or os.path.expanduser("~/.cache"), "unfold")
    from platformdirs import user_cache_dir

    return user_cache_dir("unfold", appauthor=False)


def name_of(*key: str) -> str:
    """A file name for a key."""
    return blake2b("\0".join(key).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def read_entry(name: str) -> bytes | None:
    """The data of an entry, or None if there is none that is whole."""
    try:
        content = read_regular(os.path.join(cache_folder(), name), _LARGEST)
    except OSError:
        return None
    head = len(_FORMAT) + _DIGEST
    data = content[head:]
    expected = _FORMAT + blake2b(data, digest_size=_DIGEST).digest()
    return data if content[:head] == expected else None


def fits(value: object, shape: object) -> bool:
    """Whether a value out of JSON is of a type; a list `[of]` such; a dictionary with these fields, or
    with any, `{...: of}`."""
    if isinstance(shape, type):
        return isinstance(value, shape)
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(each, shape[0]) for each in value)
    assert isinstance(shape, dict)
    if not isinstance(value, dict):
        return False
    if ... in shape:
        return all(fits(each, shape[...]) for each in value.values())
    return all(name in value and fits(value[name], of) for name, of in shape.items())


def write_entry(name: str, data: bytes) -> None:
    """Keep an entry. A cache that cannot be written is no error: the next run is slower, that's all."""
    import tempfile

    folder = cache_folder()
    temporary = None
    try:
        os.makedirs(folder, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=f"{name}.")
        with open(handle, "wb") as file:
            file.write(_FORMAT + blake2b(data, digest_size=_DIGEST).digest() + data)
            file.flush()
        os.replace(temporary, os.path.join(folder, name))
        _keep_newest(folder, name.partition("-")[0])
    except OSError:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)


def _keep_newest(folder: str, kind: str) -> None:
    entries = [e for e in os.scandir(folder) if e.name.startswith(f"{kind}-") and e.is_file()]
    if len(entries) > _KEPT:
        entries.sort(key=lambda entry: entry.stat().st_mtime)
        for entry in entries[: len(entries) - _KEPT // 2]:
            os.unlink(entry)
