#include "library.h"

#define ON_LOAD(m)                                                                          \
  static void on_load_init(torch::Library&);                                                \
  static const torch::detail::TorchLibraryInit C10_CONCATENATE(on_load_object_, C10_UID)(   \
      torch::Library::FRAGMENT, &on_load_init, "lesson", std::nullopt, __FILE__, __LINE__); \
  void on_load_init(torch::Library & m)

ON_LOAD(m) { m.def("left(Tensor x) -> Tensor"); } ON_LOAD(m) { m.def("right(Tensor x) -> Tensor"); }
