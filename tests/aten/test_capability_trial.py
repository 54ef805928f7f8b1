"""Stubs that have nothing to compare say so, and so do registrations that nothing can run."""

import pytest

from registry_runtime.lab.aten.capabilities import builds
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.program import Program
from tests.aten.test_stub_names import DECLARED, slot
from tests.aten.texts import run


def filled(body: str, value: str = "&add_kernel") -> tuple[Program, bool]:
    """A program whose stub holds a kernel of this body, and whether it is said to run."""
    text = f"{DECLARED}{slot('DEFAULT', value)} }}}}".replace("alpha) {}", f"alpha) {{ {body} }}")
    program, made, _ = run(text)
    (registration,) = made.registrations
    return program, registration.runnable


@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_a_kernel_without_a_loop_has_nothing_to_compare(dtype: str) -> None:
    program, runnable = filled("")
    assert runnable
    with pytest.raises(KernelError, match=r"add_kernel runs no loop over elements"):
        builds(program.aten, "add_stub", dtype)


def test_a_null_pointer_does_not_run() -> None:
    program, runnable = filled("", "nullptr")
    assert not runnable
    with pytest.raises(KernelError, match="no CPU slot of add_stub is filled"):
        builds(program.aten, "add_stub")


@pytest.mark.parametrize("body", ["goto out; out: return;", "try { } catch (...) { }", "new int;"])
def test_a_body_that_the_reader_refuses_does_not_run(body: str) -> None:
    program, runnable = filled(body)
    assert not runnable
    with pytest.raises(KernelError, match=r"whose body isn't understood at `(goto|try|new)"):
        builds(program.aten, "add_stub")


def test_what_is_wrong_in_a_body_is_told_in_its_own_words() -> None:
    program, _ = filled("iter.frobnicate();")
    with pytest.raises(KernelError, match=r"can't be run for float32: .*frobnicate"):
        builds(program.aten, "add_stub")
