// One kernel in several versions, and a stub that knows them all.
//
// A kernel for the CPU is compiled several times, for processors of different abilities, and so
// there are several functions of one name. A stub is an object that can be called as they can. It
// has a slot for each version, and picks one when it is called first.
//
//   DECLARE_DISPATCH(fn, name)      the stub's type, and that there is such an object
//   DEFINE_DISPATCH(name)           the object: once in the whole program
//   REGISTER_DISPATCH(name, fn)     fills a slot. Which one, the compiler's flags decide
//
// Names, parameters and replacements are those of PyTorch 2.13. Where its own headers are on the
// include path (`--torch`), they are taken instead of this one.
#pragma once

#if __has_include(<ATen/native/DispatchStub.h>)
#include <ATen/native/DispatchStub.h>
#else

#include "aten.h"
#include "macros.h"

namespace at::native {

// What this processor can do: a number that grows with its abilities, so that they compare.
enum class CPUCapability {
  DEFAULT = 0,
#if defined(HAVE_VSX_CPU_DEFINITION)
  VSX = 1,
#elif defined(HAVE_ZVECTOR_CPU_DEFINITION)
  ZVECTOR = 1,
#elif defined(HAVE_SVE_CPU_DEFINITION)
  SVE256 = 1,
  SVE128 = 2,
#else
  AVX2 = 1,
  AVX512 = 2,
#endif
  NUM_OPTIONS
};

CPUCapability get_cpu_capability();

template <typename FnPtr, typename T>
struct DispatchStub;

// Slots for the CPU are static members, one for each stub type, since T is another one each time.
// Those for other devices are in the object.
template <typename rT, typename T, typename... Args>
struct DispatchStub<rT (*)(Args...), T> {
  using FnPtr = rT (*)(Args...);

  DispatchStub() = default;
  DispatchStub(const DispatchStub&) = delete;
  DispatchStub& operator=(const DispatchStub&) = delete;

  template <typename... ArgTypes>
  rT operator()(c10::DeviceType device_type, ArgTypes&&... args);

  void set_cuda_dispatch_ptr(FnPtr fn_ptr);
#if defined(USE_XPU)
  void set_xpu_dispatch_ptr(FnPtr fn_ptr);
#endif
  void set_hpu_dispatch_ptr(FnPtr fn_ptr);
  void set_hip_dispatch_ptr(FnPtr fn_ptr);
  void set_mps_dispatch_ptr(FnPtr fn_ptr);
  void set_mtia_dispatch_ptr(FnPtr fn_ptr);
  void set_privateuse1_dispatch_ptr(FnPtr fn_ptr);

  static TORCH_API FnPtr DEFAULT;
#ifdef HAVE_AVX512_CPU_DEFINITION
  static TORCH_API FnPtr AVX512;
#endif
#ifdef HAVE_AVX2_CPU_DEFINITION
  static TORCH_API FnPtr AVX2;
#endif
#ifdef HAVE_VSX_CPU_DEFINITION
  static TORCH_API FnPtr VSX;
#endif
#ifdef HAVE_ZVECTOR_CPU_DEFINITION
  static TORCH_API FnPtr ZVECTOR;
#endif
#ifdef HAVE_SVE_CPU_DEFINITION
  static TORCH_API FnPtr SVE128;
  static TORCH_API FnPtr SVE256;
#endif
};

// Objects that fill one slot when they are made, and do nothing else.
namespace {

template <typename DispatchStub>
struct RegisterCUDADispatch {
  RegisterCUDADispatch(DispatchStub& stub, typename DispatchStub::FnPtr value) {
    stub.set_cuda_dispatch_ptr(value);
  }
};

template <typename DispatchStub>
struct RegisterXPUDispatch {
  RegisterXPUDispatch(DispatchStub& stub, typename DispatchStub::FnPtr value) {
    stub.set_xpu_dispatch_ptr(value);
  }
};

template <typename DispatchStub>
struct RegisterHPUDispatch {
  RegisterHPUDispatch(DispatchStub& stub, typename DispatchStub::FnPtr value) {
    stub.set_hpu_dispatch_ptr(value);
  }
};

template <typename DispatchStub>
struct RegisterMPSDispatch {
  RegisterMPSDispatch(DispatchStub& stub, typename DispatchStub::FnPtr value) {
    stub.set_mps_dispatch_ptr(value);
  }
};

// There is a slot for HIP, and this leaves it empty: to PyTorch, an AMD device calls itself CUDA.
template <typename DispatchStub>
struct RegisterHIPDispatch {
  RegisterHIPDispatch(DispatchStub& stub, typename DispatchStub::FnPtr value) {
    stub.set_cuda_dispatch_ptr(value);
  }
};

template <typename DispatchStub>
struct RegisterMTIADispatch {
  RegisterMTIADispatch(DispatchStub& stub, typename DispatchStub::FnPtr value) {
    stub.set_mtia_dispatch_ptr(value);
  }
};

template <typename DispatchStub>
struct RegisterPRIVATEUSE1Dispatch {
  RegisterPRIVATEUSE1Dispatch(DispatchStub& stub, typename DispatchStub::FnPtr value) {
    stub.set_privateuse1_dispatch_ptr(value);
  }
};

}  // namespace

}  // namespace at::native

// --- The stub ----------------------------------------------------------------------------------

// A type with no other use than to be one of its own: it is an argument of its own base class, and
// thereby that class has slots that belong to this stub alone.
#define DECLARE_DISPATCH(fn, name)                                                                \
  struct name##_DECLARE_DISPATCH_type : DispatchStub<fn, name##_DECLARE_DISPATCH_type> {          \
    name##_DECLARE_DISPATCH_type() = default;                                                     \
    name##_DECLARE_DISPATCH_type(const name##_DECLARE_DISPATCH_type&) = delete;                   \
    name##_DECLARE_DISPATCH_type& operator=(const name##_DECLARE_DISPATCH_type&) = delete;        \
    name##_DECLARE_DISPATCH_type(name##_DECLARE_DISPATCH_type&&) = delete;                        \
    name##_DECLARE_DISPATCH_type& operator=(name##_DECLARE_DISPATCH_type&&) = delete;             \
    ~name##_DECLARE_DISPATCH_type() = default;                                                    \
  };                                                                                              \
  extern TORCH_API struct name##_DECLARE_DISPATCH_type name;

#define DEFINE_DISPATCH(name) struct name##_DECLARE_DISPATCH_type name

// --- Slots for the CPU -------------------------------------------------------------------------

// A slot is filled by defining it: an explicit specialization of the static member. So there is no
// code that runs, and two kernels for one slot are an error of the linker.
#define REGISTER_ARCH_DISPATCH(name, arch, fn)                                                    \
  template <>                                                                                     \
  name##_DECLARE_DISPATCH_type::FnPtr TORCH_API                                                   \
  DispatchStub<name##_DECLARE_DISPATCH_type::FnPtr, struct name##_DECLARE_DISPATCH_type>::arch =  \
      fn;

#ifdef HAVE_AVX512_CPU_DEFINITION
#define REGISTER_AVX512_DISPATCH(name, fn) REGISTER_ARCH_DISPATCH(name, AVX512, fn)
#else
#define REGISTER_AVX512_DISPATCH(name, fn)
#endif

#ifdef HAVE_AVX2_CPU_DEFINITION
#define REGISTER_AVX2_DISPATCH(name, fn) REGISTER_ARCH_DISPATCH(name, AVX2, fn)
#else
#define REGISTER_AVX2_DISPATCH(name, fn)
#endif

#ifdef HAVE_VSX_CPU_DEFINITION
#define REGISTER_VSX_DISPATCH(name, fn) REGISTER_ARCH_DISPATCH(name, VSX, fn)
#else
#define REGISTER_VSX_DISPATCH(name, fn)
#endif

#ifdef HAVE_ZVECTOR_CPU_DEFINITION
#define REGISTER_ZVECTOR_DISPATCH(name, fn) REGISTER_ARCH_DISPATCH(name, ZVECTOR, fn)
#else
#define REGISTER_ZVECTOR_DISPATCH(name, fn)
#endif

#ifdef HAVE_SVE_CPU_DEFINITION
#define REGISTER_SVE128_DISPATCH(name, fn) REGISTER_ARCH_DISPATCH(name, SVE128, fn)
#define REGISTER_SVE256_DISPATCH(name, fn) REGISTER_ARCH_DISPATCH(name, SVE256, fn)
#else
#define REGISTER_SVE128_DISPATCH(name, fn)
#define REGISTER_SVE256_DISPATCH(name, fn)
#endif

// One function for all of them: for a file that is compiled once.
#define REGISTER_ALL_CPU_DISPATCH(name, fn)                                                       \
  REGISTER_ARCH_DISPATCH(name, DEFAULT, fn)                                                       \
  REGISTER_AVX512_DISPATCH(name, fn)                                                              \
  REGISTER_AVX2_DISPATCH(name, fn)                                                                \
  REGISTER_VSX_DISPATCH(name, fn)                                                                 \
  REGISTER_ZVECTOR_DISPATCH(name, fn)                                                             \
  REGISTER_SVE128_DISPATCH(name, fn)                                                              \
  REGISTER_SVE256_DISPATCH(name, fn)

#define REGISTER_NO_CPU_DISPATCH(name) REGISTER_ALL_CPU_DISPATCH(name, nullptr)

// --- Slots for other devices -------------------------------------------------------------------

#define REGISTER_CUDA_DISPATCH(name, fn)                                                          \
  static RegisterCUDADispatch<struct name##_DECLARE_DISPATCH_type> name##__register(name, fn);

#define REGISTER_XPU_DISPATCH(name, fn)                                                           \
  static RegisterXPUDispatch<struct name##_DECLARE_DISPATCH_type> name##__register(name, fn);

#define REGISTER_HPU_DISPATCH(name, fn)                                                           \
  static RegisterHPUDispatch<struct name##_DECLARE_DISPATCH_type> name##__register(name, fn);

#define REGISTER_HIP_DISPATCH(name, fn)                                                           \
  static RegisterHIPDispatch<struct name##_DECLARE_DISPATCH_type> name##__register(name, fn);

#define REGISTER_MPS_DISPATCH(name, fn)                                                           \
  static RegisterMPSDispatch<struct name##_DECLARE_DISPATCH_type> name##__register(name, fn);

#define REGISTER_MTIA_DISPATCH(name, fn)                                                          \
  static RegisterMTIADispatch<struct name##_DECLARE_DISPATCH_type> name##__register(name, fn);

#define REGISTER_PRIVATEUSE1_DISPATCH(name, fn)                                                   \
  static RegisterPRIVATEUSE1Dispatch<struct name##_DECLARE_DISPATCH_type>                         \
      name##__register(name, fn);

// --- One name for all ---------------------------------------------------------------------------

// What a kernel's file writes. CUDA's compiler, HIP's, and one for Objective-C say who they are;
// for the CPU the build says it, with -DCPU_CAPABILITY=…
//
// Compiled for AVX-512, a kernel leaves its slot empty: for most, it brought nothing over AVX2. The
// `(void*)(fn)` only keeps the compiler from warning that nobody uses the function. A kernel that
// does want the slot says ALSO_REGISTER_AVX512_DISPATCH instead.
#if defined(__CUDACC__)
#define REGISTER_DISPATCH(name, fn) REGISTER_CUDA_DISPATCH(name, fn)
#elif defined(__HIPCC__)
#define REGISTER_DISPATCH(name, fn) REGISTER_CUDA_DISPATCH(name, fn)
#elif defined(__OBJC__) && defined(USE_MPS)
#define REGISTER_DISPATCH(name, fn) REGISTER_MPS_DISPATCH(name, fn)
#elif defined(CPU_CAPABILITY)
#ifdef CPU_CAPABILITY_AVX512
#define REGISTER_DISPATCH(name, fn)                                                               \
  REGISTER_ARCH_DISPATCH(name, CPU_CAPABILITY, ((void*)(fn) ? nullptr : nullptr))
#else
#define REGISTER_DISPATCH(name, fn) REGISTER_ARCH_DISPATCH(name, CPU_CAPABILITY, fn)
#endif
#define ALSO_REGISTER_AVX512_DISPATCH(name, fn) REGISTER_ARCH_DISPATCH(name, CPU_CAPABILITY, fn)
#define ALSO_REGISTER_SVE128_DISPATCH(name, fn) REGISTER_ARCH_DISPATCH(name, CPU_CAPABILITY, fn)
#define ALSO_REGISTER_SVE256_DISPATCH(name, fn) REGISTER_ARCH_DISPATCH(name, CPU_CAPABILITY, fn)
#endif

#endif
