// How an operator of Fluid's finds a kernel of PHI's.
//
// Fluid's operators name what they take: an input is "Input", an attribute "axis1". PHI's kernels
// are functions, and a function's parameters have places, no names. Somebody must say which name
// goes to which place, and which kernel it is at all: another one, maybe, if the input is a
// SelectedRows. That is a KernelSignature, and the function that makes it is an operator's
// argument mapping.
//
// An operator whose maker lists its names in the kernel's order needs none. A gradient operator
// has no maker's list to go by, so each of these has one.
//
// The two maps that these macros fill are OpUtilsMap's: operator to kernel name, operator to
// mapping.
//
// Names, parameters and replacements are Paddle's (phi/core/compat/op_utils.h).
#pragma once

#include "../phi/kernel_registry.h"

// What a shared library shows to others. Only Windows asks for a word.
#if defined(_WIN32) && !defined(STATIC_PADDLE)
#ifndef PADDLE_API
#ifdef PADDLE_DLL_EXPORT
#define PADDLE_API __declspec(dllexport)
#else
#define PADDLE_API __declspec(dllimport)
#endif
#endif
#else
#define PADDLE_API
#endif

// --- What you write ----------------------------------------------------------------------------

// "The operator op_type gets its kernel's arguments by this function."
//
// As with a kernel, the registration is a static object's constructor, and the function below it
// is there to be called by a file that wants this one linked in. But here is no list of types, and
// so no loop: one line, one object.
#define PD_REGISTER_ARG_MAPPING_FN(op_type, arg_mapping_fn)                                       \
  PD_STATIC_ASSERT_GLOBAL_NAMESPACE(                                                              \
      PD_REGISTER_arg_map_fn_ns_check_##op_type,                                                  \
      "PD_REGISTER_ARG_MAPPING_FN must be called in global namespace.");                          \
  static const ::phi::ArgumentMappingFnRegistrar                                                  \
  __registrar_arg_map_fn_for_##op_type(#op_type, arg_mapping_fn);                                 \
  PADDLE_API int TouchArgumentMappingFnSymbol_##op_type() { return 0; }

// "The operator op_type is PHI's base_kernel_name": elementwise_add is add. The names of the
// object and of the function are made of the kernel's, so two operators can't name one kernel in
// one program.
#define PD_REGISTER_BASE_KERNEL_NAME(op_type, base_kernel_name)                                   \
  PD_STATIC_ASSERT_GLOBAL_NAMESPACE(                                                              \
      PD_REGISTER_base_kernel_name_ns_check_##base_kernel_name,                                   \
      "PD_REGISTER_BASE_KERNEL_NAME must be called in global namespace.");                        \
  static const ::phi::BaseKernelNameRegistrar                                                     \
  __registrar_base_kernel_name_for_##base_kernel_name(#op_type, #base_kernel_name);               \
  PADDLE_API int TouchBaseKernelNameSymbol_##base_kernel_name() { return 0; }

// --- In another file -------------------------------------------------------------------------

// Call that function, so that a linker keeps the file that registers.
#define PD_DECLARE_ARG_MAPPING_FN(op_type)                                                        \
  PD_STATIC_ASSERT_GLOBAL_NAMESPACE(                                                              \
      PD_DECLARE_arg_map_fn_ns_check_##op_type,                                                   \
      "PD_DECLARE_ARG_MAPPING_FN must be called in global namespace.");                           \
  extern int TouchArgumentMappingFnSymbol_##op_type();                                            \
  UNUSED static int __declare_arg_map_fn_symbol_for_##op_type =                                   \
      TouchArgumentMappingFnSymbol_##op_type()

#define PD_DECLARE_BASE_KERNEL_NAME(op_type, base_kernel_name)                                    \
  PD_STATIC_ASSERT_GLOBAL_NAMESPACE(                                                              \
      PD_DECLARE_ai_name_ns_check_##base_kernel_name,                                             \
      "PD_DECLARE_BASE_KERNEL_NAME must be called in global namespace.");                         \
  extern int TouchBaseKernelNameSymbol_##base_kernel_name();                                      \
  UNUSED static int __declare_base_kernel_name_symbol_for_##base_kernel_name =                    \
      TouchBaseKernelNameSymbol_##base_kernel_name()

// --- What a mapping is made of -----------------------------------------------------------------

namespace paddle {

template <typename T>
class small_vector {  // a vector whose first few elements lie inside of it
 public:
  small_vector() = default;
  small_vector(std::initializer_list<T> values);
  void emplace_back(T value);
};

class any {};  // one value of any type

template <typename T>
T any_cast(const any& value);

}  // namespace paddle

namespace phi {

// Which kernel, and by the operator's names: what goes to its places.
struct KernelSignature {
  const char* name;
  paddle::small_vector<const char*> input_names;
  paddle::small_vector<const char*> attr_names;
  paddle::small_vector<const char*> output_names;

  KernelSignature(const char* kernel_name,
                  const paddle::small_vector<const char*>& inputs,
                  const paddle::small_vector<const char*>& attrs,
                  const paddle::small_vector<const char*>& outputs);
};

// What a mapping may ask about the call. It sees the operator's names and what stands behind them,
// and no element of a tensor.
class ArgumentMappingContext {
 public:
  virtual bool HasInput(const std::string& name) const = 0;
  virtual bool HasOutput(const std::string& name) const = 0;
  virtual bool HasAttr(const std::string& name) const = 0;
  virtual paddle::any Attr(const std::string& name) const = 0;
  virtual std::size_t InputSize(const std::string& name) const = 0;
  virtual std::size_t OutputSize(const std::string& name) const = 0;
  virtual bool IsDenseTensorInput(const std::string& name) const = 0;
  virtual bool IsDenseTensorInputs(const std::string& name) const = 0;
  virtual bool IsSelectedRowsInput(const std::string& name) const = 0;
  virtual bool IsSelectedRowsInputs(const std::string& name) const = 0;
  virtual bool IsSparseCooTensorInput(const std::string& name) const = 0;
  virtual bool IsSparseCooTensorOutput(const std::string& name) const = 0;
  virtual bool IsSparseCsrTensorInput(const std::string& name) const = 0;
  virtual bool IsDenseTensorVectorInput(const std::string& name) const = 0;
  virtual bool IsDenseTensorOutput(const std::string& name) const = 0;
  virtual bool IsSelectedRowsOutput(const std::string& name) const = 0;
  virtual bool IsVocabOutput(const std::string& name) const { return false; }
  // Some operators' outputs have another shape as long as the program is only being built.
  virtual bool IsForInferShape() const = 0;
  virtual bool IsRuntime() const { return true; }

 protected:
  ~ArgumentMappingContext() = default;
};

// A std::function in PHI.
using ArgumentMappingFn = KernelSignature (*)(const ArgumentMappingContext&);

struct ArgumentMappingFnRegistrar {
  ArgumentMappingFnRegistrar(const char* op_type, ArgumentMappingFn arg_mapping_fn);
};

struct BaseKernelNameRegistrar {
  BaseKernelNameRegistrar(const char* op_type, const char* base_kernel_name);
};

}  // namespace phi
