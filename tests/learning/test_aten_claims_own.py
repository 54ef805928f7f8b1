"""What the lesson on an operator of one's own claims, asked of an installed PyTorch: its table, its
sentences, and what opcheck compares."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.learning.test_aten_claims_dispatch import reason
from visualizer.frameworks.answers import Place
from visualizer.learning import lesson, player, questions

READ = lesson.load(lesson.find("aten/14"))
KEYS = ("CPU", "CUDA", "XPU", "Meta", "AutogradCPU", "AutogradCUDA", "AutogradMeta", "Negative")


@pytest.fixture(scope="module")
def bench():
    return player.opened(READ, "grown.cc")


def ours(bench: Any, question: str) -> str:
    return questions.answer(question, bench, Place(len(bench.expansions) - 1, 0))


@pytest.fixture(scope="module")
def torch() -> Any:
    return pytest.importorskip("torch")


@pytest.fixture
def grown(torch: Any) -> Any:
    """The same operator by Python's way to the same dispatcher."""
    library = torch.library.Library("lesson_grown", "DEF")
    library.define("grown(Tensor x, float part=0.5) -> Tensor")
    library.impl("grown", lambda x, part=0.5: x.add(x, alpha=part), "CPU")
    yield library
    library._destroy()


@pytest.mark.torch
class TestLesson14:
    def test_the_table_is_torchs(self, torch: Any, grown: Any, bench: Any) -> None:
        grown.impl("grown", lambda x, part=0.5: x.add(x), "Meta")
        for key in KEYS:
            assert ours(bench, f"reason lesson::grown {key}") == reason(
                torch, "lesson_grown::grown", key
            )

    def test_without_a_kernel_for_meta_torch_says_so(self, torch: Any, grown: Any) -> None:
        with pytest.raises(NotImplementedError, match="there was no fake impl or Meta kernel"):
            torch.ops.lesson_grown.grown(torch.empty(4, 3, device="meta"))

    def test_the_default_is_put_in(self, torch: Any, grown: Any) -> None:
        assert torch.ops.lesson_grown.grown(torch.tensor([1.0, 2.0])).tolist() == [1.5, 3.0]
        with pytest.raises(RuntimeError, match="must not be a floating point number"):
            torch.ops.lesson_grown.grown(torch.tensor([1, 2]))

    @pytest.mark.filterwarnings("ignore")
    def test_opcheck_finds_a_meta_kernel_of_another_shape(self, torch: Any, grown: Any) -> None:
        grown.impl("grown", lambda x, part=0.5: x.new_empty(7), "Meta")
        operator, given = torch.ops.lesson_grown.grown.default, (torch.tensor([1.0, 2.0]),)
        with pytest.raises(Exception, match="mismatched tensor metadata: Shapes"):
            torch.library.opcheck(operator, given, test_utils="test_faketensor")


def test_a_float_of_c_plus_plus_is_refused(tmp_path: Path) -> None:
    text = READ.file("grown.cc").read_text().replace("double part", "float part")
    bench = player._reopened(player.opened(READ, "grown.cc"), text)
    assert any("float" in d.message for d in bench.diagnostics if d.severity == "error")
