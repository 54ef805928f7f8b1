"""A call is told of every registered kernel: without a body, as far as the registry decides."""

from __future__ import annotations

import pytest

from registry_runtime.lab.phi.trial import tell_declared
from visualizer.cli import main
from visualizer.workbench.linking import load
from visualizer.workbench.samples import samples_folder


def test_every_declared_kernel_is_told_to_its_launch() -> None:
    kinds_of = (
        "concat_split",
        "flip",
        "selected_rows",
        "sparse_unary",
        "tensor_array",
        "save_combine",
    )
    phi = load([samples_folder() / "phi" / f"{kind}_kernel.cc" for kind in kinds_of]).phi
    told = 0
    for name, kernels in phi.factory.kernels.items():
        for kernel in kernels.values():
            if not kernel.runnable:
                story = tell_declared(phi, name, kernel)
                assert not story.error, (name, story.error)
                kinds = [step.kind for step in story.steps]
                assert (kinds[0], kinds[-1]) == ("key", "launch")
                assert f"{kernel.fn.name} is launched on" in story.steps[-1].sentence
                told += 1
    assert told > 40


def test_explain_tells_a_kernel_without_a_body(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "flip", "--file", str(samples_folder() / "phi" / "flip_kernel.cc"), "--explain"]
    assert main([*words, "--dtype", "float64"]) == 0
    told = capsys.readouterr().out
    assert "make the key (CPU, NCHW, float64)" in told
    assert "phi::FlipKernel<double, phi::CPUContext> is launched on CPU" in told
    assert "`unfold kernel new FILE:LINE`" in told
    assert "`unfold run NAME --body`" in told
    assert main([*words, "--inputs-on", "Nowhere"]) == 1
    assert "PHI has no backend 'Nowhere'" in capsys.readouterr().err
