// All of Fluid that a Compute sees with an installed Paddle's headers while it is held beside the kernel
// that it became. The tensors are Paddle's own, which still have Fluid's mutable_data.
#pragma once
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

#include "paddle/phi/backends/cpu/cpu_context.h"
#include "paddle/phi/core/dense_tensor.h"
#include "paddle/phi/core/enforce.h"
#include "paddle/phi/core/kernel_registry.h"
#include "paddle/phi/core/meta_tensor.h"
#include "paddle/phi/core/tensor_utils.h"
#include "paddle/phi/core/utils/data_type.h"
#include "paddle/phi/kernels/funcs/for_range.h"
#if __has_include("unsupported/Eigen/CXX11/Tensor")  // which a wheel doesn't bring
#include "paddle/phi/kernels/funcs/eigen/common.h"
#include "paddle/phi/kernels/funcs/eigen/eigen_function.h"
#endif

#include "memory.h"

// Paddle's headers have declarations of these names.
#define framework framework_then
#define platform platform_then
#define memory memory_then

namespace paddle {
namespace platform {

using Place = ::phi::Place;
using CPUPlace = ::phi::CPUPlace;
using CPUDeviceContext = ::phi::CPUContext;
using DeviceContext = ::phi::DeviceContext;
using float16 = ::phi::dtype::float16;
using bfloat16 = ::phi::dtype::bfloat16;
template <typename T>
using complex = ::phi::dtype::complex<T>;
template <typename Context>
using ForRange = ::phi::funcs::ForRange<Context>;
namespace errors = ::common::errors;
inline bool is_cpu_place(const Place& place) {
  return place.GetType() == ::phi::AllocationType::CPU;
}
inline bool is_gpu_place(const Place& place) {
  return place.GetType() == ::phi::AllocationType::GPU;
}
inline bool is_xpu_place(const Place&) { return false; }
inline bool is_cuda_pinned_place(const Place&) { return false; }

}  // namespace platform

namespace memory {

template <typename Place>
void Copy(const Place&, void* to, const Place&, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

}  // namespace memory

namespace operators {

#if __has_include("unsupported/Eigen/CXX11/Tensor")
using namespace ::phi::funcs;  // where Eigen's functions have gone
#endif

}  // namespace operators

namespace framework {

using DDim = ::phi::DDim;
using LoD = ::phi::LegacyLoD;
using Tensor = ::phi::DenseTensor;
using LoDTensor = ::phi::DenseTensor;
using ::phi::make_ddim;
using ::phi::product;
using ::phi::slice_ddim;
using ::phi::vectorize;
using ::phi::flatten_to_2d;
#if __has_include("unsupported/Eigen/CXX11/Tensor")
using ::phi::EigenMatrix;
using ::phi::EigenScalar;
using ::phi::EigenTensor;
using ::phi::EigenVector;
#endif

inline std::string GradVarName(const std::string& name) { return name + "@GRAD"; }

inline const ::phi::DeviceContext*& TheContext() {
  static const ::phi::DeviceContext* context = nullptr;
  return context;
}

inline void SetLevels(Tensor* to, const Tensor& from) { to->set_lod(from.lod()); }

inline void TensorCopy(const Tensor& from, const ::phi::Place& place, const ::phi::DeviceContext& context,
                       Tensor* to) {
  ::phi::Copy(context, from, place, false, to);
}
inline void TensorCopy(const Tensor& from, const ::phi::Place& place, Tensor* to) {
  TensorCopy(from, place, *TheContext(), to);
}
inline void TensorCopySync(const Tensor& from, const ::phi::Place& place, Tensor* to) {
  TensorCopy(from, place, *TheContext(), to);
}

}  // namespace framework
}  // namespace paddle

#include "contexts.h"

#ifndef OP_INOUT_CHECK
#define OP_INOUT_CHECK(expression, ...)                                                           \
  PADDLE_ENFORCE_EQ(                                                                              \
      expression, true, ::common::errors::NotFound("an input or an output is missing"))
#endif
