// How PyTorch registers operators and their kernels: a block of yours becomes a function, and a
// static object that calls it before main().
//
//   TORCH_LIBRARY(ns, m) { … }            operators of a namespace: m.def("schema")
//   TORCH_LIBRARY_FRAGMENT(ns, m) { … }   more of them, from another place
//   TORCH_LIBRARY_IMPL(ns, k, m) { … }    kernels for the dispatch key k: m.impl("name", function)
//
// All three leave the same behind. First the function is declared. Then comes an object that gets
// the function's address; its constructor makes a torch::Library and runs the function on it. And
// last comes the function's head once more, now without a semicolon, so that the block that you
// write after the macro is its body.
//
// Names, parameters and replacements are those of PyTorch 2.13. Where its own headers are on the
// include path (`--torch`), they are taken instead of this one.
#pragma once

#if __has_include(<torch/library.h>)
#include <ATen/core/LegacyTypeDispatch.h>
#include <torch/library.h>
#else

#include "macros.h"
#include "aten.h"

// --- Operators ---------------------------------------------------------------------------------

// One for each namespace in the whole program, which is why its names need no number.
#define TORCH_LIBRARY(ns, m)                                                                      \
  static void TORCH_LIBRARY_init_##ns(torch::Library&);                                           \
  static const torch::detail::TorchLibraryInit TORCH_LIBRARY_static_init_##ns(                    \
      torch::Library::DEF,                                                                        \
      &TORCH_LIBRARY_init_##ns,                                                                   \
      C10_STRINGIZE(ns),                                                                          \
      std::nullopt,                                                                               \
      __FILE__,                                                                                   \
      __LINE__);                                                                                  \
  void TORCH_LIBRARY_init_##ns(torch::Library& m)

// As many as you like, also in one file. The number is asked for here and handed down, so that the
// macro below gets it once and can write it in four places.
#define TORCH_LIBRARY_FRAGMENT(ns, m) _TORCH_LIBRARY_FRAGMENT(ns, m, C10_UID)

#define _TORCH_LIBRARY_FRAGMENT(ns, m, uid)                                                       \
  static void C10_CONCATENATE(                                                                    \
      TORCH_LIBRARY_FRAGMENT_init_##ns##_, uid)(torch::Library&);                                 \
  static const torch::detail::TorchLibraryInit C10_CONCATENATE(                                   \
      TORCH_LIBRARY_FRAGMENT_static_init_##ns##_, uid)(                                           \
      torch::Library::FRAGMENT,                                                                   \
      &C10_CONCATENATE(TORCH_LIBRARY_FRAGMENT_init_##ns##_, uid),                                 \
      C10_STRINGIZE(ns),                                                                          \
      std::nullopt,                                                                               \
      __FILE__,                                                                                   \
      __LINE__);                                                                                  \
  void C10_CONCATENATE(                                                                           \
      TORCH_LIBRARY_FRAGMENT_init_##ns##_, uid)(torch::Library & m)

// --- Kernels -----------------------------------------------------------------------------------

// The namespace `_` stands for all of them: there, m.fallback(…) registers what is called when an
// operator has no kernel for k.
#define TORCH_LIBRARY_IMPL(ns, k, m) _TORCH_LIBRARY_IMPL(ns, k, m, C10_UID)

#define _TORCH_LIBRARY_IMPL(ns, k, m, uid)                                                        \
  static void C10_CONCATENATE(                                                                    \
      TORCH_LIBRARY_IMPL_init_##ns##_##k##_, uid)(torch::Library&);                               \
  static const torch::detail::TorchLibraryInit C10_CONCATENATE(                                   \
      TORCH_LIBRARY_IMPL_static_init_##ns##_##k##_, uid)(                                         \
      torch::Library::IMPL,                                                                       \
      &C10_CONCATENATE(TORCH_LIBRARY_IMPL_init_##ns##_##k##_, uid),                               \
      C10_STRINGIZE(ns),                                                                          \
      std::make_optional(c10::DispatchKey::k),                                                    \
      __FILE__,                                                                                   \
      __LINE__);                                                                                  \
  void C10_CONCATENATE(                                                                           \
      TORCH_LIBRARY_IMPL_init_##ns##_##k##_, uid)(torch::Library & m)

// --- A function as a type ----------------------------------------------------------------------

// What m.impl is given. The address of a function is a value, known when the program runs; here it
// becomes part of a type, so that the compiler can call the function itself, and inline it.
#define TORCH_FN_TYPE(func)                                                                       \
  ::c10::CompileTimeFunctionPointer<                                                              \
      std::remove_pointer_t<std::remove_reference_t<decltype(func)>>,                             \
      func>
#define TORCH_FN(func) TORCH_FN_TYPE(func)()

#endif
