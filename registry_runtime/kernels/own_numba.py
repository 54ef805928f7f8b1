"""Numba, taking orders from the environment and from us, and from no file.

Numba reads `.numba_config.yaml` in the working folder, when it is imported and whenever a `NUMBA_`
variable has changed. Such a file names the folder whose index Numba unpickles, or a driver library
that it loads: in a stranger's folder it would run a stranger's code. Numba can read it only where it
finds PyYAML as it is imported, so it is imported here, without. Every module of ours takes `numba`
from this one (ruff refuses another import). This module imports Numba.
"""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from types import ModuleType
from typing import Any


def _without_its_file() -> ModuleType:
    yaml = sys.modules.get("yaml")
    sys.modules["yaml"] = None  # type: ignore[assignment]  # "import yaml" raises ImportError
    try:
        with warnings.catch_warnings():
            # It says that it finds its file and can't read it.
            warnings.filterwarnings("ignore", "A Numba config file is found")
            config: Any = import_module("numba.core.config")
    finally:
        del sys.modules["yaml"]
        if yaml is not None:
            sys.modules["yaml"] = yaml
    config._config_fname = ""  # no file is called so
    return import_module("numba")


# Any, as its type stubs leave out some of its public names.
numba: Any = _without_its_file()

__all__ = ["numba"]
