"""A visitor's copy of the folder, and who gets which."""

import asyncio
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.waiting import until
from visualizer.serving import folder, visitors
from visualizer.serving.visitors import FullError, Visitors


@pytest.fixture
def served(tmp_path: Path) -> Path:
    served = tmp_path / "served"
    (served / "src").mkdir(parents=True)
    (served / "src" / "own.cc").write_text("int x;")
    return served


@pytest.fixture
def here(served: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where visitors' folders are made."""
    here = tmp_path / "tmp"
    here.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(here))
    return here


def everything(copy: Path) -> list[str]:
    return sorted(str(path.relative_to(copy)) for path in copy.rglob("*"))


def test_a_copy_has_all_but_what_is_hidden_or_leads_out(served: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (served / ".git").mkdir()
    (served / ".git" / "config").write_text("password")
    (served / ".env").write_text("password")
    (served / "out").symlink_to(tmp_path / "secret.txt")
    (served / "up").symlink_to(tmp_path)
    (served / "link.cc").symlink_to(served / "src" / "own.cc")
    (served / "src" / "again").symlink_to("..")
    (served / "src" / "tool").write_text("#!/bin/sh")
    (served / "src" / "tool").chmod(0o755)
    folder.copy(served, tmp_path / "copy")
    copied = tmp_path / "copy"
    assert sorted(p.name for p in copied.iterdir()) == ["link.cc", "src"]
    assert (copied / "link.cc").resolve() == copied / "src" / "own.cc"
    assert (copied / "src" / "again").resolve() == copied
    assert not (copied / "src" / "tool").stat().st_mode & 0o111
    assert folder.look_through(served).left_out() == "2 links leading outside"


def test_a_large_file_stays_behind(
    served: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "LARGE_FILE", 2**20)
    (served / "weights.bin").write_bytes(b"\0" * (2**20 + 1))
    assert folder.look_through(served).left_out() == "1 file larger than 1 MiB"
    folder.copy(served, tmp_path / "copy")
    assert everything(tmp_path / "copy") == ["src", "src/own.cc"]


@pytest.mark.parametrize("limit", ["MANY_FILES", "LARGE_FOLDER"])
def test_a_folder_that_is_too_much_to_copy_is_refused(
    served: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(folder, limit, 3)
    for n in range(3):
        (served / f"{n}.cc").write_text("int;")
    with pytest.raises(folder.FolderError, match="name a smaller folder"):
        folder.look_through(served)


async def test_each_visitor_has_a_copy_and_finds_it_again(served: Path, here: Path) -> None:
    all_of_them = Visitors(served, 5)
    one, other = "one", "other"
    async with all_of_them.visit(one) as first, all_of_them.visit(other) as second:
        (first.files / "src" / "own.cc").write_text("int y;")
        assert (second.files / "src" / "own.cc").read_text() == "int x;"
        assert (served / "src" / "own.cc").read_text() == "int x;"
        async with all_of_them.visit(one) as same:  # in another tab
            assert same.folder == first.folder
    async with all_of_them.visit(one) as back:
        assert (back.files / "src" / "own.cc").read_text() == "int y;"
    all_of_them.close()
    assert not everything(here)


async def test_who_stays_away_is_forgotten(served: Path, here: Path) -> None:
    all_of_them = Visitors(served, 5, kept=0.01)
    async with all_of_them.visit(secrets.token_hex()) as visitor:
        await asyncio.sleep(0.05)
        assert visitor.files.is_dir()  # as long as they are here
    await until(lambda: not visitor.folder.exists())
    all_of_them.close()


async def test_no_more_folders_are_kept_than_visitors_may_come(served: Path, here: Path) -> None:
    all_of_them = Visitors(served, 2)
    seen = []
    for _ in range(5):
        async with all_of_them.visit(secrets.token_hex()) as visitor:
            seen.append(visitor.folder)
    assert [path.exists() for path in seen] == [False, False, False, True, True]
    all_of_them.close()


async def test_one_too_many_is_told_so(
    served: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitors, "_PATIENCE", 0.01)
    all_of_them = Visitors(served, 1)
    async with all_of_them.visit(secrets.token_hex()):
        with pytest.raises(FullError, match="no room for more"):
            async with all_of_them.visit(secrets.token_hex()):
                pass
    async with all_of_them.visit(secrets.token_hex()):
        pass
    all_of_them.close()
