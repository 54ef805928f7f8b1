// Asks the PHI of an installed wheel what its KernelFactory holds and whom it selects. Each answer is
// what Paddle itself prints; the caller reads it before asking again.
#include <cstring>
#include <sstream>
#include <string>

#include "paddle/phi/core/kernel_factory.h"

namespace {

std::string answer;

const char* said(const std::ostringstream& text) {
  answer = text.str();
  return answer.c_str();
}

}  // namespace

// A JSON list of [key, what Paddle prints of the kernel], without Paddle's line breaks.
extern "C" const char* kernels_named(const char* name) {
  std::ostringstream all;
  const auto& kernels = phi::KernelFactory::Instance().kernels();
  const auto found = kernels.find(name);
  all << "[";
  if (found != kernels.end()) {
    const char* before = "";
    for (const auto& [key, kernel] : found->second) {
      std::ostringstream printed;
      printed << kernel;
      all << before << "[\"" << key << "\", \"";
      for (char c : printed.str()) {
        if (c == '"') all << '\\';
        all << (c == '\n' || c == '\t' ? ' ' : c);
      }
      all << "\"]";
      before = ", ";
    }
  }
  all << "]";
  return said(all);
}

// "selected FALLBACK STRIDED", or the message of what SelectKernelOrThrowError throws.
extern "C" const char* select_kernel(
    const char* name, int backend, int layout, int dtype, int use_strided_kernel) {
  std::ostringstream text;
  try {
    const auto result = phi::KernelFactory::Instance().SelectKernelOrThrowError(
        name,
        phi::KernelKey(static_cast<phi::Backend>(backend),
                       static_cast<phi::DataLayout>(layout),
                       static_cast<phi::DataType>(dtype)),
        use_strided_kernel != 0);
    text << "selected " << result.has_fallback_cpu << " " << result.is_stride_kernel;
  } catch (const std::exception& error) {
    text << error.what();
  }
  return said(text);
}
