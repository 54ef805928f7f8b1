"""Pictures of the migration bench, small and large: an idiom, its counterpart, what is left, files."""

from pathlib import Path

import pytest

from tests.migration.operator_text import operator_text
from tests.tui.bare_app import BareApp
from tests.tui.settled import pressing
from visualizer.migration import migrate
from visualizer.tui.dialogs.saving import save_below
from visualizer.tui.migrate.screen import MigrateScreen

SIZES = pytest.mark.parametrize("size", [(80, 24), (160, 48)], ids=["80x24", "160x48"])
# Of its own, so that a line more in the samples changes no picture.
BODY = """\
    auto* x = ctx.Input<framework::Tensor>("X");
    auto* out = ctx.Output<framework::Tensor>("Out");
    out->mutable_data<T>(ctx.GetPlace());  // framework::Tensor in a comment stays

    framework::Odd odd;
    const char* said = "framework::Odd in a string stays too"; platform::Strange(x, out, said);
"""


@pytest.fixture(scope="module")
def scale(tmp_path_factory):
    with pytest.MonkeyPatch.context() as there:
        there.chdir(tmp_path_factory.mktemp("fluid"))
        Path("scale_op.cc").write_text(operator_text(BODY))
        return migrate(Path("scale_op.cc"))


@SIZES
@pytest.mark.parametrize(
    ("keys", "light"),
    [("nnnn", False), ("nnnn2", True), ("cn", False), ("cn2", False), ("3", False)],
    ids=["idiom", "counterpart", "left", "left-counterpart", "files"],
)
def test_the_migration_bench(snap_compare, scale, size, keys, light):
    app = BareApp(MigrateScreen(scale), light=light)
    assert snap_compare(app, terminal_size=size, run_before=pressing(*keys))


def test_the_question_for_a_folder(snap_compare, scale):
    complaint = "Nothing was saved: Permission denied: /home/me/scale_op_phi"
    paths = [piece.path for piece in scale.pieces]
    app = BareApp(save_below(paths, Path("/home/me/scale_op_phi"), complaint))
    assert snap_compare(app, terminal_size=(80, 24))


def test_too_small_a_terminal(snap_compare, scale):
    assert snap_compare(BareApp(MigrateScreen(scale)), terminal_size=(50, 12))
