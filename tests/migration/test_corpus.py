"""The comparison of a migration with what Paddle's people wrote: what it reads, and what differs."""

from tests.real.paddle_corpus import differences, kernels_in

OURS = """\
template <typename T, typename Context>
void ScaleKernel(const Context& dev_ctx, const DenseTensor& x, int axis, DenseTensor* out);
PD_REGISTER_KERNEL(scale, CPU, ALL_LAYOUT, phi::ScaleKernel, float, phi::dtype::float16) {}
"""
THEIRS = """\
template <typename T, typename Context>
void ScaleKernel(const Context &ctx, const phi::DenseTensor &x UNUSED, const Scalar& axis,
                 DenseTensor *out);
// PD_REGISTER_KERNEL(scale, GPU, ALL_LAYOUT, phi::ScaleKernel, float) {}
PD_REGISTER_KERNEL(
    scale, CPU, ALL_LAYOUT, phi::ScaleKernel, phi::float16, float) {
  kernel->OutputAt(0).SetDataType(phi::DataType::INT32);
}
"""


def test_a_kernels_types_and_keys_are_compared_however_they_are_spelled() -> None:
    path = "paddle/phi/kernels/cpu/scale_kernel.cc"
    ours, theirs = (kernels_in({path: text})["scale"] for text in (OURS, THEIRS))
    assert ours.keys == theirs.keys
    assert list(differences(ours, theirs)) == [
        "parameters: const DenseTensor&, int, DenseTensor* "
        "| const DenseTensor&, const Scalar&, DenseTensor*"
    ]
    assert list(differences(ours, ours)) == []
