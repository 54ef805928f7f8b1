// A library whose namespace is decided by the build.
#include "library.h"

#define OPS_OF_THIS_BUILD myops

at::Tensor twice(const at::Tensor& x);

// m.def takes the schema from the function's type, and the function for the kernel.
TORCH_LIBRARY(OPS_OF_THIS_BUILD, m) {
  m.def("twice", &twice);
}
