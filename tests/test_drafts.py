"""Drafts: a text that nobody saved is never lost, never offered twice, and never half read."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from visualizer.personal import drafts
from visualizer.personal.drafts import Damaged, Draft, are_left_behind, left_behind
from visualizer.workshop import text_file
from visualizer.workshop.session import Edited


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "kernel.cc"
    file.write_text("int x;\n")
    return file


def abandoned(path, text):
    draft = Draft(path)
    draft.keep(text)
    draft.release()


def offered(path):
    """The texts that are offered, each left behind again."""
    drafts = list(left_behind(path))
    texts = [draft.kept().text for draft in drafts]
    for draft in drafts:
        draft.release()
    return texts


def test_a_text_comes_back_as_it_was(path):
    text = 'ä "\\" \r\n\t\u2028 end'
    abandoned(path, text)
    assert offered(path) == [text]


def test_work_that_goes_on_is_not_offered(path):
    mine, other = Draft(path), Draft(path)
    mine.keep("mine")
    other.keep("theirs")
    assert not offered(path)
    mine.release()
    assert offered(path) == ["mine"]
    other.keep("theirs, further on")  # is not in the way of the other one
    other.release()
    assert are_left_behind(path)


def test_what_one_has_claimed_no_other_is_offered(path):
    abandoned(path, "once")
    (draft,) = left_behind(path)
    assert not offered(path)
    draft.release()
    assert offered(path) == ["once"]


def test_another_process_holds_its_draft_until_it_dies(path, own_folder):
    code = (
        "import sys, pathlib\n"
        "from visualizer.personal.drafts import Draft\n"
        "draft = Draft(pathlib.Path(sys.argv[1]))\n"
        "draft.keep('theirs')\n"
        "print('kept', flush=True)\n"
        "sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout.readline() == b"kept\n"
    assert not are_left_behind(path)
    process.kill()
    process.communicate()
    assert offered(path) == ["theirs"]


def test_a_draft_that_is_done_with_leaves_nothing(path, own_folder):
    draft = Draft(path)
    draft.keep("text")
    draft.discard()
    assert not list((own_folder / "drafts").iterdir())
    draft.keep("again")
    draft.release()
    assert are_left_behind(path)


def test_drafts_belong_to_their_file_by_whatever_way_it_is_reached(path, tmp_path, monkeypatch):
    abandoned(path, "text")
    assert not are_left_behind(tmp_path / "other.cc")
    (tmp_path / "link.cc").symlink_to(path)
    assert are_left_behind(tmp_path / "link.cc")
    monkeypatch.chdir(tmp_path)
    assert are_left_behind(Path("kernel.cc"))


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[: len(content) // 2],
        lambda content: content.replace(b"precious", b"perilous"),
        lambda content: b"",
        lambda content: b"\xff\xfe",
        lambda content: b"[1, 2]",
        lambda content: content.replace(b'"version": 1', b'"version": 99'),
    ],
    ids=["half", "changed", "empty", "not text", "not a draft", "of another version"],
)
def test_a_damaged_draft_is_set_aside(path, own_folder, damage):
    abandoned(path, "precious")
    (file,) = (own_folder / "drafts").glob("*.json")
    file.write_bytes(damage(file.read_bytes()))
    damaged = file.read_bytes()
    (draft,) = left_behind(path)
    with pytest.raises(Damaged, match="damaged") as error:
        draft.kept()
    assert error.value.aside.read_bytes() == damaged
    draft.release()
    assert not are_left_behind(path)


def test_a_text_that_is_taken_back_leaves_no_draft(path):
    disk = text_file.read(path)
    file = Edited(disk, "int y;\n", Draft(path))
    file.keep()
    file.text = disk.text
    file.keep()
    file.draft.release()
    assert not are_left_behind(path)


@pytest.mark.parametrize(
    "content",
    [b"int x;\n", b"int x;", b"\xef\xbb\xbfint x;\r\nint y;\r\n", b"", b"\n\n", b"a\rb\r"],
)
def test_a_file_is_written_as_it_was_read(path, content):
    path.write_bytes(content)
    file = text_file.read(path)
    assert not file.why_fixed
    assert not file.note
    text_file.write(file, file.text)
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", [b"caf\xe9\n", b"\x00\x01", b"one\x0ctwo\n"])
def test_what_could_not_be_written_back_is_not_edited(path, content):
    path.write_bytes(content)
    assert text_file.read(path).why_fixed


def test_line_ends_of_two_kinds_are_noted(path):
    path.write_bytes(b"a\r\nb\nc\n")
    file = text_file.read(path)
    assert "line ends" in file.note
    assert file.text == "a\r\nb\r\nc\r\n"


def test_saving_keeps_permissions(path):
    path.chmod(0o640)
    text_file.write(text_file.read(path), "int z;\n")
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(os.geteuid() == 0, reason="the super-user may write anything")
def test_a_file_that_may_not_be_written_is_not_the_users(path):
    path.chmod(0o440)
    assert not text_file.is_ours_to_write(path)


@pytest.mark.parametrize(
    "change",
    [{"text": "a\ud800"}, {"text": "\udce9a"}, {"time": 1e999}, {"text": 5}],
    ids=["half a letter", "a byte", "time", "number"],
)
def test_a_draft_that_nobody_wrote_is_set_aside_though_its_digest_is_right(
    path, own_folder, change
):
    abandoned(path, "precious")
    (file,) = (own_folder / "drafts").glob("*.json")
    content = json.loads(file.read_text()) | change
    content["digest"] = drafts._digest(content["path"], content["text"])
    file.write_text(json.dumps(content))
    (draft,) = left_behind(path)
    with pytest.raises(Damaged):
        draft.kept()
    draft.release()
