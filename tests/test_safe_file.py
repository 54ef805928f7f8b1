"""Writing what the user made: all or nothing, and taking turns."""

import json
import multiprocessing
import os
import tracemalloc

import pytest

from visualizer.expansion.readable import read_regular
from visualizer.learning.progress import all_progress, progress_path
from visualizer.personal import recent_files, safe_file, settings
from visualizer.tui.app import UnfoldApp
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


def test_what_a_link_leads_to_and_is_no_file_is_left_as_it_is(tmp_path):
    """As the super-user the app had put its progress in the place of /dev/zero."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    link = tmp_path / "progress.json"
    link.symlink_to(pipe)
    with pytest.raises(OSError, match="it is no regular file"):
        safe_file.write(link, "{}")
    assert pipe.is_fifo()


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


def test_what_a_crash_left_is_swept_and_nothing_else(tmp_path):
    below = tmp_path / "exercises" / "macros"
    below.mkdir(parents=True)
    stray, new, lock, held, own, other = (
        below / ".task.cc.ab12_xyz",
        below / ".task.cc.cd34_xyz",
        below / ".gone.json.lock",
        below / ".held.json.lock",
        below / ".task.cc.lock",
        below / ".hidden",
    )
    (below / "task.cc").write_text("")
    for path in (stray, new, lock, held, own, other):
        path.write_text("")
        os.utime(path, (0, 0) if path != new else None)
    with open(held, "rb") as file:
        assert safe_file.lock(file.fileno())
        safe_file.sweep(tmp_path)
    assert {p.name for p in below.iterdir()} == {
        *("task.cc", ".task.cc.cd34_xyz", ".held.json.lock", ".task.cc.lock", ".hidden")
    }
    safe_file.sweep(tmp_path / "no such folder")


async def test_it_is_swept_when_the_app_starts(own_folder):
    stray = own_folder / ".recent.json.ab12_xyz"
    stray.write_text("")
    os.utime(stray, (0, 0))
    app = UnfoldApp()
    async with app.run_test():
        await app.workers.wait_for_complete()
        assert not stray.exists()


@pytest.mark.parametrize(
    "damaged",
    [
        '{"files": [{"path": "/a\\ud800.cc", "opened": "2026-01-01"}]}',
        '{"files": [{"path": "/a.cc", "flags": ["-DA=\\ud800"], "opened": "2026-01-01"}]}',
        "[" * 100_000,
        '{"files": [{"path": "/a.cc", "line": %s, "opened": "2026-01-01"}]}' % ("9" * 5000),
    ],
    ids=["half a letter in a path", "in a flag", "nested", "a number"],
)
def test_a_list_of_files_that_nobody_wrote_is_set_aside(own_folder, damaged):
    (own_folder / "recent.json").write_text(damaged)
    said = []
    assert recent_files.recent_files(said.append) == []
    assert "recent.json.damaged-1" in said[0]
    assert (own_folder / "recent.json.damaged-1").read_text() == damaged
    recent_files.remember(Opening(recent_files.Path("/b.cc")), pytest.fail)


def test_a_name_that_is_not_utf8_is_remembered(own_folder):
    latin = recent_files.Path(os.fsdecode(b"/tmp/caf\xe9.cc"))
    recent_files.remember(Opening(latin), pytest.fail)
    assert recent_files.recent_files(pytest.fail)[0].opening.path == latin


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_nobody_waits_at_what_is_no_file(own_folder):
    said = []
    for path in (recent_files.recent_file_path(), progress_path(), settings.settings_path()):
        path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path)
    recent_files.recent_files(said.append)
    all_progress(said.append)
    settings.load(said.append)
    assert [line.rpartition(": ")[2] for line in said] == ["it is no regular file"] * 3


def test_a_file_is_read_with_the_memory_that_it_takes(tmp_path):
    path = tmp_path / "small"
    path.write_bytes(b"x" * 1000)
    tracemalloc.start()
    try:
        assert safe_file.read(path) == b"x" * 1000
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="there is no /proc")
def test_a_file_that_says_it_is_empty_is_read_whole():
    assert b"VmPeak" in read_regular("/proc/self/status", 1 << 20)
