// The steps of TensorIterator's build in PyTorch's order, each without its body.
#include "ufunc_add.h"

namespace at::meta {

TORCH_META_FUNC2(add, Tensor)
(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  build_borrowing_binary_op(maybe_get_output(), self, other);
  native::alpha_check(dtype(), alpha);
}

// What build_borrowing_binary_op comes to.
template <class Iterator, class Config>
void build(Iterator& iterator, Config& config) {
  iterator.populate_operands(config);
  iterator.mark_outputs();
  iterator.compute_mem_overlaps(config);
  iterator.compute_shape(config);
  iterator.mark_resize_outputs(config);
  iterator.compute_types(config);
  if (!iterator.fast_set_up(config)) {
    iterator.compute_strides(config);
    iterator.reorder_dimensions();
    iterator.allocate_or_resize_outputs();
    iterator.coalesce_dimensions();
  }
}

}  // namespace at::meta
