// What makes a program of a text with an installed Paddle's headers: it is linked with this, and with
// Paddle's libraries.
//
// The text's static objects fill Paddle's own KernelFactory. A kernel is found there and called through a
// KernelContext, as Paddle's executor does; which of its arguments is what, its argument definitions say.
// Memory is ours, to the byte, so that a sanitizer sees the next one.
#include <array>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <typeindex>
#include <vector>

#include "paddle/phi/backends/cpu/cpu_context.h"
#include "paddle/phi/common/memory_utils.h"
#include "paddle/phi/core/dense_tensor.h"
#include "paddle/phi/core/kernel_factory.h"
#include "paddle/phi/core/kernel_registry.h"
#include "paddle/phi/core/tensor_utils.h"

#include "../words.h"

// A text's VLOG asks glog of the headers that it was compiled with, and Paddle's libraries have an older
// one without this: nothing is said then. Weak, for a text that is compiled with a glog of its own.
namespace google {
struct SiteFlag;
__attribute__((weak)) bool InitVLOG3__(SiteFlag*, int*, const char*, int) { return false; }
}  // namespace google

namespace unfold {

struct Call : Words {
  std::vector<phi::DenseTensor> inputs, outputs;  // in their order, those of vectors too
  std::vector<int64_t> same_as;  // of each output: the input whose memory it must be, or -1
};

// An output whose dims nobody has said, -1, asks for memory.
struct NoDims {};

inline std::size_t ElementSize(phi::DataType dtype) {
  return dtype == phi::DataType::UNDEFINED ? 0 : phi::SizeOf(dtype);
}

inline std::shared_ptr<phi::Allocation> NewBlock(std::size_t bytes) {
  if (bytes > std::size_t{1} << 62) throw NoDims();
  void* block = nullptr;
  if (posix_memalign(&block, 64, bytes ? bytes : 1) != 0) {
    throw std::length_error("Alloc: no room for " + std::to_string(bytes) + " bytes");
  }
  const auto free = [](phi::Allocation* of) { std::free(of->ptr()); };
  return std::make_shared<phi::Allocation>(block, bytes, free, phi::CPUPlace());
}

struct Allocator : phi::Allocator {
  AllocationPtr Allocate(std::size_t bytes) override {
    auto* kept = new std::shared_ptr<phi::Allocation>(NewBlock(bytes));
    return AllocationPtr(kept->get(), [kept](phi::Allocation*) { delete kept; });
  }
  bool IsAllocThreadSafe() const override { return true; }
};

// What kernels ask for past their context, as phi::Copy does: in Paddle its framework says how.
inline void InitMemory() {
  auto methods = std::make_unique<phi::MemoryInterface>();
  methods->alloc = [](const phi::Place&, std::size_t bytes) { return Allocator().Allocate(bytes); };
  methods->alloc_shared = [](const phi::Place&, std::size_t bytes) { return NewBlock(bytes); };
  methods->copy = [](phi::Place, void* to, phi::Place, const void* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
  };
  phi::MemoryUtils::Instance().Init(std::move(methods));
}

inline phi::CPUContext* Context() {
  static Allocator allocator;
  static phi::CPUContext context;
  InitMemory();
  context.SetAllocator(&allocator);
  context.SetHostAllocator(&allocator);
  context.SetZeroAllocator(&allocator);
  context.SetHostZeroAllocator(&allocator);
  context.SetPinnedAllocator(&allocator);
  context.SetGenerator(phi::DefaultCPUGenerator().get());
  context.SetHostGenerator(phi::DefaultCPUGenerator().get());
  return &context;
}

}  // namespace unfold

namespace phi {

struct TensorOfACall {
  // dtype, dims, levels of detail, where its bytes are (-1: not there yet), and how many.
  static DenseTensor Read(unfold::Words& from) {
    DenseTensorMeta meta;
    meta.dtype = static_cast<DataType>(from.Next());
    meta.dims = common::make_ddim(unfold::Several(from, unfold::Whole<int64_t>));
    meta.strides = DenseTensorMeta::calc_strides(meta.dims);
    for (int64_t levels = from.Next(); levels > 0; --levels) {
      meta.legacy_lod.push_back(unfold::Several(from, unfold::Whole<std::size_t>));
    }
    DenseTensor tensor;
    *DenseTensorUtils::GetMutableMeta(&tensor) = meta;  // set_meta wants a type
    const int64_t at = from.Next(), bytes = from.Next();
    if (at >= 0) {
      // A copy, and the kernel may write to it: what is mapped is its caller's.
      auto block = unfold::NewBlock(static_cast<std::size_t>(bytes));
      std::memcpy(block->ptr(), from.bytes + at, static_cast<std::size_t>(bytes));
      tensor.ResetHolder(block);
    }
    return tensor;
  }

  static Scalar ReadScalar(unfold::Words& from) {
    const auto dtype = static_cast<DataType>(from.Next());
    const int64_t whole = from.Next();
    const double real = unfold::Real<double>(from), imag = unfold::Real<double>(from);
    switch (dtype) {
      case DataType::BOOL: return Scalar(whole != 0);
      case DataType::FLOAT32: return Scalar(static_cast<float>(real));
      case DataType::FLOAT16: return Scalar(dtype::float16(static_cast<float>(real)));
      case DataType::BFLOAT16: return Scalar(dtype::bfloat16(static_cast<float>(real)));
      case DataType::FLOAT64: return Scalar(real);
      case DataType::COMPLEX64:
        return Scalar(dtype::complex<float>(static_cast<float>(real), static_cast<float>(imag)));
      case DataType::COMPLEX128: return Scalar(dtype::complex<double>(real, imag));
      case DataType::INT32: return Scalar(static_cast<int>(whole));
      default: return Scalar(whole);
    }
  }

  static std::vector<int64_t> Dims(const DenseTensor& tensor) {
    return common::vectorize<int64_t>(tensor.dims());
  }
  static void* Data(const DenseTensor& tensor) {
    return tensor.Holder() ? static_cast<char*>(tensor.Holder()->ptr()) + tensor.offset() : nullptr;
  }
  static void Forget(DenseTensor* tensor) { tensor->clear(); }
  static std::size_t Blocks() { return 0; }  // a tensor gives its own back
  static void GiveBack(std::size_t) {}
};

}  // namespace phi

namespace unfold {

inline phi::Attribute AttributeOf(Words& from, phi::AttributeType type) {
  using phi::AttributeType;
  const auto number = phi::TensorOfACall::ReadScalar;
  switch (type) {
    case AttributeType::BOOL: return from.Next() != 0;
    case AttributeType::INT32: return Whole<int>(from);
    case AttributeType::INT64: return from.Next();
    case AttributeType::FLOAT32: return Real<float>(from);
    case AttributeType::FLOAT64: return Real<double>(from);
    case AttributeType::STRING: return Text(from);
    case AttributeType::BOOLS: return Several(from, Whole<bool>);
    case AttributeType::INT32S: return Several(from, Whole<int>);
    case AttributeType::INT64S: return Several(from, Whole<int64_t>);
    case AttributeType::FLOAT32S: return Several(from, Real<float>);
    case AttributeType::FLOAT64S: return Several(from, Real<double>);
    case AttributeType::STRINGS: return Several(from, Text);
    case AttributeType::SCALAR: return number(from);
    case AttributeType::SCALARS: return Several(from, number);
    case AttributeType::INT_ARRAY: return phi::IntArray(Several(from, Whole<int64_t>));
    case AttributeType::DATA_TYPE: return Whole<phi::DataType>(from);
    case AttributeType::DATA_LAYOUT: return Whole<phi::DataLayout>(from);
    default: throw std::invalid_argument("an attribute of a type that no call here can give");
  }
}

// How a kernel takes its inputs, and its outputs, one after the other: -1, a tensor or a list as it says;
// or a list, or an optional one.
inline bool IsList(const std::type_index& of) {
  return of == typeid(std::vector<const phi::DenseTensor*>) ||
         of == typeid(paddle::optional<std::vector<const phi::DenseTensor*>>) ||
         of == typeid(std::vector<phi::DenseTensor*>);
}

inline bool IsOptional(const std::type_index& of) {
  return of == typeid(paddle::optional<phi::DenseTensor>) ||
         of == typeid(paddle::optional<std::vector<const phi::DenseTensor*>>);
}

// How many tensors each of them has; nobody's is -1.
inline std::vector<int64_t> ReadInputs(Call& call, const phi::KernelArgsDef& args) {
  std::vector<int64_t> counts;
  for (const phi::TensorArgDef& def : args.input_defs()) {
    const bool there = !IsOptional(def.type_index) || call.Next() != 0;
    counts.push_back(!there ? -1 : IsList(def.type_index) ? call.Next() : 1);
    for (int64_t i = 0; i < counts.back(); ++i) {
      call.inputs.push_back(phi::TensorOfACall::Read(call));
    }
  }
  return counts;
}

inline std::vector<int64_t> ReadOutputs(Call& call, const phi::KernelArgsDef& args) {
  std::vector<int64_t> counts;
  for (std::size_t n = 0; n < args.output_defs().size(); ++n) {
    counts.push_back(call.Next());
    for (int64_t i = 0; i < counts.back(); ++i) {
      call.same_as.push_back(call.Next());
      call.outputs.push_back(phi::TensorOfACall::Read(call));
      if (call.same_as.back() >= 0) {
        const auto of = static_cast<std::size_t>(call.same_as.back());
        call.outputs.back().ResetHolder(call.inputs.at(of).Holder());
      }
    }
  }
  return counts;
}

template <typename Launch>
void Timed(Call& call, Launch launch);

// One context for all calls that are timed: its inputs and outputs are the call's.
inline void LaunchWith(Call& call, const phi::Kernel& kernel) {
  const phi::KernelArgsDef& args = kernel.args_def();
  const std::vector<int64_t> ins = ReadInputs(call, args);
  std::vector<phi::Attribute> attributes;
  for (const phi::AttributeArgDef& def : args.attribute_defs()) {
    attributes.push_back(AttributeOf(call, def.type_index));
  }
  const std::vector<int64_t> outs = ReadOutputs(call, args);
  phi::KernelContext context(Context());
  std::size_t at = 0;
  for (std::size_t n = 0; n < ins.size(); ++n) {
    if (ins[n] < 0) {
      context.EmplaceBackInput(nullptr);
    } else if (!IsList(args.input_defs()[n].type_index)) {
      context.EmplaceBackInput(&call.inputs[at++]);
    } else {
      paddle::small_vector<const phi::TensorBase*> all;
      for (int64_t i = 0; i < ins[n]; ++i) all.push_back(&call.inputs[at++]);
      context.EmplaceBackInputs(all);
    }
  }
  for (const phi::Attribute& attribute : attributes) context.EmplaceBackAttr(attribute);
  at = 0;
  for (std::size_t n = 0; n < outs.size(); ++n) {
    if (!IsList(args.output_defs()[n].type_index)) {
      context.EmplaceBackOutput(outs[n] ? &call.outputs[at++] : nullptr);
    } else {
      paddle::small_vector<phi::TensorBase*> all;
      for (int64_t i = 0; i < outs[n]; ++i) all.push_back(&call.outputs[at++]);
      context.EmplaceBackOutputs(all);
    }
  }
  Timed(call, [&] {
    try {
      kernel(&context);
    } catch (const std::exception& error) {
      // What Alloc says of dims that aren't known.
      const bool no_dims = std::strstr(error.what(), "The meta data must be valid") != nullptr;
      if (no_dims) throw NoDims();
      throw;
    }
  });
}

// The kernel that Paddle's factory holds: the text's, which was registered after Paddle's own.
inline bool Launch(Call& call, const std::string& name, const std::string& backend,
                   phi::DataType dtype) {
  const phi::KernelNameMap& kernels = phi::KernelFactory::Instance().kernels();
  const auto found = kernels.find(name);
  if (found == kernels.end()) return false;
  for (const auto& [key, kernel] : found->second) {
    std::ostringstream named;
    named << key.backend();
    const bool fits = key.dtype() == dtype || key.dtype() == phi::DataType::UNDEFINED;
    if (named.str() == backend && fits) {
      LaunchWith(call, kernel);
      return true;
    }
  }
  return false;
}

}  // namespace unfold

#include "../main.h"
