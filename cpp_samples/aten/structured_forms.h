// What PyTorch's build writes around the two halves of a structured kernel, as a macro.
//
// add.cc has the same written out, once for each of three forms and four keys. Here the forms of one
// operator are one invocation: step through it, and add.cc comes out with other names.
#pragma once

#include "library.h"
#include "tensor_meta.h"

// A list that is one argument, because it stands in parentheses, without them.
#define STRUCTURED_UNPACK(...) __VA_ARGS__

// The operator as a function: from the top, or from inside a kernel with the keys that are left.
#define OPERATOR(name, result, parameters)                                                        \
  struct TORCH_API name {                                                                         \
    static result call parameters;                                                                \
    static result redispatch(                                                                     \
        c10::DispatchKeySet dispatchKeySet, STRUCTURED_UNPACK parameters);                        \
  }

// Three classes over one. They differ in where the output comes from: a new tensor, one that the
// caller gave, or `self`.
#define STRUCTURED_CLASSES(name, space, base)                                                     \
  struct name##_functional final : public space::base {                                           \
    void set_output_raw_strided(                                                                  \
        int64_t output_idx, IntArrayRef sizes, IntArrayRef strides, TensorOptions options)        \
        override {                                                                                \
      outputs_[output_idx] = create_out(sizes, strides, options);                                 \
      base::set_output_raw_strided(output_idx, sizes, strides, options);                          \
    }                                                                                             \
    const Tensor& maybe_get_output(int64_t output_idx) override { return outputs_[output_idx]; }  \
    std::array<Tensor, 1> outputs_;                                                               \
  };                                                                                              \
  struct name##_out final : public space::base {                                                  \
    name##_out(Tensor& out0) : outputs_{std::ref(out0)} {}                                        \
    void set_output_raw_strided(                                                                  \
        int64_t output_idx, IntArrayRef sizes, IntArrayRef strides, TensorOptions options)        \
        override {                                                                                \
      resize_out(outputs_[output_idx], sizes, strides, options);                                  \
      base::set_output_raw_strided(output_idx, sizes, strides, options);                          \
    }                                                                                             \
    const Tensor& maybe_get_output(int64_t output_idx) override { return outputs_[output_idx]; }  \
    std::array<std::reference_wrapper<Tensor>, 1> outputs_;                                       \
  };                                                                                              \
  struct name##_inplace final : public space::base {                                              \
    name##_inplace(Tensor& self) : outputs_{std::ref(self)} {}                                    \
    const Tensor& maybe_get_output(int64_t output_idx) override { return outputs_[output_idx]; }  \
    std::array<std::reference_wrapper<Tensor>, 1> outputs_;                                       \
  };

// A kernel for Autograd: what the derivative will need is noted, and the call goes on below. The
// name is the operator's, as C++ spells it.
#define AUTOGRAD_KERNEL(name, guard_class, result, parameters, ...)                               \
  namespace torch::autograd::VariableType {                                                       \
  namespace {                                                                                     \
  result name(c10::DispatchKeySet ks, STRUCTURED_UNPACK parameters) {                             \
    at::guard_class guard;                                                                        \
    return at::_ops::name::redispatch(ks & c10::after_autograd_keyset, __VA_ARGS__);              \
  }                                                                                               \
  }                                                                                               \
  }

// A kernel for ADInplaceOrView: when the call is back, the version of what was written counts up.
#define INPLACE_KERNEL(name, written, parameters, ...)                                            \
  namespace torch::ADInplaceOrView {                                                              \
  namespace {                                                                                     \
  at::Tensor& name(c10::DispatchKeySet ks, STRUCTURED_UNPACK parameters) {                        \
    {                                                                                             \
      at::AutoDispatchBelowADInplaceOrView guard;                                                 \
      at::_ops::name::redispatch(ks & c10::after_ADInplaceOrView_keyset, __VA_ARGS__);            \
    }                                                                                             \
    return written;                                                                               \
  }                                                                                               \
  }                                                                                               \
  }

// All forms of one operator. For each comes its name in C++, mul_Tensor for `mul.Tensor`, and what it
// takes; last the names of what the halves are given.
#define STRUCTURED_FORMS(FUNCTIONAL, takes, INPLACE, takes_self, OUT, takes_out, ...)             \
  namespace at {                                                                                  \
  namespace {                                                                                     \
  Tensor create_out(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options);        \
  void resize_out(                                                                                \
      const Tensor& out, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options);   \
  STRUCTURED_CLASSES(structured_##OUT, at::native, structured_##OUT)                              \
  at::Tensor wrapper_CPU_##FUNCTIONAL takes {                                                     \
    structured_##OUT##_functional op;                                                             \
    op.meta(__VA_ARGS__);                                                                         \
    op.impl(__VA_ARGS__, op.outputs_[0]);                                                         \
    return op.outputs_[0];                                                                        \
  }                                                                                               \
  at::Tensor& wrapper_CPU_##INPLACE takes_self {                                                  \
    structured_##OUT##_inplace op(self);                                                          \
    op.meta(__VA_ARGS__);                                                                         \
    op.impl(__VA_ARGS__, op.maybe_get_output(0));                                                 \
    return self;                                                                                  \
  }                                                                                               \
  at::Tensor& wrapper_CPU_##OUT##_out takes_out {                                                 \
    structured_##OUT##_out op(out);                                                               \
    op.meta(__VA_ARGS__);                                                                         \
    op.impl(__VA_ARGS__, op.maybe_get_output(0));                                                 \
    return out;                                                                                   \
  }                                                                                               \
  STRUCTURED_CLASSES(structured_##FUNCTIONAL##_meta, at::meta, structured_##FUNCTIONAL)           \
  at::Tensor wrapper_Meta_##FUNCTIONAL takes {                                                    \
    structured_##FUNCTIONAL##_meta_functional op;                                                 \
    op.meta(__VA_ARGS__);                                                                         \
    return op.outputs_[0];                                                                        \
  }                                                                                               \
  at::Tensor& wrapper_Meta_##INPLACE takes_self {                                                 \
    structured_##FUNCTIONAL##_meta_inplace op(self);                                              \
    op.meta(__VA_ARGS__);                                                                         \
    return self;                                                                                  \
  }                                                                                               \
  at::Tensor& wrapper_Meta_##OUT##_out takes_out {                                                \
    structured_##FUNCTIONAL##_meta_out op(out);                                                   \
    op.meta(__VA_ARGS__);                                                                         \
    return out;                                                                                   \
  }                                                                                               \
  }                                                                                               \
  }                                                                                               \
  AUTOGRAD_KERNEL(                                                                                \
      FUNCTIONAL, AutoDispatchBelowADInplaceOrView, at::Tensor, takes, __VA_ARGS__)               \
  AUTOGRAD_KERNEL(INPLACE, AutoDispatchBelowAutograd, at::Tensor&, takes_self, __VA_ARGS__)       \
  AUTOGRAD_KERNEL(OUT, AutoDispatchBelowAutograd, at::Tensor&, takes_out, __VA_ARGS__, out)       \
  INPLACE_KERNEL(INPLACE, self, takes_self, __VA_ARGS__)                                          \
  INPLACE_KERNEL(OUT, out, takes_out, __VA_ARGS__, out)
