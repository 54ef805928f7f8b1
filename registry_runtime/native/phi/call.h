// What stands behind a text with the samples' headers: what it leaves to Paddle, and `main`.
#pragma once

#ifdef UNFOLD_ELEMENTWISE
// For a text that declares it and leaves it to Paddle: x and y are broadcast against each other, from
// their last dims on, and func is given each pair.
namespace phi {
namespace funcs {

template <typename Functor, typename T>
void ElementwiseCompute(const DeviceContext& dev_ctx, const DenseTensor& x, const DenseTensor& y,
                        Functor func, DenseTensor* out) {
  using Out = decltype(func(T{}, T{}));
  const T *a = x.data<T>(), *b = y.data<T>();
  Out* to = dev_ctx.Alloc<Out>(out);
  const int64_t n = out->numel();
  if (x.numel() == n && y.numel() == n) {
    for (int64_t i = 0; i < n; ++i) to[i] = func(a[i], b[i]);
    return;
  }
  const std::vector<int64_t> dims = out->dims();
  // How far each tensor's next element lies along each dim of the output: 0 where it has one only.
  const auto strides = [&](const std::vector<int64_t>& of) {
    std::vector<int64_t> all(dims.size(), 0);
    int64_t stride = 1;
    for (std::size_t i = of.size(); i-- > 0; stride *= of[i]) {
      if (of[i] != 1) all[i + dims.size() - of.size()] = stride;
    }
    return all;
  };
  const std::vector<int64_t> of_a = strides(x.dims()), of_b = strides(y.dims());
  std::vector<int64_t> index(dims.size(), 0);
  for (int64_t i = 0; i < n; ++i) {
    int64_t at_a = 0, at_b = 0;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      at_a += index[d] * of_a[d];
      at_b += index[d] * of_b[d];
    }
    to[i] = func(a[at_a], b[at_b]);
    for (std::size_t d = dims.size(); d-- > 0 && ++index[d] == dims[d];) index[d] = 0;
  }
}

}  // namespace funcs
}  // namespace phi
#endif

#include "../main.h"
