// An operator's gradient is another operator, and a grad op maker writes down the call of it.
//
// It is given a call of the forward operator and says how the gradient's is made from it: under
// which name which of those variables, or their gradients, go in and come out. It is run once for
// each call, so it may look at what that one brings.
//
// There are two kinds of programs: a list of OpDescs, built first and run later; and one that
// runs line by line and remembers OpBases for the way back. So a maker is a template, and is
// registered twice.
//
// Sources: paddle/fluid/framework/grad_op_desc_maker.h,
// paddle/fluid/imperative/dygraph_grad_maker.h,
// paddle/fluid/framework/no_need_buffer_vars_inference.h.
#pragma once

#include "operator.h"

namespace paddle {

namespace framework {

class OpDesc {
 public:
  void SetType(const std::string& type);
  void SetInput(const std::string& param, const std::vector<std::string>& vars);
  void SetOutput(const std::string& param, const std::vector<std::string>& vars);
  void SetAttrMap(const AttributeMap& attrs);
};

}  // namespace framework

namespace imperative {

class OpBase;    // a call that is remembered
class Variable;  // a tensor and its gradient, in place of a name

class TracedGradOp {
 public:
  void SetType(const std::string& type);
  void SetInput(const std::string& param, const std::vector<Variable*>& vars);
  void SetOutput(const std::string& param, const std::vector<Variable*>& vars);
  void SetAttrMap(const framework::AttributeMap& attrs);
};

class GradOpBaseMakerBase {
 public:
  virtual ~GradOpBaseMakerBase() = default;

 protected:
  std::vector<Variable*> Input(const std::string& name) const;
  std::vector<Variable*> Output(const std::string& name) const;
  std::vector<Variable*> InputGrad(const std::string& name, bool drop_empty_grad = true) const;
  std::vector<Variable*> OutputGrad(const std::string& name) const;
  bool HasInput(const std::string& name) const;
  bool HasOutput(const std::string& name) const;
  const framework::AttributeMap& Attrs() const;
};

}  // namespace imperative

namespace framework {

class GradOpDescMakerBase {
 public:
  virtual ~GradOpDescMakerBase() = default;

 protected:
  std::vector<std::string> Input(const std::string& name) const;
  std::vector<std::string> Output(const std::string& name) const;
  std::vector<std::string> InputGrad(const std::string& name, bool drop_empty_grad = true) const;
  std::vector<std::string> OutputGrad(const std::string& name) const;
  bool HasInput(const std::string& name) const;
  bool HasOutput(const std::string& name) const;
  const AttributeMap& Attrs() const;
};

namespace details {

template <typename T>
struct GradOpPtrTrait;
template <>
struct GradOpPtrTrait<OpDesc> {
  using Type = OpDesc*;
};
template <>
struct GradOpPtrTrait<imperative::OpBase> {
  using Type = imperative::TracedGradOp*;
};

}  // namespace details

template <typename T>
using GradOpPtr = typename details::GradOpPtrTrait<T>::Type;

// For a gradient that is one operator, as most are.
template <typename T>
class SingleGradOpMaker;

template <>
class SingleGradOpMaker<OpDesc> : public GradOpDescMakerBase {
 protected:
  virtual void Apply(GradOpPtr<OpDesc> op) const = 0;
};

template <>
class SingleGradOpMaker<imperative::OpBase> : public imperative::GradOpBaseMakerBase {
 protected:
  virtual void Apply(GradOpPtr<imperative::OpBase> op) const = 0;
};

// For an operator that has none.
template <typename T>
class EmptyGradOpMaker;

template <>
class EmptyGradOpMaker<OpDesc> final : public GradOpDescMakerBase {};

template <>
class EmptyGradOpMaker<imperative::OpBase> final : public imperative::GradOpBaseMakerBase {};

// --- Inputs of a gradient whose elements nobody reads --------------------------------------------

class InferNoNeedBufferVarsContext {
 public:
  virtual bool HasOutput(const std::string& slot) const = 0;

 protected:
  ~InferNoNeedBufferVarsContext() = default;
};

class NoNeedBufferVarsInference {
 public:
  virtual const std::unordered_set<std::string>& operator()(
      const InferNoNeedBufferVarsContext& ctx) const = 0;

 protected:
  ~NoNeedBufferVarsInference() = default;
};

}  // namespace framework

namespace operators {

template <typename T>
using GradOpPtr = framework::GradOpPtr<T>;

}  // namespace operators
}  // namespace paddle

// "Of these only the shape is wanted": their memory may be given back before the gradient runs.
// Names, parameters and replacement are Paddle's (paddle/fluid/framework/
// no_need_buffer_vars_inference.h at commit 0db80478).
#define DECLARE_NO_NEED_BUFFER_VARS_INFERER(class_type, ...)                                      \
  class class_type final : public ::paddle::framework::NoNeedBufferVarsInference {                \
   public:                                                                                        \
    using ::paddle::framework::NoNeedBufferVarsInference::NoNeedBufferVarsInference;              \
                                                                                                  \
    const std::unordered_set<std::string> &operator()(                                            \
        const ::paddle::framework::InferNoNeedBufferVarsContext &ctx UNUSED) const final {        \
      static std::unordered_set<std::string> __ret__{__VA_ARGS__};                                \
      return __ret__;                                                                             \
    }                                                                                             \
  }
