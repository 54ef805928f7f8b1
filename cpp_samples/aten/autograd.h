// A gradient of your own: the class that belongs to an operator, and what it is called with.
//
//   struct Mine : torch::autograd::Function<Mine> {
//     static at::Tensor forward(AutogradContext* ctx, …)               computes, and keeps what is needed
//     static variable_list backward(AutogradContext* ctx, variable_list)   one gradient per argument
//   };
//
// Mine::apply(…) calls forward, and hangs at its result what will call backward. Names are those of
// PyTorch 2.13; where its own headers are on the include path (`--torch`), they are taken instead.
#pragma once

#if __has_include(<torch/csrc/autograd/custom_function.h>)
#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
#else

#include "library.h"

// --- Elements, one by one ------------------------------------------------------------------------

namespace at {

Tensor empty_like(const Tensor& self);

Tensor operator*(const Tensor& self, const Tensor& other);
Tensor operator*(const Tensor& self, const Scalar& other);
Tensor operator*(const Scalar& self, const Tensor& other);
Tensor operator+(const Tensor& self, const Tensor& other);
Tensor operator-(const Tensor& self, const Tensor& other);

// While one of these lives, nothing is noted for a gradient.
struct NoGradGuard {
  NoGradGuard();
};

}  // namespace at

namespace c10 {

// --- An operator, called by its name -------------------------------------------------------------

template <typename FuncType>
class TypedOperatorHandle;

template <typename Return, typename... Args>
class TypedOperatorHandle<Return(Args...)> {
 public:
  Return call(Args... args) const;
  Return redispatch(DispatchKeySet ks, Args... args) const;
};

class OperatorHandleOfSchema : public OperatorHandle {
 public:
  template <typename FuncType>
  TypedOperatorHandle<FuncType> typed() const;
};

class Dispatcher final {
 public:
  static Dispatcher& singleton();
  OperatorHandleOfSchema findSchemaOrThrow(const char* name, const char* overload_name);
};

// --- What is kept besides tensors ----------------------------------------------------------------

class IValue {
 public:
  IValue();
  IValue(double d);
  IValue(int64_t i);
  IValue(int i);
  IValue(bool b);
  IValue(at::Tensor t);
  IValue(std::string s);
  double toDouble() const;
  int64_t toInt() const;
  bool toBool() const;
  at::Tensor toTensor() const;
  const std::string& toStringRef() const;
};

// A map, as std::unordered_map is one.
struct SavedData {
  IValue& operator[](const std::string& name);
};

}  // namespace c10

namespace torch {

namespace autograd {

using Variable = at::Tensor;
using variable_list = std::vector<Variable>;
using tensor_list = std::vector<at::Tensor>;

// What forward leaves for backward.
struct AutogradContext {
  c10::SavedData saved_data;

  void save_for_backward(variable_list to_save);
  variable_list get_saved_variables() const;
  void mark_non_differentiable(const variable_list& outputs);
  void set_materialize_grads(bool value);
  bool needs_input_grad(size_t output_edge_index) const;
};

template <typename X, typename... Args>
using forward_t = decltype(X::forward(nullptr, std::declval<Args>()...));

// What T::apply hangs at a result, if a gradient is wanted.
template <class T>
struct CppNode {
  variable_list apply(variable_list inputs) { return T::backward(&ctx_, inputs); }
  AutogradContext ctx_;
};

template <class T>
struct Function {
  template <typename X = T, typename... Args>
  static auto apply(Args&&... args) -> forward_t<X, Args...> {
    CppNode<X> node;
    node.apply({});
    return X::forward(&node.ctx_, std::forward<Args>(args)...);
  }
};

}  // namespace autograd

}  // namespace torch

#endif
