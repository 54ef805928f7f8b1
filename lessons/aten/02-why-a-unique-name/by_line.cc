// As it is where the compiler doesn't count.
#include "library.h"

#undef C10_UID
#define C10_UID __LINE__

at::Tensor twice(const at::Tensor& x);

TORCH_LIBRARY_IMPL(myops, CPU, m) {
  m.impl("twice", &twice);
}
