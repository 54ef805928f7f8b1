"""The process that `apart` starts: it brings the kernels, then runs the command's words.

    python -P -m visualizer.commands.apart_main ASKED     JSON: words, seconds, and files with digests

Whatever a kernel's file raises is one line of stderr, at the file's own line.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from visualizer.commands import apart
from visualizer.commands.reporting import complain
from visualizer.expansion.source_files import display_path
from visualizer.workbench.python_apart import watch_this


def main(asked: dict[str, Any]) -> int:
    apart.is_apart = True
    watch_this(asked["seconds"])
    from registry_runtime.kernels.brought import KernelFileError, error_at

    paths = [Path(path) for path, _ in asked["kernels"]]
    try:
        for path, digest in asked["kernels"]:
            _bring(Path(path), digest)
        from visualizer.commands.command_line import run_words

        return run_words(asked["words"])
    except KernelFileError as error:
        return apart.complain_of(error)
    except (
        Exception
    ) as error:  # what a kernel's file gave back, and something of ours stumbled over
        for path in paths:
            if (told := error_at(path, error)) is not None:
                return apart.complain_of(told)
        where = ", ".join(str(display_path(path)) for path in paths)
        return complain(f"{where}: {type(error).__name__}: {error}")


def _bring(path: Path, digest: str) -> None:
    from registry_runtime.kernels.brought import KernelFileError, bring
    from visualizer.personal import consent

    text = path.read_bytes()
    if consent.digest(text) != digest:
        raise KernelFileError(path, 1, 1, "it has changed since it was allowed to run")
    bring(path, text)


if __name__ == "__main__":
    code = main(json.loads(sys.argv[1]))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # whatever threads a kernel's file has left
