"""`make screenshot` draws the README's picture of an editor too: Neovim, with the window that steps."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "visualizer" / "editor" / "clients" / "neovim.lua"
SAMPLES = ROOT / "cpp_samples" / "phi"
PICTURE = ROOT / "visualizer" / "tui" / "pictures" / "editor.svg"
WIDTH, HEIGHT = 104, 30
LOOK = """\
vim.cmd("colorscheme slate")
vim.cmd("set scrolloff=9 nohlsearch signcolumn=no noshowcmd")
vim.cmd("highlight Normal ctermbg=NONE ctermfg=252")
vim.cmd("highlight NormalFloat ctermbg=NONE ctermfg=252")
vim.cmd("highlight FloatBorder ctermbg=NONE ctermfg=245")
vim.cmd("highlight Comment ctermfg=245")
vim.cmd("highlight DiffAdd ctermbg=24 ctermfg=255")
"""


def main() -> None:
    missing = [name for name in ("nvim", "tmux") if shutil.which(name) is None]
    if missing:
        print(f"{PICTURE} stays as it is: no {' and no '.join(missing)}")
        return
    with tempfile.TemporaryDirectory() as folder:
        screen = drawn(Path(folder))
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    for row in screen.split("\n"):
        console.print(Text.from_ansi(row), overflow="crop", no_wrap=True)
    PICTURE.write_text(console.export_svg(title="Neovim"), encoding="utf-8")
    print(f"{PICTURE}: {PICTURE.stat().st_size / 1000:.0f} KB")


def drawn(folder: Path) -> str:
    """Neovim's screen, in which a definition of four kernels is stepped through."""
    for each in (SAMPLES / "bitwise_kernel.cc", *SAMPLES.glob("*.h")):
        shutil.copy(each, folder)
    command = [sys.executable, "-P", "-m", "visualizer", "lsp", "--cc", "none"]
    words = "{" + ", ".join(f'"{word}"' for word in command) + "}"
    (folder / "init.lua").write_text(f"{LOOK}dofile('{CLIENT}').setup({{ cmd = {words} }})\n")
    neovim = "nvim --clean -n -c 'luafile init.lua' -c 'set ft=cpp' bitwise_kernel.cc"

    def tmux(*words: str) -> str:
        command = ["tmux", "-S", str(folder / "tmux"), *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def wait(holds: Callable[[str], bool]) -> None:
        while not holds(tmux("capture-pane", "-p")):
            time.sleep(0.2)

    start = f"cd {folder} && PYTHONPATH={ROOT} TERM=screen-256color {neovim}"
    tmux("-f", "/dev/null", "new-session", "-d", "-x", f"{WIDTH}", "-y", f"{HEIGHT}", start)
    try:
        wait(lambda screen: "bitwise" in screen)
        tmux("send-keys", "/PD_REGISTER_KERNEL(bitwise_and", "Enter")
        tmux("send-keys", "zt", "4", "C-y")
        while "0 of" not in tmux("capture-pane", "-p"):
            tmux("send-keys", ":UnfoldStep", "Enter")  # until the server has begun
            time.sleep(2)
        for state in (1, 2):
            tmux("send-keys", "n")
            wait(lambda screen, state=state: f"{state} of" in screen)  # type: ignore[misc]
        return tmux("capture-pane", "-p", "-e").rstrip("\n")
    finally:
        tmux("kill-server")


if __name__ == "__main__":
    main()
