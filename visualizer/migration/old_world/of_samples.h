// All of Fluid that a Compute sees with the samples' headers while it is held beside the kernel that it
// became.
#pragma once
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

// The samples' headers have declarations of these names.
#define framework framework_then
#define platform platform_then

namespace paddle {
namespace platform {

using Place = ::phi::Place;
struct CPUPlace : Place {};
using CPUDeviceContext = ::phi::CPUContext;
using float16 = ::phi::dtype::float16;
using bfloat16 = ::phi::dtype::bfloat16;
inline bool is_cpu_place(const Place&) { return true; }
inline bool is_gpu_place(const Place&) { return false; }

}  // namespace platform

namespace framework {

using DDim = ::phi::DDim;
using ::phi::make_ddim;
using ::phi::product;
using ::phi::vectorize;

inline std::string GradVarName(const std::string& name) { return name + "@GRAD"; }

inline const ::phi::DeviceContext*& TheContext() {
  static const ::phi::DeviceContext* context = nullptr;
  return context;
}

// The kernel's tensor itself: it has no members of its own.
class Tensor : public ::phi::DenseTensor {
 public:
  template <typename T>
  T* mutable_data(const platform::Place&) {
    return TheContext()->template Alloc<T>(this);
  }
  template <typename T>
  T* mutable_data(const DDim& dims, const platform::Place& place) {
    this->Resize(dims);
    return mutable_data<T>(place);
  }
  ::phi::DataType type() const { return this->dtype(); }
};
using LoDTensor = Tensor;

inline void SetLevels(::phi::DenseTensor*, const ::phi::DenseTensor&) {}

}  // namespace framework
}  // namespace paddle

#include "contexts.h"
