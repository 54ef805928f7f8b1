"""Writing what the user made: all or nothing, and taking turns."""

import json
import multiprocessing
import os

import pytest

from visualizer.personal import recent_files, safe_file
from visualizer.workbench.flag_words import read_flags
from visualizer.workbench.flags import Flags
from visualizer.workbench.opening import Opening


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "new folder" / "file"
    safe_file.write(path, "one\n")
    assert path.read_bytes() == b"one\n"
    path.chmod(0o640)

    def fail(*_):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="full"):
        safe_file.write(path, "two\n")
    monkeypatch.undo()
    assert path.read_bytes() == b"one\n"
    assert [p.name for p in path.parent.iterdir()] == ["file"]
    safe_file.write(path, "three Ω\n")
    assert path.read_text("utf-8") == "three Ω\n"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_goes_on_pointing_to_its_file(tmp_path):
    there = tmp_path / "dotfiles"
    there.write_text("old")
    link = tmp_path / "link"
    link.symlink_to(there)
    safe_file.write(link, "new")
    assert link.is_symlink()
    assert there.read_text() == "new"


def _remember(folder, names):
    os.environ["UNFOLD_CONFIG_DIR"] = folder
    for name in names:
        recent_files.remember(Opening(recent_files.Path(folder) / name), print, kept=99)


def test_two_instances_do_not_lose_each_other_s_recent_files(own_folder):
    context = multiprocessing.get_context("spawn")
    lists = [[f"{letter}{n}.cc" for n in range(8)] for letter in "ab"]
    running = [context.Process(target=_remember, args=(str(own_folder), names)) for names in lists]
    for process in running:
        process.start()
    for process in running:
        process.join(30)
        assert process.exitcode == 0
    names = {file.opening.path.name for file in recent_files.recent_files(pytest.fail)}
    assert names == {*lists[0], *lists[1]}


def test_an_instance_that_hangs_with_the_lock_holds_nobody_up_for_long(tmp_path, monkeypatch):
    monkeypatch.setattr(safe_file, "PATIENCE", 0.05)
    with safe_file.taking_turns(tmp_path / "file"), safe_file.taking_turns(tmp_path / "file"):
        pass


def test_the_newest_come_first_each_with_its_flags_and_no_more_than_asked_for(own_folder):
    a, b = own_folder / "a.cc", own_folder / "b.cc"
    defined = read_flags(["-DX"])
    for opening in (Opening(a), Opening(b, 3), Opening(a, flags=defined), Opening(a, 7)):
        recent_files.remember(opening, pytest.fail, kept=3)
    found = [file.opening for file in recent_files.recent_files(pytest.fail)]
    assert found == [Opening(a, 7), Opening(a, flags=defined), Opening(b, 3)]
    recent_files.remember(Opening(own_folder / "c.cc"), pytest.fail, kept=2)
    assert len(recent_files.recent_files(pytest.fail)) == 2
    assert all(file.gone for file in recent_files.recent_files(pytest.fail))


def test_a_relative_path_is_remembered_wherever_one_stood(own_folder, monkeypatch):
    monkeypatch.chdir(own_folder)
    flags = ("-I", "include", "-Iinclude", "-isystem", "sys", "-DA=b", "-include", "x.h", "-p", "b")
    recent_files.remember(Opening(recent_files.Path("k.cc"), flags=read_flags(flags)), pytest.fail)
    (file,) = recent_files.recent_files(pytest.fail)
    here = str(own_folder)
    assert str(file.opening.path) == f"{here}/k.cc"
    assert file.opening.flags == Flags(
        include_folders=(f"{here}/include", f"{here}/include"),
        system_folders=(f"{here}/sys",),
        macros=(("D", "A=b"),),
        forced_includes=(f"{here}/x.h",),
        database=f"{here}/b",
    )


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"\xff",
        b"[]",
        b'{"files": 3}',
        b'{"files": [{"path": 3, "opened": "2020-01-01"}]}',
        b'{"files": [{"path": "a", "opened": "yesterday"}]}',
        b'{"files": [{"path": "a", "opened": "2020-01-01", "flags": ["--none"]}]}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_list_is_kept_aside_and_named(own_folder, content):
    path = recent_files.recent_file_path()
    path.write_bytes(content)
    said = []
    recent_files.remember(Opening(own_folder / "a.cc"), said.append)
    assert "recent.json.damaged-1" in said[0]
    assert (own_folder / "recent.json.damaged-1").read_bytes() == content
    assert len(json.loads(path.read_text())["files"]) == 1
