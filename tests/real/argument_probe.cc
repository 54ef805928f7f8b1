// Asks the PHI of an installed wheel what it takes down for one parameter of each type.
//
// TYPES, which the test defines above this text, lists X(type) for each.
#include <sstream>
#include <string>
#include <typeindex>
#include <vector>

#include "paddle/phi/core/kernel_registry.h"

namespace {
std::string answer;
}

// "inputs outputs attributes", the attribute by its type; or what SetKernelArgsDef throws.
extern "C" const char* taken_down(int index) {
#define X(...) std::type_index(typeid(__VA_ARGS__)),
  static const std::vector<std::type_index> types = {TYPES};
  std::ostringstream text;
  phi::KernelArgsDef args_def;
  const phi::KernelKey key(phi::Backend::CPU, phi::DataLayout::NCHW, phi::DataType::FLOAT32);
  try {
    phi::SetKernelArgsDef({types.at(index)}, key, &args_def);
    text << args_def.input_defs().size() << " " << args_def.output_defs().size();
    for (const auto& attribute : args_def.attribute_defs()) text << " " << attribute.type_index;
  } catch (const std::exception& error) {
    text << error.what();
  }
  answer = text.str();
  return answer.c_str();
}
