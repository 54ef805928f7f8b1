"""Which Chromium the tests use: the system's where there is one, else Playwright's.

Run as a program, it says so, and ends with 1 where there is neither.
"""

import os
import shutil
import sys

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def executable() -> str | None:
    """The path of a headless Chromium, or None. Raises ImportError without Playwright."""
    from playwright.sync_api import sync_playwright

    for name in NAMES:
        if path := shutil.which(name):
            return path
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


if __name__ == "__main__":
    found = executable()
    print(found or "no Chromium is installed")
    sys.exit(found is None)
