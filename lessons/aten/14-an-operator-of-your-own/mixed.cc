#include "library.h"

namespace {

at::Tensor mixed_cpu(const at::Tensor& x, const at::Tensor& y, double weight) {
  return x.add(y.add(x, -1), weight);
}

}  // namespace

// Your operator: lesson::mixed, with x, y and a weight that is 0.5 by default.
