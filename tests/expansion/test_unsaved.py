"""Texts that an editor has not saved stand for what the files hold on disk."""

import os
from pathlib import Path

import pytest

from visualizer.expansion import InputError, Options, cache_folder, include_cache, preprocess
from visualizer.expansion.tokens import spelled_at


@pytest.fixture
def project(tmp_path, monkeypatch):
    """`main.cc`, which includes `a.h`, which includes `b.h`; gives what the file expands to, with
    some texts unsaved. Whatever can be cached is."""
    monkeypatch.setattr(cache_folder, "cache_folder", lambda: str(tmp_path / "cache"))
    monkeypatch.setattr(include_cache, "_WORTH_KEEPING", 0.0)
    monkeypatch.setattr(include_cache, "_TOO_NEW", 0)
    (tmp_path / "a.h").write_text('#include "b.h"\n#define A a B\n')
    (tmp_path / "b.h").write_text("#pragma once\n#define B b\n")
    (tmp_path / "c.h").write_text("#define C c\n")
    (tmp_path / "main.cc").write_text('#include "a.h"\n#include "c.h"\nA C\n')

    def run(whole=False, **texts):
        names = {"main": "main.cc"}
        unsaved = tuple(
            (str(tmp_path / names.get(name, f"{name}.h")), text) for name, text in texts.items()
        )
        trace = preprocess(
            tmp_path / "main.cc", Options(unsaved=unsaved), skip_included_text=not whole
        )
        assert not trace.diagnostics
        return " ".join(t.text for t in trace.output)

    return run


@pytest.mark.parametrize("whole", [False, True], ids=["directives", "whole"])
def test_an_unsaved_text_is_read_instead_of_the_file(project, whole):
    assert project(whole) == "a b c"
    assert project(whole, b="#define B bb\n") == "a bb c"
    assert project(whole, c="#define C cc\n", a='#include "b.h"\n#define A B\n') == "b cc"
    assert project(whole, main='#include "a.h"\nA A\n') == "a b a b"
    assert project(whole) == "a b c"


def test_a_cache_neither_gives_nor_keeps_what_is_not_saved(project):
    for _ in range(2):
        assert project() == "a b c"  # and is kept
        assert project(b="#define B unsaved\n") == "a unsaved c"


def test_what_does_not_depend_on_it_still_comes_from_the_cache(project, monkeypatch):
    from visualizer.expansion.directive_scan import DirectiveScan

    project()
    ran = []
    include = DirectiveScan.include
    monkeypatch.setattr(
        DirectiveScan,
        "include",
        lambda self, found, at: (
            ran.append(os.path.basename(found.path)) or include(self, found, at)
        ),
    )
    assert project(c="#define C cc\n") == "a b cc"
    assert ran == ["c.h"]


def test_places_are_those_of_the_unsaved_text(tmp_path):
    path = tmp_path / "main.cc"
    path.write_text("int x;\n")
    trace = preprocess(path, Options(unsaved=((str(path), "\n\n  int y;\n"),)))
    assert spelled_at(trace.output[0])[1:] == (3, 3)


def test_a_relative_path_is_the_same_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("main.cc").write_text("int x;\n")
    trace = preprocess("main.cc", Options(unsaved=((str(tmp_path / "main.cc"), "int y;"),)))
    assert trace.output[1].text == "y"


def test_an_unsaved_text_is_checked_as_a_file_is(tmp_path):
    path = tmp_path / "main.cc"
    path.write_text("int x;\n")
    with pytest.raises(InputError):
        preprocess(path, Options(unsaved=((str(path), "\0"),)))
