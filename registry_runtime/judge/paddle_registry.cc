// Asks the PHI of an installed Paddle what its maps hold. Compiled against its headers, and loaded into
// a process that has imported it. Names are what Paddle's own operator<< prints.
#include <cxxabi.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "paddle/phi/core/custom_kernel.h"
#include "paddle/phi/core/kernel_factory.h"

namespace {

template <typename T>
std::string Quoted(const T& value) {
  std::ostringstream text;
  text << '"' << value << '"';
  return text.str();
}

std::string Demangled(const std::type_index& type) {
  int status = 0;
  char* name = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  const std::string text = status == 0 ? name : type.name();
  std::free(name);
  return text;
}

template <typename Items, typename ToText>
std::string Listed(const Items& items, ToText to_text) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + to_text(item);
  return "[" + text + "]";
}

std::string Tensor(const phi::TensorArgDef& def) {
  return "{\"backend\": " + Quoted(def.backend) + ", \"layout\": " + Quoted(def.layout) +
         ", \"dtype\": " + Quoted(def.dtype) + ", \"type\": " + Quoted(Demangled(def.type_index)) +
         "}";
}

std::string Attribute(const phi::AttributeArgDef& def) { return Quoted(def.type_index); }

std::string Entry(const std::string& name, const phi::KernelKey& key, const phi::Kernel& kernel,
                  const char* reg_type) {
  const phi::KernelArgsDef& args = kernel.args_def();
  const bool function = kernel.GetKernelRegisteredType() == phi::KernelRegisteredType::FUNCTION;
  return "{\"name\": " + Quoted(name) + ", \"backend\": " + Quoted(key.backend()) +
         ", \"layout\": " + Quoted(key.layout()) + ", \"dtype\": " + Quoted(key.dtype()) +
         ", \"reg_type\": " + Quoted(reg_type) +
         ", \"registered_type\": " + Quoted(function ? "FUNCTION" : "STRUCTURE") +
         ", \"inputs\": " + Listed(args.input_defs(), Tensor) +
         ", \"outputs\": " + Listed(args.output_defs(), Tensor) +
         ", \"attributes\": " + Listed(args.attribute_defs(), Attribute) + "}";
}

void Append(std::vector<std::string>* entries, const phi::KernelNameMap& kernels,
            const char* reg_type) {
  for (const auto& [name, by_key] : kernels)
    for (const auto& [key, kernel] : by_key)
      entries->push_back(Entry(name, key, kernel, reg_type));
}

}  // namespace

// Empties both maps, so that what they hold afterwards was registered afterwards.
extern "C" void unfold_empty() {
  phi::KernelFactory::Instance().kernels().clear();
  phi::CustomKernelMap::Instance().Kernels().clear();
}

// All that they hold, as JSON.
extern "C" const char* unfold_list() {
  static std::string listed;
  std::vector<std::string> entries;
  Append(&entries, phi::KernelFactory::Instance().kernels(), "INNER");
  Append(&entries, phi::CustomKernelMap::Instance().GetMap(), "OUTER");
  listed = Listed(entries, [](const std::string& entry) { return entry; });
  return listed.c_str();
}
