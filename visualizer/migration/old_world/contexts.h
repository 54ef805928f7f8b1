// What a Compute and an InferShape of Fluid's ask: contexts that a PHI kernel has filled with its own
// parameters, by their names in Fluid. Which tensors and places there are is said before this.
#pragma once

namespace paddle {
namespace framework {

class ExecutionContext {
 public:
  explicit ExecutionContext(const ::phi::DeviceContext& context) { TheContext() = &context; }

  void KeepInput(const std::string& name, const ::phi::DenseTensor& x) { inputs_[name] = {&x}; }
  void KeepInput(const std::string& name, const std::vector<const ::phi::DenseTensor*>& xs) {
    inputs_[name] = xs;
  }
  template <typename Optional>
  void KeepInput(const std::string& name, const Optional& x) {
    if (x) KeepInput(name, *x.get_ptr());
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

  bool HasInput(const std::string& name) const { return !Inputs(name).empty(); }
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
  friend class InferShapeContext;

  struct Kept {
    const std::type_info* type;
    const void* at;
  };

  const std::vector<const ::phi::DenseTensor*>& Inputs(const std::string& name) const {
    static const std::vector<const ::phi::DenseTensor*> none;
    const auto found = inputs_.find(name);
    return found == inputs_.end() ? none : found->second;
  }

  std::map<std::string, std::vector<const ::phi::DenseTensor*>> inputs_;
  std::map<std::string, std::vector<::phi::DenseTensor*>> outputs_;
  std::map<std::string, Kept> attributes_;
};

// What an InferShape is asked before its Compute: it sets the outputs' dims, and says no type.
class InferShapeContext {
 public:
  explicit InferShapeContext(const ExecutionContext& context) : context_(context) {}

  bool HasInput(const std::string& name) const { return context_.HasInput(name); }
  bool HasInputs(const std::string& name) const { return HasInput(name); }
  bool HasOutput(const std::string& name) const { return context_.HasOutput(name); }
  bool HasOutputs(const std::string& name) const { return HasOutput(name); }
  bool HasAttr(const std::string& name) const { return context_.HasAttr(name); }
  bool IsRuntime() const { return true; }
  bool IsRunMKLDNNKernel() const { return false; }

  DDim GetInputDim(const std::string& name) const {
    return context_.Inputs(name).at(0)->dims();
  }
  std::vector<DDim> GetInputsDim(const std::string& name) const {
    std::vector<DDim> dims;
    for (const auto* x : context_.Inputs(name)) dims.push_back(x->dims());
    return dims;
  }
  void SetOutputDim(const std::string& name, const DDim& dims) {
    context_.outputs_.at(name).at(0)->Resize(dims);
  }
  void SetOutputsDim(const std::string& name, const std::vector<DDim>& dims) {
    for (std::size_t i = 0; i < dims.size(); ++i) context_.outputs_.at(name).at(i)->Resize(dims[i]);
  }
  void ShareDim(const std::string& in, const std::string& out, std::size_t i = 0, std::size_t j = 0) {
    context_.outputs_.at(out).at(j)->Resize(context_.Inputs(in).at(i)->dims());
  }
  void ShareLoD(const std::string& in, const std::string& out, std::size_t i = 0,
                std::size_t j = 0) const {
    SetLevels(context_.outputs_.at(out).at(j), *context_.Inputs(in).at(i));
  }
  void ShareAllLoD(const std::string& in, const std::string& out) const {
    for (std::size_t i = 0; i < context_.Inputs(in).size(); ++i) ShareLoD(in, out, i, i);
  }

  class Attributes {
   public:
    explicit Attributes(const ExecutionContext& context) : context_(context) {}
    template <typename T>
    const T& Get(const std::string& name) const {
      return context_.template Attr<T>(name);
    }

   private:
    const ExecutionContext& context_;
  };
  Attributes Attrs() const { return Attributes(context_); }

 private:
  const ExecutionContext& context_;
};

class OperatorWithKernel {
 public:
  virtual ~OperatorWithKernel() = default;
  virtual void InferShape(InferShapeContext* ctx) const = 0;
};

template <typename T>
class OpKernel {
 public:
  using ELEMENT_TYPE = T;
  virtual ~OpKernel() = default;
  virtual void Compute(const ExecutionContext& ctx) const = 0;
};

}  // namespace framework
}  // namespace paddle
