// How Fluid registers operators and kernels: one line of yours becomes one static object, and the
// list in it becomes that object's type.
//
// Where PHI's macros count and loop, these pass the whole list on: `OpKernelRegistrar<place, A,
// B>`. It is a template that does the loop then. OpKernelRegistrarFunctor takes element I of the
// list, registers it, and calls itself for I + 1, until I is the list's size. So the
// preprocessor's part is short, and a registration of seven types makes one object with seven
// entries.
//
// The second half of each macro is a function that does nothing: TouchOpRegistrar_trace. Somebody
// who needs the operator calls it (USE_OP), so that the linker keeps the file that defines it,
// and with it the object that registers. Paddle's build writes those calls itself: it searches
// the source files for the macros' names, and doesn't notice if what it finds is a comment. And
// so a commented-out registration ends in "undefined reference to
// `TouchOpKernelRegistrar_trace_CPU_DEFAULT_TYPE()'".
//
// Names, parameters and replacements are Paddle's, of paddle/fluid/framework/op_registry.h at
// commit 0ab6998c (in 3.3.1's line of development; no wheel brings the file along). In 2022 the
// places were spelled ::paddle::platform::CPUPlace and ::paddle::platform::CUDAPlace, USE_OP_…
// said __attribute__((unused)), and REGISTER_OP_CUDA_KERNEL registered without PADDLE_WITH_CUDA
// too.
#pragma once

#include "grad_op_desc_maker.h"
#include "op_proto_maker.h"
#include "operator.h"

// --- What you write: an operator ---------------------------------------------------------------

// The operator's class, then what else describes it, in any order: its maker, its grad op makers,
// InferShape as a struct of its own. What each of them is, the registrar sees by its base class.
#define REGISTER_OPERATOR(op_type, op_class, ...)                                                 \
  STATIC_ASSERT_GLOBAL_NAMESPACE(                                                                 \
      __reg_op__##op_type, "REGISTER_OPERATOR must be called in global namespace");               \
  static ::paddle::framework::OperatorRegistrar<op_class, ##__VA_ARGS__>                          \
      __op_registrar_##op_type##__(#op_type);                                                     \
  int TouchOpRegistrar_##op_type() {                                                              \
    __op_registrar_##op_type##__.Touch();                                                         \
    return 0;                                                                                     \
  }

#define REGISTER_OP_WITHOUT_GRADIENT(op_type, op_class, ...)                                      \
  REGISTER_OPERATOR(op_type, op_class, __VA_ARGS__,                                               \
                    paddle::framework::EmptyGradOpMaker<paddle::framework::OpDesc>,               \
                    paddle::framework::EmptyGradOpMaker<paddle::imperative::OpBase>)

// --- What you write: its kernels ---------------------------------------------------------------

#define REGISTER_OP_CPU_KERNEL(op_type, ...)                                                      \
  REGISTER_OP_KERNEL(op_type, CPU, ::phi::CPUPlace, __VA_ARGS__)

#if defined(PADDLE_WITH_CUDA) || defined(PADDLE_WITH_HIP)
#define REGISTER_OP_CUDA_KERNEL(op_type, ...)                                                     \
  REGISTER_OP_KERNEL(op_type, CUDA, ::phi::GPUPlace, __VA_ARGS__)
#else
#define REGISTER_OP_CUDA_KERNEL(op_type, ...)
#endif

#define REGISTER_OP_IPU_KERNEL(op_type, ...)                                                      \
  REGISTER_OP_KERNEL(op_type, IPU, ::phi::IPUPlace, __VA_ARGS__)

#define REGISTER_OP_XPU_KERNEL(op_type, ...)                                                      \
  REGISTER_OP_KERNEL(op_type, XPU, ::phi::XPUPlace, __VA_ARGS__)

// Of a library: REGISTER_OP_KERNEL(conv2d, CUDNN, ::phi::GPUPlace, …).
#define REGISTER_OP_KERNEL(op_type, library_type, place_class, ...)                               \
  REGISTER_OP_KERNEL_WITH_CUSTOM_TYPE(                                                            \
      op_type, library_type, place_class, DEFAULT_TYPE,                                           \
      ::paddle::framework::OpKernelType::kDefaultCustomizedTypeValue, __VA_ARGS__)

#define REGISTER_OP_KERNEL_WITH_CUSTOM_TYPE(                                                      \
    op_type, library_type, place_class, customized_name, customized_type_value, ...)              \
  STATIC_ASSERT_GLOBAL_NAMESPACE(                                                                 \
      __reg_op_kernel_##op_type##_##library_type##_##customized_name##__,                         \
      "REGISTER_OP_KERNEL must be called in "                                                     \
      "global namespace");                                                                        \
  static ::paddle::framework::OpKernelRegistrar<place_class, __VA_ARGS__>                         \
      __op_kernel_registrar_##op_type##_##library_type##_##customized_name##__(                   \
          #op_type, #library_type, customized_type_value);                                        \
  int TouchOpKernelRegistrar_##op_type##_##library_type##_##customized_name() {                   \
    __op_kernel_registrar_##op_type##_##library_type##_##customized_name##__.Touch();             \
    return 0;                                                                                     \
  }

// As PHI's of almost this name, but in one step: uniq_name is pasted, so it is not expanded.
#define STATIC_ASSERT_GLOBAL_NAMESPACE(uniq_name, msg)                                            \
  struct __test_global_namespace_##uniq_name##__ {};                                              \
  static_assert(                                                                                  \
      std::is_same<::__test_global_namespace_##uniq_name##__,                                     \
                   __test_global_namespace_##uniq_name##__>::value, msg)

// --- In another file: keep it linked -----------------------------------------------------------

// The operator with all its kernels. Once the kernels are PHI's, nothing defines their functions,
// and it has to be USE_OP_ITSELF.
#define USE_OP(op_type)                                                                           \
  USE_OP_ITSELF(op_type);                                                                         \
  USE_OP_KERNEL(op_type)

#define USE_OP_ITSELF(op_type)                                                                    \
  STATIC_ASSERT_GLOBAL_NAMESPACE(                                                                 \
      __use_op_itself_##op_type, "USE_OP_ITSELF must be called in global namespace");             \
  TEST_API extern int TouchOpRegistrar_##op_type();                                               \
  UNUSED static int use_op_itself_##op_type##_ = TouchOpRegistrar_##op_type()

#if !defined(PADDLE_WITH_CUDA) && !defined(PADDLE_WITH_HIP)
#define USE_OP_KERNEL(op_type) USE_OP_DEVICE_KERNEL(op_type, CPU)
#else
#define USE_OP_KERNEL(op_type)                                                                    \
  USE_OP_DEVICE_KERNEL(op_type, CPU);                                                             \
  USE_OP_DEVICE_KERNEL(op_type, CUDA)
#endif

#define USE_OP_DEVICE_KERNEL(op_type, LIBRARY_TYPE)                                               \
  USE_OP_DEVICE_KERNEL_WITH_CUSTOM_TYPE(op_type, LIBRARY_TYPE, DEFAULT_TYPE)

#define USE_OP_DEVICE_KERNEL_WITH_CUSTOM_TYPE(op_type, LIBRARY_TYPE, customized_name)             \
  STATIC_ASSERT_GLOBAL_NAMESPACE(                                                                 \
      __use_op_kernel_##op_type##_##LIBRARY_TYPE##_##customized_name##__,                         \
      "USE_OP_DEVICE_KERNEL must be in global namespace");                                        \
  extern int TouchOpKernelRegistrar_##op_type##_##LIBRARY_TYPE##_##customized_name();             \
  UNUSED static int use_op_kernel_##op_type##_##LIBRARY_TYPE##_##customized_name##_ =             \
      TouchOpKernelRegistrar_##op_type##_##LIBRARY_TYPE##_##customized_name()

#define USE_NO_KERNEL_OP(op_type) USE_OP_ITSELF(op_type);

#define USE_CPU_ONLY_OP(op_type)                                                                  \
  USE_OP_ITSELF(op_type);                                                                         \
  USE_OP_DEVICE_KERNEL(op_type, CPU);

#define USE_CUDA_ONLY_OP(op_type)                                                                 \
  USE_OP_ITSELF(op_type);                                                                         \
  USE_OP_DEVICE_KERNEL(op_type, CUDA)

// --- The registrars ----------------------------------------------------------------------------

namespace paddle {
namespace framework {

class Registrar {
 public:
  void Touch() {}
};

// Fills an OpInfo, from each class what its base says that it is for, and puts it into OpInfoMap.
// An operator's name is there once: a second registration ends the program before main().
template <typename... ARGS>
struct OperatorRegistrar : public Registrar {
  explicit OperatorRegistrar(const char* op_type);
};

// Puts one kernel into AllOpKernels()[op_type], under a key made of T, the place, the library and
// the customised value. A key that is there already is overwritten in silence. What is kept is a
// function that makes a kernel, which has no state, and calls its Compute.
template <typename PlaceType, typename T, typename KernelType>
void RegisterKernelClass(const char* op_type, const char* library_type, int customized_type_value);

template <typename PlaceType, bool at_end, std::size_t I, typename... KernelTypes>
struct OpKernelRegistrarFunctor;

template <typename PlaceType, std::size_t I, typename... KernelTypes>
struct OpKernelRegistrarFunctor<PlaceType, false, I, KernelTypes...> {
  using KERNEL_TYPE = typename std::tuple_element<I, std::tuple<KernelTypes...>>::type;

  void operator()(const char* op_type, const char* library_type, int customized_type_value) const {
    using T = typename KERNEL_TYPE::ELEMENT_TYPE;
    RegisterKernelClass<PlaceType, T, KERNEL_TYPE>(op_type, library_type, customized_type_value);
    constexpr std::size_t size = sizeof...(KernelTypes);
    OpKernelRegistrarFunctor<PlaceType, I + 1 == size, I + 1, KernelTypes...> next;
    next(op_type, library_type, customized_type_value);
  }
};

template <typename PlaceType, std::size_t I, typename... KernelTypes>
struct OpKernelRegistrarFunctor<PlaceType, true, I, KernelTypes...> {
  void operator()(const char*, const char*, int) const {}
};

template <typename PlaceType, typename... KernelTypes>
class OpKernelRegistrar : public Registrar {
 public:
  OpKernelRegistrar(const char* op_type, const char* library_type, int customized_type_value) {
    OpKernelRegistrarFunctor<PlaceType, false, 0, KernelTypes...> first;
    first(op_type, library_type, customized_type_value);
  }
};

}  // namespace framework
}  // namespace paddle
