#include "library.h"

#define GLUE(a, b) GLUE_(a, b)

#define GLUE_(a, b) a##b

#define ON_LOAD(m) _ON_LOAD(m, C10_UID)

#define _ON_LOAD(m, uid)                                                                    \
  static void GLUE(f_, uid)(torch::Library&);                                               \
  static const torch::detail::TorchLibraryInit GLUE(o_, uid)(                               \
      torch::Library::FRAGMENT, &GLUE(f_, uid),                                             \
      "lesson", std::nullopt, __FILE__, __LINE__);                                          \
  void GLUE(f_, uid)(torch::Library & m)

ON_LOAD(m) { m.def("left(Tensor x) -> Tensor"); } ON_LOAD(m) { m.def("right(Tensor x) -> Tensor"); }
