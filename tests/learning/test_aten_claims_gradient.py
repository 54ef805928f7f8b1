"""What the lesson on a gradient of one's own claims, asked of a PyTorch that has compiled its files:
what arrives, what is noted, and what opcheck says."""

from __future__ import annotations

import shutil
import warnings
from pathlib import Path
from typing import Any

import pytest

from visualizer.frameworks.answers import Place
from visualizer.learning import lesson, player, questions
from visualizer.workbench.samples import samples_folder

READ = lesson.load(lesson.find("aten/15"))


def ours(file: str, question: str) -> str:
    bench = player.opened(READ, file)
    return questions.answer(question, bench, Place(len(bench.expansions) - 1, 0))


def test_the_engine_needs_a_guard_as_the_dispatcher_does() -> None:
    """Without it forward reaches its own kernel again: there a stack overflows, and here it is said."""
    bench = player.opened(READ, "squared.cc")
    guard = "    at::AutoDispatchBelowADInplaceOrView guard;\n"
    text = READ.file("squared.cc").read_text()
    assert text.count(guard) == 1
    other = player._reopened(bench, text.replace(guard, ""))
    said = questions.answer("returns lesson::squared [1.0,3.0]", other, Place(0, 0))
    assert "too deeply" in said


@pytest.fixture(scope="module")
def torch(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """With the lesson's files loaded; the exercise's operator in a namespace of its own."""
    torch = pytest.importorskip("torch")
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    from torch.utils import cpp_extension

    if not cpp_extension.is_ninja_available():
        pytest.skip("ninja is not installed")
    for file in ("squared.cc", "passed_by.cc", "solution.cc"):
        folder = tmp_path_factory.mktemp(Path(file).stem)
        source = folder / f"{Path(file).stem}.cpp"
        text = (READ.folder / file).read_text()
        source.write_text(
            text.replace("(lesson,", "(solved,").replace('"lesson::weighted', '"solved::weighted')
            if file == "solution.cc"
            else text
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cpp_extension.load(
                f"lesson_{Path(file).stem}",
                [str(source)],
                extra_cflags=["-O0"],
                extra_include_paths=[str(samples_folder() / "aten")],
                build_directory=str(folder),
                is_python_module=False,
            )
    return torch


def theirs(torch: Any, name: str, incoming: list[float], *given: Any) -> str:
    tensors = [
        torch.tensor(one, requires_grad=True) if isinstance(one, list) else one for one in given
    ]
    wanted = [one for one in tensors if isinstance(one, torch.Tensor)]
    namespace, _, short = name.partition("::")
    made = getattr(getattr(torch.ops, namespace), short)(*tensors)
    try:
        found = torch.autograd.grad(made, wanted, torch.tensor(incoming), allow_unused=True)
    except RuntimeError as error:
        return str(error).partition("\n")[0].removesuffix(".")
    return ", ".join("none" if one is None else str(one.tolist()) for one in found)


@pytest.mark.torch
@pytest.mark.compiler
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
class TestLesson15:
    @pytest.mark.parametrize("incoming", [[1.0, 1.0], [1.5, 0.5], [10.0, -1.0], [1.0]])
    def test_what_arrives(self, torch: Any, incoming: list[float]) -> None:
        spelled = str(incoming).replace(" ", "")
        for file, name, own, given in (
            ("squared.cc", "lesson::squared", "lesson::squared", ([1.0, 3.0],)),
            ("passed_by.cc", "passed::squared", "passed::squared", ([1.0, 3.0],)),
            ("solution.cc", "solved::weighted", "lesson::weighted", ([1.0, 2.0], [3.0, 4.0], 0.5)),
        ):
            operands = " ".join(str(one).replace(" ", "") for one in given)
            said = ours(file, f"backward {spelled} {own} {operands}")
            assert said == theirs(torch, name, incoming, *given)

    def test_a_fallthrough_and_the_fallback(self, torch: Any) -> None:
        x = torch.tensor([1.0, 3.0], requires_grad=True)
        for name in ("squared", "doubled"):
            made = getattr(torch.ops.passed, name)(x)
            said = ours("passed_by.cc", f"noted passed::{name} [1.0,3.0]")
            assert said == ("yes" if made.requires_grad else "no")
        library = torch.library.Library("lesson_bare", "DEF")
        library.define("bare(Tensor x) -> Tensor")
        library.impl("bare", lambda x: torch.empty_like(x), "CPU")
        assert theirs(torch, "lesson_bare::bare", [1.0, 1.0], [1.0, 3.0]) == "none"

    def test_opcheck(self, torch: Any) -> None:
        x = torch.tensor([1.0, 3.0], requires_grad=True)
        check = {"test_utils": "test_autograd_registration"}
        torch.library.opcheck(torch.ops.passed.squared.default, (x,), **check)
        given = (x, torch.tensor([1.0, 2.0]), 0.5)
        torch.library.opcheck(torch.ops.solved.weighted.default, given, **check)
        question = "opcheck-autograd passed::squared [1.0,3.0]"
        assert ours("passed_by.cc", question) == "passes"

        class Own(torch.autograd.Function):  # type: ignore[misc]
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                return x * 2

            @staticmethod
            def backward(ctx: Any, gradient: Any) -> Any:
                return gradient * 2

        library = torch.library.Library("lesson_cpu", "DEF")
        library.define("own(Tensor x) -> Tensor")
        library.impl("own", lambda x: Own.apply(x), "CPU")
        said = ours(
            "wrong/for_the_cpu.cc", "opcheck-autograd lesson::weighted [1.0,2.0] [3.0,4.0] 0.5"
        )
        with pytest.raises(Exception, match=said.replace(".", r"\.")):
            torch.library.opcheck(torch.ops.lesson_cpu.own.default, (x,), **check)
