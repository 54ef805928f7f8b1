"""The loop that large arrays go through is found in a listing of assembly."""

from __future__ import annotations

import pytest

from registry_runtime.kernels import find
from registry_runtime.kernels.machine_code import hot_loop, simd_width
from registry_runtime.phi.data_type import DataType

X86 = """\
f:
	testq	%rax, %rax
	je	.LBB0_3
.LBB0_1:
	addl	(%rdi), %eax
	decq	%rcx
	jne	.LBB0_1
	jmp	.LBB0_3
.LBB0_2:
	.p2align	4
	vpaddd	(%rdi), %zmm0, %zmm0
	# a remark
	addq	$64, %rdi
	jne	.LBB0_2
.LBB0_3:
	vmovd	%xmm0, %eax
	ret
"""
ARM = """\
f:
.LBB0_1:
	ldr	q0, [x0], #16
	add	v1.4s, v1.4s, v0.4s
	subs	x2, x2, #4
	b.ne	.LBB0_1
	ret
"""


def test_the_widest_loop_is_the_hot_one() -> None:
    loop = hot_loop(X86)
    assert loop is not None
    assert loop.text.splitlines()[0] == ".LBB0_2:"
    assert loop.text.splitlines()[-1].split() == ["jne", ".LBB0_2"]
    assert (loop.instructions, loop.bits) == (3, 512)


def test_arms_loops_are_found_too() -> None:
    loop = hot_loop(ARM)
    assert loop is not None
    assert (loop.instructions, loop.bits) == (4, 128)


def test_code_without_a_loop_has_none() -> None:
    assert hot_loop("f:\n\tret\n") is None
    assert simd_width("f:\n\tret\n") == 0


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("BitwiseAnd", DataType.INT32),
        ("Add", DataType.BFLOAT16),
        ("Exp", DataType.FLOAT32),
        ("Softmax", DataType.FLOAT32),
        ("Sum", DataType.FLOAT32),
        ("LayerNorm", DataType.FLOAT16),
        ("Full", DataType.FLOAT64),
    ],
)
def test_our_kernels_are_vectorised(name: str, dtype: DataType) -> None:
    template = find(f"phi::{name}Kernel")
    assert template is not None
    loop = hot_loop(template.instantiate(dtype, "CPUContext").build().code())
    assert loop is not None
    assert loop.bits >= 128
