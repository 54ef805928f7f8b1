// All of Fluid that a Compute sees while it is held beside the kernel that it became: an
// ExecutionContext that a PHI kernel has filled with its own parameters, by their names in Fluid.
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

class ExecutionContext {
 public:
  explicit ExecutionContext(const ::phi::DeviceContext& context) { TheContext() = &context; }

  void KeepInput(const std::string& name, const ::phi::DenseTensor& x) { inputs_[name] = {&x}; }
  void KeepInput(const std::string& name, const std::vector<const ::phi::DenseTensor*>& xs) {
    inputs_[name] = xs;
  }
  template <typename Optional>
  void KeepInput(const std::string& name, const Optional& x) {
    if (x) inputs_[name] = {x.get_ptr()};
  }
  void KeepOutput(const std::string& name, ::phi::DenseTensor* x) {
    if (x) outputs_[name] = {x};
  }
  void KeepOutput(const std::string& name, const std::vector<::phi::DenseTensor*>& xs) {
    outputs_[name] = xs;
  }
  template <typename T>
  void KeepAttribute(const std::string& name, const T& value) {
    attributes_[name] = {&typeid(T), &value};
  }

  bool HasInput(const std::string& name) const { return inputs_.count(name) != 0; }
  bool HasInputs(const std::string& name) const { return HasInput(name); }
  bool HasOutput(const std::string& name) const { return outputs_.count(name) != 0; }
  bool HasOutputs(const std::string& name) const { return HasOutput(name); }
  bool HasAttr(const std::string& name) const { return attributes_.count(name) != 0; }
  std::size_t InputSize(const std::string& name) const { return Inputs(name).size(); }

  template <typename T>
  const T* Input(const std::string& name) const {
    return HasInput(name) ? static_cast<const T*>(Inputs(name).at(0)) : nullptr;
  }
  template <typename T>
  std::vector<const T*> MultiInput(const std::string& name) const {
    std::vector<const T*> found;
    for (const auto* x : Inputs(name)) found.push_back(static_cast<const T*>(x));
    return found;
  }
  template <typename T>
  T* Output(const std::string& name) const {
    return HasOutput(name) ? static_cast<T*>(outputs_.at(name).at(0)) : nullptr;
  }
  template <typename T>
  std::vector<T*> MultiOutput(const std::string& name) const {
    std::vector<T*> found;
    if (HasOutput(name)) {
      for (auto* x : outputs_.at(name)) found.push_back(static_cast<T*>(x));
    }
    return found;
  }
  template <typename T>
  const T& Attr(const std::string& name) const {
    const Kept& kept = attributes_.at(name);
    if (*kept.type != typeid(T)) throw std::runtime_error(name + " is of another type");
    return *static_cast<const T*>(kept.at);
  }

  platform::Place GetPlace() const { return platform::CPUPlace(); }
  template <typename Context>
  const Context& device_context() const {
    return static_cast<const Context&>(*TheContext());
  }

 private:
  struct Kept {
    const std::type_info* type;
    const void* at;
  };

  const std::vector<const ::phi::DenseTensor*>& Inputs(const std::string& name) const {
    static const std::vector<const ::phi::DenseTensor*> none;
    return HasInput(name) ? inputs_.at(name) : none;
  }

  std::map<std::string, std::vector<const ::phi::DenseTensor*>> inputs_;
  std::map<std::string, std::vector<::phi::DenseTensor*>> outputs_;
  std::map<std::string, Kept> attributes_;
};

template <typename T>
class OpKernel {
 public:
  virtual ~OpKernel() = default;
  virtual void Compute(const ExecutionContext& ctx) const = 0;
};

}  // namespace framework
}  // namespace paddle
