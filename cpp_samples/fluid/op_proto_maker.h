// An operator's maker: the one place that lists its names.
//
// `Make` is run when the operator is registered, and what it calls fills an OpProto: inputs,
// outputs, attributes, each list in the order of the calls. The OpProto is what Python sees of an
// operator; and when the operator's kernel is PHI's, that order becomes the order of the kernel's
// parameters.
//
// Source: paddle/fluid/framework/op_proto_maker.h.
#pragma once

#include "../phi/phi.h"

namespace paddle {
namespace framework {

// Returned by AddAttr, to say more about the attribute.
template <typename T>
class TypedAttrChecker {
 public:
  TypedAttrChecker& SetDefault(const T& default_value);
  TypedAttrChecker& InEnum(const std::vector<T>& range);  // of an unordered_set in Fluid
  TypedAttrChecker& GreaterThan(const T& lower_bound);
  TypedAttrChecker& EqualGreaterThan(const T& lower_bound);
  TypedAttrChecker& SupportTensor();
  TypedAttrChecker& AsExtra();
  TypedAttrChecker& AsQuant();
};

class OpProtoAndCheckerMaker {
 public:
  virtual void Make() = 0;
  virtual ~OpProtoAndCheckerMaker() = default;

 protected:
  // The same for inputs and outputs.
  struct VariableBuilder {
    VariableBuilder& AsDispensable();   // may be left out
    VariableBuilder& AsDuplicable();    // a list of tensors
    VariableBuilder& AsIntermediate();  // an output that is only for the gradient
    VariableBuilder& AsExtra();         // of no concern to who calls the operator
    VariableBuilder& AsQuant();         // the same, for quantised models
    void* var_;
  };

  VariableBuilder AddInput(const std::string& name, const std::string& comment);
  VariableBuilder AddOutput(const std::string& name, const std::string& comment);
  template <typename T>
  TypedAttrChecker<T>& AddAttr(const std::string& name, const std::string& comment);
  void AddComment(const std::string& comment);
};

}  // namespace framework
}  // namespace paddle
