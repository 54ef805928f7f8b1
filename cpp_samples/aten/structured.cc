// A structured kernel of your own, without TensorIterator: what the two halves have to say.
//
// The build declares the classes from a line of YAML; here it is done by hand. `band` keeps what is
// near a matrix's diagonal.
#include "library.h"
#include "tensor_meta.h"

namespace at {

namespace meta {

struct structured_band : public at::impl::MetaBase {
  void meta(const Tensor& self, int64_t width);
};

}  // namespace meta

namespace native {

// The loop, elsewhere.
void copy_near_diagonal(const Tensor& self, int64_t width, const Tensor& result);

struct structured_band_cpu : public at::meta::structured_band {
  void impl(const Tensor& self, int64_t width, const Tensor& result);
};

}  // namespace native

namespace meta {

// An operator without overloads has the macro with one argument. What is wrong with the arguments
// is said in this half, and so it is said on every device.
TORCH_META_FUNC(band)(const Tensor& self, int64_t width) {
  TORCH_CHECK(self.dim() >= 2, "band: input tensor must have at least 2 dimensions");
  TORCH_CHECK(width >= 0, "band: width must not be negative, but got ", width);
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

}  // namespace meta

namespace native {

// This half can rely on it: result has the shape that meta asked for.
TORCH_IMPL_FUNC(band_cpu)(const Tensor& self, int64_t width, const Tensor& result) {
  copy_near_diagonal(self, width, result);
}

}  // namespace native

}  // namespace at
