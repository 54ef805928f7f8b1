#include "library.h"

at::Tensor square_cpu(const at::Tensor& x) {
  return x.add(x, x.item<double>() - 1);
}

// Register it here.
