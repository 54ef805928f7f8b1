// What Fluid's registrations do in C++: bodies for what the samples' headers declare, and a `main`
// that prints what was registered, as JSON. Included before a sample, whose makers it runs.
#pragma once

#include <iostream>
#include <map>

#include "enforce.h"
#include "op_registry.h"

// --- Checks, none of which fails here ------------------------------------------------------------

namespace common {

template <typename... Args>
ErrorSummary::ErrorSummary(Args...) {}
ErrorSummary::ErrorSummary(ErrorCode, std::string) {}
ErrorCode ErrorSummary::code() const { return LEGACY; }
const std::string& ErrorSummary::error_message() const {
  static const std::string none;
  return none;
}

template <typename... Args>
ErrorSummary errors::InvalidArgument(Args...) { return ErrorSummary(0); }
template <typename... Args>
ErrorSummary errors::NotFound(Args...) { return ErrorSummary(0); }
template <typename... Args>
ErrorSummary errors::OutOfRange(Args...) { return ErrorSummary(0); }

enforce::EnforceNotMet::EnforceNotMet(const ErrorSummary&, const char*, int) {}

template <bool kCanToString>
template <typename T>
std::string details::BinaryCompareMessageConverter<kCanToString>::Convert(const char*, const T&) {
  return {};
}

}  // namespace common

template <typename... Args>
std::string paddle::string::Sprintf(const char*, const Args&...) { return {}; }

namespace oracle {

using paddle::framework::DDim;

inline std::string Quoted(const std::string& text) { return '"' + text + '"'; }
inline std::string Quoted(const char* text) { return Quoted(std::string(text)); }

template <typename Items>
std::string Listed(const Items& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return "[" + text + "]";
}

inline std::string AsJson(int value) { return std::to_string(value); }
inline std::string AsJson(bool value) { return value ? "true" : "false"; }
inline std::string AsJson(float value) { return std::to_string(value); }
inline std::string AsJson(const std::string& value) { return Quoted(value); }

inline std::vector<std::string>& Lines() {
  static std::vector<std::string> lines;
  return lines;
}

inline void Print(const std::string& what, const std::vector<std::string>& items) {
  std::vector<std::string> line = {Quoted(what)};
  line.insert(line.end(), items.begin(), items.end());
  Lines().push_back(Listed(line));
}

inline std::string& Op() {  // whose maker runs
  static std::string op;
  return op;
}

inline std::string Names(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(Quoted(name));
  return Listed(quoted);
}

}  // namespace oracle

namespace paddle {
namespace framework {

std::string GradVarName(const std::string& var_name) { return var_name + "@GRAD"; }

// --- Makers ------------------------------------------------------------------------------------

#define MARK(mark)                                                                                \
  OpProtoAndCheckerMaker::VariableBuilder& OpProtoAndCheckerMaker::VariableBuilder::mark() {      \
    oracle::Print("mark", {oracle::Quoted(oracle::Op()), oracle::Quoted(#mark)});                 \
    return *this;                                                                                 \
  }
MARK(AsDispensable)
MARK(AsDuplicable)
MARK(AsIntermediate)
MARK(AsExtra)
MARK(AsQuant)

OpProtoAndCheckerMaker::VariableBuilder OpProtoAndCheckerMaker::AddInput(const std::string& name,
                                                                         const std::string&) {
  oracle::Print("input", {oracle::Quoted(oracle::Op()), oracle::Quoted(name)});
  return {};
}

OpProtoAndCheckerMaker::VariableBuilder OpProtoAndCheckerMaker::AddOutput(const std::string& name,
                                                                          const std::string&) {
  oracle::Print("output", {oracle::Quoted(oracle::Op()), oracle::Quoted(name)});
  return {};
}

template <typename T>
TypedAttrChecker<T>& OpProtoAndCheckerMaker::AddAttr(const std::string& name, const std::string&) {
  static TypedAttrChecker<T> checker;
  oracle::Print("attr", {oracle::Quoted(oracle::Op()), oracle::Quoted(name)});
  return checker;
}

template <typename T>
TypedAttrChecker<T>& TypedAttrChecker<T>::SetDefault(const T& value) {
  oracle::Print("default", {oracle::Quoted(oracle::Op()), oracle::AsJson(value)});
  return *this;
}

void OpProtoAndCheckerMaker::AddComment(const std::string&) {}

// --- Gradients ---------------------------------------------------------------------------------

// The forward call: under each name a variable that is called v_ and the name.
std::vector<std::string> GradOpDescMakerBase::Input(const std::string& n) const { return {"v_" + n}; }
std::vector<std::string> GradOpDescMakerBase::Output(const std::string& n) const {
  return {"v_" + n};
}
std::vector<std::string> GradOpDescMakerBase::InputGrad(const std::string& n, bool) const {
  return {GradVarName("v_" + n)};
}
std::vector<std::string> GradOpDescMakerBase::OutputGrad(const std::string& n) const {
  return {GradVarName("v_" + n)};
}
const AttributeMap& GradOpDescMakerBase::Attrs() const {
  static AttributeMap attrs;
  return attrs;
}

void OpDesc::SetType(const std::string& type) {
  oracle::Print("grad type", {oracle::Quoted(oracle::Op()), oracle::Quoted(type)});
}
void OpDesc::SetInput(const std::string& param, const std::vector<std::string>& vars) {
  oracle::Print("grad input",
                {oracle::Quoted(oracle::Op()), oracle::Quoted(param), oracle::Names(vars)});
}
void OpDesc::SetOutput(const std::string& param, const std::vector<std::string>& vars) {
  oracle::Print("grad output",
                {oracle::Quoted(oracle::Op()), oracle::Quoted(param), oracle::Names(vars)});
}
void OpDesc::SetAttrMap(const AttributeMap&) {}

// --- Shapes ------------------------------------------------------------------------------------

}  // namespace framework
}  // namespace paddle

namespace oracle {

inline std::map<std::string, int>& Attributes() {
  static std::map<std::string, int> attributes;
  return attributes;
}

inline std::vector<int64_t>& Dims() {  // of the DDim that was made last: one is enough
  static std::vector<int64_t> dims;
  return dims;
}

struct Context final : paddle::framework::InferShapeContext {
  std::map<std::string, std::vector<int64_t>> set;
  bool HasInput(const std::string&) const override { return true; }
  bool HasOutput(const std::string&) const override { return true; }
  DDim GetInputDim(const std::string&) const override { return {}; }
  void SetOutputDim(const std::string& name, const DDim&) override { set[name] = Dims(); }
  void ShareLoD(const std::string&, const std::string&) const override {}
  paddle::framework::AttrReader Attrs() const override { return {}; }
  bool IsRuntime() const override { return true; }
};

}  // namespace oracle

namespace paddle {
namespace framework {

int DDim::size() const { return static_cast<int>(oracle::Dims().size()); }
int64_t DDim::operator[](int axis) const { return oracle::Dims().at(axis); }
DDim make_ddim(const std::vector<int64_t>& dims) {
  oracle::Dims() = dims;
  return {};
}
template <>
const int& AttrReader::Get<int>(const std::string& name) const {
  return oracle::Attributes().at(name);
}

OperatorBase::OperatorBase(const std::string&, const VariableNameMap&, const VariableNameMap&,
                           const AttributeMap&) {}
void OperatorWithKernel::InferShape(InferShapeContext*) const {}
OpKernelType OperatorWithKernel::GetExpectedKernelType(const ExecutionContext&) const {
  return OpKernelType(proto::VarType::FP32, platform::Place());
}
proto::VarType::Type OperatorWithKernel::IndicateVarDataType(const ExecutionContext&,
                                                             const std::string&) const {
  return proto::VarType::FP32;
}
OpKernelType::OpKernelType(proto::VarType::Type data_type, platform::Place place,
                           DataLayout data_layout, LibraryType library_type, int customized)
    : data_type_(data_type), data_layout_(data_layout), place_(place),
      library_type_(library_type), customized_type_value_(customized) {}
phi::Place ExecutionContext::GetPlace() const { return {}; }

// --- The registrars ----------------------------------------------------------------------------

struct NoOutputs final : InferNoNeedBufferVarsContext {
  bool HasOutput(const std::string&) const override { return false; }
};

template <typename T>
void Fill(const std::string& op_type) {
  const std::string op = oracle::Quoted(op_type);
  if constexpr (std::is_base_of_v<OperatorWithKernel, T>) {
    oracle::Print("class", {op, oracle::Quoted("operator")});
    for (std::vector<int64_t> dims : {std::vector<int64_t>{3, 4}, {2, 3, 4}, {5, 2, 3, 4}}) {
      for (int axis2 : {1, -1}) {
        oracle::Attributes() = {{"axis1", 0}, {"axis2", axis2}};
        oracle::Dims() = dims;
        oracle::Context context;
        T("", {}, {}, {}).InferShape(&context);
        for (const auto& [name, set] : context.set) {
          std::vector<std::string> given, made;
          for (int64_t dim : dims) given.push_back(std::to_string(dim));
          for (int64_t dim : set) made.push_back(std::to_string(dim));
          oracle::Print("shape", {op, oracle::Listed(given), std::to_string(axis2),
                                  oracle::Quoted(name), oracle::Listed(made)});
        }
      }
    }
  } else if constexpr (std::is_base_of_v<OpProtoAndCheckerMaker, T>) {
    oracle::Print("class", {op, oracle::Quoted("maker")});
    T maker;
    maker.Make();
  } else if constexpr (std::is_base_of_v<GradOpDescMakerBase, T>) {
    oracle::Print("class", {op, oracle::Quoted("grad op maker")});
    struct Open : T {
      using T::Apply;
    } maker;
    OpDesc desc;
    maker.Apply(&desc);
  } else if constexpr (std::is_base_of_v<imperative::GradOpBaseMakerBase, T>) {
    oracle::Print("class", {op, oracle::Quoted("dygraph grad op maker")});
  } else if constexpr (std::is_base_of_v<InferShapeBase, T>) {
    oracle::Print("class", {op, oracle::Quoted("infer shape")});
  } else if constexpr (std::is_base_of_v<NoNeedBufferVarsInference, T>) {
    const auto& names = T()(NoOutputs());
    oracle::Print("no need", {op, oracle::Names({names.begin(), names.end()})});
  }
}

template <typename... ARGS>
OperatorRegistrar<ARGS...>::OperatorRegistrar(const char* op_type) {
  oracle::Op() = op_type;
  (Fill<ARGS>(op_type), ...);
}

template <typename T>
constexpr int kDataType = static_cast<int>(phi::CppTypeToDataType<T>::Type());

template <typename PlaceType, typename T, typename KernelType>
void RegisterKernelClass(const char* op_type, const char* library_type, int customized) {
  oracle::Print("kernel", {oracle::Quoted(op_type), std::to_string(kDataType<T>),
                           oracle::Quoted(std::is_same_v<PlaceType, phi::CPUPlace> ? "cpu" : "gpu"),
                           oracle::Quoted(library_type), std::to_string(customized)});
}

}  // namespace framework
}  // namespace paddle

int main() { std::cout << oracle::Listed(oracle::Lines()) << "\n"; }
