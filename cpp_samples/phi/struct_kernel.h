// Kernels that are structures, as they were before PHI: the reason for the four names that travel.
//
// Fluid's kernels are classes. Compute takes the whole context and asks it for tensors and
// attributes by name, so all kernels have one signature, and nothing in it says what a kernel
// takes. When PHI came, they moved into its registry as they were, through the same macros. What
// differs for a class are four places far down: how it is instantiated, how its parameters are read
// (not at all), and the two ways to call it. That is why PD_REGISTER_KERNEL passes four macro names
// along: here are the other four.
//
// Names, parameters and replacements are Paddle's, in paddle/fluid/framework/op_registry.h, which
// no wheel brings along. In version 3.3.1 three such operators are left: send_v2, recv_v2 and
// fetch_v2.
#pragma once

#include "kernel_registry.h"

namespace paddle {
namespace framework {

// What a kernel may ask for, by name.
class ExecutionContext : public phi::KernelContext {
 public:
  bool HasInput(const std::string& name) const;
  template <typename T>
  const T* Input(const std::string& name) const;
  template <typename T>
  T* Output(const std::string& name) const;
  template <typename T>
  const T& Attr(const std::string& name) const;
  template <typename DevCtx>
  const DevCtx& device_context() const;
  phi::Place GetPlace() const;
};

class OpKernelBase {
 public:
  virtual void Compute(const ExecutionContext& context) const = 0;
  virtual ~OpKernelBase() = default;
};

template <typename T>
class OpKernel : public OpKernelBase {
 public:
  using ELEMENT_TYPE = T;
};

// Makes a kernel and calls its Compute. PHI's callers hand over a KernelContext, and for these
// kernels it is always an ExecutionContext.
template <typename StructureKernel>
struct StructKernelImpl {
  static void Compute(phi::KernelContext* ctx);
};

}  // namespace framework
}  // namespace paddle

// --- The other four callbacks ------------------------------------------------------------------

// `class` instead of decltype: all of the class is compiled for this type and this context.
#define STRUCTURE_KERNEL_INSTANTIATION(meta_kernel_structure, cpp_dtype, context)                 \
  template class meta_kernel_structure<cpp_dtype, context>;

// Nothing can be read off a class, so there is no function to do it.
#define STRUCTURE_ARG_PARSE_FUNCTOR(...) nullptr

#define PHI_STRUCTURE_KERNEL(...)                                                                 \
  ::paddle::framework::StructKernelImpl<__VA_ARGS__>::Compute

// And there is no second way to call it. By this nullptr the registry knows a structure.
#define PHI_STRUCTURE_VARIADIC_KERNEL(...) nullptr

// --- What you write ----------------------------------------------------------------------------

#define PD_REGISTER_STRUCT_KERNEL(kernel_name, backend, layout, meta_kernel_structure, ...)       \
  _PD_REGISTER_KERNEL(                                                                            \
      ::phi::RegType::INNER, kernel_name, backend, ::phi::backend##Context, layout,               \
      meta_kernel_structure,                                                                      \
      STRUCTURE_KERNEL_INSTANTIATION, STRUCTURE_ARG_PARSE_FUNCTOR, PHI_STRUCTURE_KERNEL,          \
      PHI_STRUCTURE_VARIADIC_KERNEL, __VA_ARGS__)
