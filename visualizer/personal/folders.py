"""Where Unfold keeps what is this user's: settings in one folder, what it remembers in another.

Both follow the platform's rules. `UNFOLD_CONFIG_DIR` puts both into one folder of the user's choice:
a second set of settings, a folder on a stick, or a test that leaves the real ones alone.
"""

from __future__ import annotations

import os
from pathlib import Path

CHOSEN = "UNFOLD_CONFIG_DIR"


def config_folder() -> Path:
    """The folder of the settings. It need not exist."""
    chosen = _chosen()
    if chosen is not None:
        return chosen
    from platformdirs import user_config_path

    return user_config_path("unfold", appauthor=False)


def state_folder() -> Path:
    """The folder of what is remembered from one time to the next, such as the recent files."""
    chosen = _chosen()
    if chosen is not None:
        return chosen
    from platformdirs import user_state_path

    return user_state_path("unfold", appauthor=False)


def _chosen() -> Path | None:
    folder = os.environ.get(CHOSEN, "").strip()
    return Path(os.path.expanduser(folder)).absolute() if folder else None
