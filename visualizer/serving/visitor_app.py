"""The process of one visitor: confined first, then the app as `unfold` alone opens it."""

from __future__ import annotations

import os
import resource

from visualizer.serving.confine import confine
from visualizer.serving.environment import CACHES, VISITOR

MOST_MEMORY = 4 * 2**30  # bytes: a kernel may be tried on any size
_LIMITS = {
    resource.RLIMIT_DATA: MOST_MEMORY,
    resource.RLIMIT_FSIZE: 64 * 2**20,  # bytes in a file
    resource.RLIMIT_CORE: 0,
}


def main() -> int:
    for limited, most in _LIMITS.items():
        _, hard = resource.getrlimit(limited)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limited, (allowed, allowed))
    confine(os.environ[VISITOR], os.environ[CACHES].split(os.pathsep))
    from visualizer.expansion.depth import room_to_nest
    from visualizer.tui.app import UnfoldApp

    with room_to_nest():
        UnfoldApp().run()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
