"""Run by the python of an installed Paddle, alone: what a library or a package registers in its PHI.

Nothing of Unfold's is imported here; the path of this file is all that the other python is given. On
stdin stands JSON: `registry`, the library that lists PHI's maps, and `library`, the one to load, or
`import`, a package to import; of `paddle` itself all is listed. The answer is one line of JSON on
stdout. Whatever else is printed goes to stderr.

Functions that a library calls and nothing defines are looked up when they are called (RTLD_LAZY), which
no kernel is here; a `ctypes.CDLL` would want all of them at once.
"""

import ctypes
import importlib
import json
import os
import sys
import warnings

LAZY_AND_GLOBAL = os.RTLD_LAZY | os.RTLD_GLOBAL


def load(path: str) -> ctypes.CDLL:
    """The library at `path`. Ends the process, saying why, where it can't be loaded."""
    libc = ctypes.CDLL(None)
    libc.dlopen.restype = ctypes.c_void_p
    libc.dlerror.restype = ctypes.c_char_p
    handle = libc.dlopen(path.encode(), LAZY_AND_GLOBAL)
    if not handle:
        sys.exit(f"it can't be loaded: {libc.dlerror().decode()}")
    return ctypes.CDLL(path, handle=handle)


def main() -> None:
    asked = json.load(sys.stdin)
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    import paddle

    registry = load(asked["registry"])
    registry.unfold_list.restype = ctypes.c_char_p
    if asked["import"] != "paddle":
        registry.unfold_empty()
    if asked["library"]:
        load(asked["library"])
    if asked["import"]:
        importlib.import_module(asked["import"])
    entries = json.loads(registry.unfold_list())
    print(json.dumps({"version": paddle.__version__, "entries": entries}), file=answer, flush=True)
    os._exit(0)  # what lies in PHI's maps is of libraries that are about to go


if __name__ == "__main__":
    main()
