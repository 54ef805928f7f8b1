"""What a visitor's process may do, tried from within one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from visualizer.serving.environment import Common, common, environment
from visualizer.serving.visitors import Visitor

# Run in a process that is confined: each line is tried, and what it raised is printed.
_TRY = """
import json, os, sys
from visualizer.serving.confine import confine
confine(os.environ["UNFOLD_VISITOR"], os.environ["UNFOLD_CACHES"].split(os.pathsep))
import shutil, subprocess, tempfile
from pathlib import Path
from visualizer.personal import safe_file
outcomes = {}
for line in json.load(sys.stdin):
    try:
        exec(line)
        outcomes[line] = "done"
    except PermissionError as error:
        outcomes[line] = "refused"
    except Exception as error:
        outcomes[line] = repr(error)
print(json.dumps(outcomes))
"""
REFUSED = [
    "open('/etc/passwd').read()",
    "open(b'/etc/passwd', 'rb')",
    "Path('../../../secret.txt').read_text()",
    "Path('out').read_text()",  # a link
    "os.open('/etc/shadow', os.O_RDONLY)",
    "open('/proc/self/environ')",
    "open(f'/proc/{os.getppid()}/environ')",
    "os.listdir('/')",
    "next(Path('../../..').iterdir())",
    "list(os.scandir('/home'))",
    "Path('/tmp/unfold-was-here').write_text('')",
    "Path('../../../new.txt').write_text('')",
    "safe_file.write(Path('../../../secret.txt'), '')",
    "os.remove('../../../secret.txt')",
    "os.rename('own.cc', '../../../moved.cc')",
    "os.rename('../../../secret.txt', 'here.txt')",
    "os.mkdir('../../../folder')",
    "os.chmod('../../../secret.txt', 0o777)",
    "shutil.copy('../../../secret.txt', 'here.txt')",
    "shutil.rmtree('../../..')",
    "os.symlink('/etc', 'etc')",
    "os.link('../../../secret.txt', 'here.txt')",
    "safe_file.write(Path(os.environ['NUMBA_CACHE_DIR'], 'x.nbi'), '')",
    "os.system('true')",
    "subprocess.run('true', shell=True)",
    "subprocess.run(['/bin/sh', '-c', 'true'])",
    "subprocess.run(['cat', '/etc/passwd'])",
    "subprocess.run(['./gcc'])",
    "os.execv('/bin/true', ['true'])",
    "os.posix_spawn('/bin/true', ['true'], {})",
    "os.fork()",
]
ALLOWED = [
    "assert Path('own.cc').read_text() == 'int x;'",
    "safe_file.write(Path('made.cc'), 'int y;')",
    "safe_file.write(Path('folder/made.cc'), 'int y;')",
    "os.remove('made.cc')",
    "shutil.rmtree('folder')",
    "assert tempfile.gettempdir().startswith(os.environ['UNFOLD_VISITOR'])",
    "tempfile.TemporaryDirectory().cleanup()",
    "from visualizer.personal.recent_files import remember",
    "from visualizer.workbench.opening import Opening",
    "remember(Opening(Path('own.cc')), print)",
    "from visualizer.workbench import load",
    "from visualizer.workbench.samples import sample_files",
    "import numpy as np",
    "runtime = load(sample_files()[:1])",
    "x = np.arange(6, dtype='int32')",
    "assert (runtime.call('bitwise_and', x, x) == x).all()",
    "from visualizer.expansion.ask_compiler import compiler_for",
    "assert compiler_for('gcc', 'gnu++20').folders",
    "from visualizer.workbench.opening import load as opened",
    "from visualizer.workbench.samples import samples_folder",
    "assert not opened(Opening(samples_folder() / 'aten' / 'add.cc'))[1]",
    "import mimetypes; mimetypes.guess_type('a.html')",
    "import platform; platform.platform()",
]


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Visitor:
    folder = tmp_path_factory.mktemp("served")
    (folder / "secret.txt").write_text("secret")
    visitor = Visitor(folder / "visitor", "")
    for made in (visitor.files, visitor.settings, visitor.temporary):
        made.mkdir(parents=True)
    (visitor.files / "own.cc").write_text("int x;")
    (visitor.files / "out").symlink_to(folder / "secret.txt")
    (visitor.files / "gcc").write_text("#!/bin/sh\n")
    (visitor.files / "gcc").chmod(0o700)
    return visitor


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Common:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_CACHE_DIR", str(tmp_path_factory.mktemp("kernels")))
        return common()


@pytest.fixture(scope="module")
def outcomes(visitor: Visitor, shared: Common) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-P", "-c", _TRY],
        input=json.dumps([*REFUSED, *ALLOWED]),
        env=os.environ | environment(visitor, shared),
        cwd=visitor.files,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    tried: dict[str, str] = json.loads(done.stdout)
    return tried


@pytest.mark.parametrize("attempt", REFUSED)
def test_refused(outcomes: dict[str, str], attempt: str) -> None:
    assert outcomes[attempt] == "refused"


@pytest.mark.parametrize("attempt", ALLOWED)
def test_allowed(outcomes: dict[str, str], attempt: str) -> None:
    assert outcomes[attempt] == "done"


def test_what_was_compiled_is_there_for_the_next(outcomes: dict[str, str], shared: Common) -> None:
    assert outcomes
    assert [*Path(shared.variables["NUMBA_CACHE_DIR"]).rglob("*.nbi")]


def test_nothing_is_looked_for_in_the_working_folder(visitor: Visitor) -> None:
    """Where a visitor could put a program or a module of that name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", ".:bin::/usr/bin")
        patch.setenv("PYTHONPATH", ":lib:/opt/lib")
        told = environment(visitor, common())
    assert told["PATH"] == "/usr/bin"
    assert told["PYTHONPATH"] == f"{os.path.abspath('lib')}:/opt/lib"
    assert told["PYTHONSAFEPATH"] == "1"
