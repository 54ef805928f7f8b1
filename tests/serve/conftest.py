import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from visiting import Served

from tests.waiting import PATIENCE


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Served]]:
    """Starts `unfold serve` on a port that is free, with these further arguments."""
    processes = []
    caches = str(tmp_path_factory.mktemp("caches"))

    def start(folder: Path, *arguments: str, temporary: Path | None = None) -> Served:
        temporary = temporary or tmp_path_factory.mktemp("visitors")
        process = subprocess.Popen(
            [sys.executable, "-m", "visualizer", "serve", str(folder), "--port", "0", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"TMPDIR": str(temporary), "XDG_CACHE_HOME": caches},
        )
        processes.append(process)
        assert process.stdout is not None
        said = process.stdout.readline()
        found = re.search(r"(http://[^/ ]+/)(?:\?token=(\S+))?", said)
        assert found, said
        return Served(process, found[1], temporary, found[2])

    yield start
    for process in processes:
        process.terminate()
    for process in processes:
        process.communicate(timeout=PATIENCE)
