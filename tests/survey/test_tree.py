"""Surveying trees: which files are looked at, what becomes of bad ones, and how the work is spread."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.pace import slowness
from visualizer.cli import main
from visualizer.expansion import InputError, Options
from visualizer.survey import SurveyError, survey

REGISTER = "PD_REGISTER_KERNEL({}, CPU, ALL_LAYOUT, f, int) {{}}\n"


def plant(root: Path, **files: str | bytes) -> Path:
    """Writes files into a folder; in their names, `__` stands for the dot."""
    for name, text in files.items():
        path = root / name.replace("__", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def kernels(root: Path, *options: Options) -> list[str]:
    return [r.kernel for r in survey([root], *options).registrations]


def test_files_come_in_the_order_of_the_tree(tmp_path: Path) -> None:
    plant(tmp_path / "b", x__cc=REGISTER.format("third"))
    plant(tmp_path / "a", x__cu=REGISTER.format("second"), notes__txt=REGISTER.format("none"))
    plant(tmp_path, z__h=REGISTER.format("first"), empty__cc="", other__cc="int x;\n")
    plant(tmp_path / ".git", x__cc=REGISTER.format("hidden"))
    found = survey([tmp_path])
    assert [r.kernel for r in found.registrations] == ["first", "second", "third"]
    assert found.files == 5
    assert not found.failures


def test_wrapper_macros_from_headers_of_the_tree_are_followed(tmp_path: Path) -> None:
    plant(
        tmp_path / "include" / "my",
        base__h="#define REG(name, ...) \\\n  PD_REGISTER_KERNEL(name, CPU, ALL_LAYOUT, f, \\\n"
        "                     __VA_ARGS__) {}\n",
        outer__h='#include "base.h"\n#define FLOATS(name) REG(name, float)\n',
        pasted__h="#define KIND(kind, name) PD_REGISTER_##kind(name, CPU, ALL_LAYOUT, f, int) {}\n",
    )
    plant(tmp_path / "src", a__cc="#include <my/outer.h>\nFLOATS(a)\n")
    plant(tmp_path / "src", b__cc="#include <my/pasted.h>\nKIND(KERNEL, b)\n")
    assert kernels(tmp_path, Options(include_folders=(str(tmp_path / "include"),))) == ["a", "b"]
    outside = Options(include_folders=(str(tmp_path / "include"),))
    assert kernels(tmp_path / "src", outside) == ["a", "b"]


def test_wrapper_macros_from_the_command_line_are_followed(tmp_path: Path) -> None:
    plant(tmp_path, a__cc="REG(a)\n")
    definition = ("D", "REG(name)=PD_REGISTER_KERNEL(name, CPU, ALL_LAYOUT, f, int) {}")
    assert kernels(tmp_path, Options(macros=(definition,))) == ["a"]
    header = plant(tmp_path / "forced", force__h="#define REG(n) REGISTER_DISPATCH(n, f)\n")
    assert kernels(tmp_path, Options(forced_includes=(str(header / "force.h"),))) == ["a"]


def test_symbolic_links_are_followed_once(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", a__cc=REGISTER.format("a"))
    (tree / "loop").symlink_to(tree)
    (tree / "again.cc").symlink_to(tree / "a.cc")
    outside = plant(tmp_path / "outside", b__cc=REGISTER.format("b"))
    (tree / "linked").symlink_to(outside)
    assert kernels(tree) == ["a", "b"]
    assert [r.kernel for r in survey([tree, tmp_path, tree / "a.cc"]).registrations] == ["a", "b"]


def test_failing_files_are_listed_and_stop_nothing(tmp_path: Path) -> None:
    plant(
        tmp_path,
        a__cc=REGISTER.format("a"),
        binary__cc=b"\x7fELF\0\0",
        latin__cc=b"// \xb0\xa1\n" + REGISTER.format("l").encode(),
        wrong__cc=REGISTER.format("w") + "PD_REGISTER_KERNEL(x\n",
        z__cc=REGISTER.format("z"),
    )
    (tmp_path / "gone.cc").symlink_to(tmp_path / "nowhere.cc")
    (tmp_path / "self.cc").symlink_to(tmp_path / "self.cc")
    found = survey([tmp_path])
    assert [r.kernel for r in found.registrations] == ["a", "l", "w", "z"]
    reasons = {Path(f.file).name: (f.line, f.reason) for f in found.failures}
    assert list(reasons) == ["binary.cc", "gone.cc", "self.cc", "wrong.cc"]
    assert reasons["binary.cc"][1].startswith("is a binary file")
    assert "no such file" in reasons["gone.cc"][1]
    assert "cannot be read" in reasons["self.cc"][1]
    assert reasons["wrong.cc"][0] == 2


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_unreadable_files_and_folders_are_listed(tmp_path: Path) -> None:
    plant(tmp_path / "locked", a__cc="")
    plant(tmp_path, b__cc=REGISTER.format("b"))
    (tmp_path / "b.cc").chmod(0)
    (tmp_path / "locked").chmod(0)
    try:
        reasons = [f.reason for f in survey([tmp_path]).failures]
    finally:
        (tmp_path / "locked").chmod(0o700)
    assert reasons == ["cannot be read: Permission denied"] * 2


def test_an_empty_folder_has_none_and_a_missing_one_is_an_error(tmp_path: Path) -> None:
    assert survey([tmp_path]).registrations == ()
    with pytest.raises(InputError, match="no such file or folder"):
        survey([tmp_path / "nope"])


def test_progress_is_told_from_none_to_all(tmp_path: Path) -> None:
    plant(tmp_path, **{f"k{i}__cc": REGISTER.format(f"k{i}") for i in range(5)})
    told: list[tuple[int, int]] = []
    survey([tmp_path], progress=lambda done, total: told.append((done, total)))
    assert told == [(i, 5) for i in range(6)]


def test_other_processes_find_the_same(tmp_path: Path) -> None:
    plant(tmp_path, **{f"k{i}__cc": REGISTER.format(f"k{i}") for i in range(12)})
    plant(tmp_path, bad__cc="PD_REGISTER_KERNEL(\n")
    alone = survey([tmp_path], jobs=1)
    assert len(alone.registrations) == 12
    assert len(alone.failures) == 1
    assert survey([tmp_path], jobs=2) == alone


def test_one_process_does_it_where_none_can_be_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, a__cc=REGISTER.format("a"), b__cc=REGISTER.format("b"))

    def refuse(*_: object, **__: object) -> None:
        raise OSError("no semaphores here")

    monkeypatch.setattr("visualizer.survey.spread.ProcessPoolExecutor", refuse)
    assert len(survey([tmp_path], jobs=2).registrations) == 2


def test_many_files_take_seconds(tmp_path: Path) -> None:
    text = "#include <vector>\n" + "int unused(int a) { return a + 1; }\n" * 100
    for i in range(300):
        plant(
            tmp_path / f"d{i % 7}", **{f"k{i}__cc": text + REGISTER.format(f"k{i}") * (i % 3 == 0)}
        )
    started = time.process_time()
    assert len(survey([tmp_path], jobs=1).registrations) == 100
    assert time.process_time() - started < 20 * slowness()  # it is about 2


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_no_module_of_the_working_folder_is_run(tmp_path: Path) -> None:
    """Python starts its workers, and a tracker of its own beside them, with `-c`, and then looks for
    `multiprocessing` where it was started."""
    for module in ("multiprocessing", "concurrent", "pickle", "threading", "visualizer"):
        plant(tmp_path / "in", **{f"{module}__py": "open('ran', 'w').close()\n"})
    plant(tmp_path / "in", a__cc=REGISTER.format("a"), b__cc=REGISTER.format("b"))
    command = (
        "import sys\nfrom visualizer.cli import main\nif __name__ == '__main__': sys.exit(main())"
    )
    plant(tmp_path, unfold__py=command)
    done = subprocess.run(
        [sys.executable, tmp_path / "unfold.py", "survey", ".", "-j", "2"],
        cwd=tmp_path / "in",
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "2 registrations of 2 kernels" in done.stdout, done.stderr
    assert not (tmp_path / "in" / "ran").exists()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_stops_cleanly(tmp_path: Path, jobs: str) -> None:

    busy = "#define X(n) PD_REGISTER_KERNEL(n, CPU, ALL_LAYOUT, f, int) {}\n" + "X(a)\n" * 5_000
    plant(tmp_path, **{f"k{i}__cc": busy for i in range(80)})
    words = ["survey", str(tmp_path), "-j", jobs]
    # What runs in the background of a script, as under nohup, is born deaf to Ctrl-C, and so are the
    # tests and their processes then.
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"from visualizer.cli import main; sys.exit(main({words!r}))"
    )
    with _at_a_terminal(["-c", program], subprocess.PIPE) as (process, shown):
        bar = _read_until(shown, b"/80")  # the number of files: it has begun
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes
        bar += _read_until(shown, None)  # until no process has the terminal any more
        out, _ = process.communicate()
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in bar
    assert b"80/80" not in bar, "too little work to be interrupted"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_nobody_works_on_for_one_that_was_killed(tmp_path: Path) -> None:

    busy = "#define X(n) PD_REGISTER_KERNEL(n, CPU, ALL_LAYOUT, f, int) {}\n" + "X(a)\n" * 5_000
    plant(tmp_path, **{f"k{i}__cc": busy for i in range(20)})
    words = ["-m", "visualizer", "survey", str(tmp_path), "-j", "2"]
    with _at_a_terminal(words, subprocess.DEVNULL) as (process, shown):
        _read_until(shown, b"1/20")  # there are workers
        process.kill()
        _read_until(shown, None)  # until no process has the terminal any more


@contextmanager
def _at_a_terminal(words: list[str], out: int) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Python with these words, and what a terminal shows of it and of the processes that it starts,
    none of which is left."""
    import pty

    shown, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, *words],
        stdout=out,
        stderr=terminal,
        env=os.environ | {"TERM": "xterm"},
        start_new_session=True,
    ) as process:
        try:
            os.close(terminal)
            yield process, shown
        finally:
            if _has_members(process.pid):
                os.killpg(process.pid, signal.SIGKILL)
            os.close(shown)


def _read_until(terminal: int, wanted: bytes | None) -> bytes:
    """What is written there, up to what is wanted, or to the end."""
    read = b""
    while wanted is None or wanted not in read:
        try:
            some = os.read(terminal, 10_000)
        except OSError:  # so Linux says that nobody is left to write
            some = b""
        if not some:
            assert wanted is None, f"{read!r} ends without {wanted!r}"
            break
        read += some
    return read


def _has_members(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_a_terminal_shows_a_bar_and_other_outputs_none(tmp_path: Path) -> None:
    import pty

    plant(tmp_path, a__cc=REGISTER.format("a"))
    words = ["survey", str(tmp_path), "-j", "1", "--format", "csv"]
    program = f"import sys; from visualizer.cli import main; sys.exit(main({words!r}))"
    shown, terminal = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=terminal,
        env=os.environ | {"TERM": "xterm"},
        check=True,
    )
    os.close(terminal)
    assert b"surveying" in os.read(shown, 100_000)
    os.close(shown)
    assert done.stdout.count(b"\n") == 2
    quiet = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert (quiet.stdout, quiet.stderr) == (done.stdout, b"")


# ---------------------------------------------------------------------- Dask


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of a cluster in one process, not of ours
def test_a_dask_cluster_of_two_workers_finds_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    distributed = pytest.importorskip("distributed", reason="needs the extra 'cluster'")
    plant(tmp_path, **{f"k{i}__cc": REGISTER.format(f"k{i}") for i in range(12)})
    plant(tmp_path, bad__cc="PD_REGISTER_KERNEL(\n")
    alone = survey([tmp_path], jobs=1)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        assert survey([tmp_path], scheduler=cluster.scheduler_address) == alone
        code = main(["survey", str(tmp_path), "--scheduler", cluster.scheduler_address])
    assert code == 1
    captured = capsys.readouterr()
    assert "12 registrations of 12 kernels in 12 of 13 files; 1 file failed" in captured.out
    assert "bad.cc:1:1: error: unterminated argument list" in captured.err


def test_without_dask_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, a__cc=REGISTER.format("a"))
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SurveyError, match=r"unfold\[cluster\]"):
        survey([tmp_path], scheduler="tcp://127.0.0.1:1")
