#include "library.h"

#define ON_LOAD(m) _ON_LOAD(m, __LINE__)

#define _ON_LOAD(m, uid)                                                                    \
  static void C10_CONCATENATE(on_load_init_, uid)(torch::Library&);                         \
  static const torch::detail::TorchLibraryInit C10_CONCATENATE(on_load_object_, uid)(       \
      torch::Library::FRAGMENT, &C10_CONCATENATE(on_load_init_, uid),                       \
      "lesson", std::nullopt, __FILE__, __LINE__);                                          \
  void C10_CONCATENATE(on_load_init_, uid)(torch::Library & m)

ON_LOAD(m) { m.def("left(Tensor x) -> Tensor"); } ON_LOAD(m) { m.def("right(Tensor x) -> Tensor"); }
