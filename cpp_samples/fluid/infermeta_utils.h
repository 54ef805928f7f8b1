// How a function that infers shapes is found by a kernel's name.
//
// An InferMeta function has parameters as a kernel has, but no context and no data: MetaTensors
// stand for the tensors. To keep them all in one map they must have one type, so PD_INFER_META
// wraps each: the wrapper takes an InferMetaContext, and takes out of it what the function's
// parameters ask for, one by one, just as KernelImpl does it for kernels.
//
// The macro writes the function twice: once for its type, once for itself. A template can't deduce
// the type of a value that it takes as an argument; not in C++14, which Paddle once had to be.
//
// Names, parameters and replacements are Paddle's (phi/core/infermeta_utils.h).
#pragma once

#include "../phi/kernel_registry.h"

// "The kernels whose names begin with this one have this InferMeta": scale, scale_sr.
//
// The object's name begins as that of an argument mapping does, to the letter. So one file can't
// have both for the same name; Paddle keeps them in separate files anyhow.
//
// There is no semicolon at the end, and no function to touch: you write the semicolon.
#define PD_REGISTER_INFER_META_FN(kernel_name_prefix, variadic_infer_meta_fn)                     \
  PD_STATIC_ASSERT_GLOBAL_NAMESPACE(                                                              \
      PD_REGISTER_infer_meta_fn_ns_check_##kernel_name_prefix,                                    \
      "PD_REGISTER_INFER_META_FN must be called in global namespace.");                           \
  static const ::phi::InferMetaFnRegistrar                                                        \
  __registrar_arg_map_fn_for_##kernel_name_prefix(                                                \
      #kernel_name_prefix, PD_INFER_META(variadic_infer_meta_fn))

// `...` and not one parameter: a template's arguments may hold commas, f<a, b>.
#define PD_INFER_META(...) ::phi::InferMetaFnImpl<decltype(&__VA_ARGS__), &__VA_ARGS__>::Call

namespace phi {

class MetaTensor;  // a tensor's shape, data type and layout

struct MetaConfig {
  bool is_runtime;  // false while a program is only being built: a dim may be -1 then
};

class InferMetaContext {};  // the MetaTensors and attributes of one call in one bag

using InferMetaFn = void (*)(InferMetaContext* ctx);

template <typename Fn, Fn fn>
struct InferMetaFnImpl;

template <typename Return, typename... Args, Return (*infer_meta_fn)(Args...)>
struct InferMetaFnImpl<Return (*)(Args...), infer_meta_fn> {
  static void Call(InferMetaContext* ctx);
};

struct InferMetaFnRegistrar {
  InferMetaFnRegistrar(const char* kernel_name_prefix, InferMetaFn infer_meta_fn);
};

}  // namespace phi
