// A registration that asks for the number wherever it needs one.
#include "library.h"

#define LIBRARY_IMPL(ns, k, m)                                                              \
  static void C10_CONCATENATE(init_##ns##_##k##_, C10_UID)(torch::Library&);                \
  static const torch::detail::TorchLibraryInit C10_CONCATENATE(                             \
      static_init_##ns##_##k##_, C10_UID)(                                                  \
      torch::Library::IMPL, &C10_CONCATENATE(init_##ns##_##k##_, C10_UID), #ns,             \
      std::make_optional(c10::DispatchKey::k), __FILE__, __LINE__);                         \
  void C10_CONCATENATE(init_##ns##_##k##_, C10_UID)(torch::Library & m)

at::Tensor twice(const at::Tensor& x);

LIBRARY_IMPL(myops, CPU, m) {
  m.impl("twice", &twice);
}
