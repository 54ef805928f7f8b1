// A native registry that only records: bodies for what the samples' headers declare, so that a text
// with registrations becomes a program. Its static objects are constructed before main(), as in Paddle,
// and main() prints what they registered, as JSON. Nothing here expands a macro or parses C++: that is
// left to the compiler, which is why this can judge Unfold. The kernels themselves are never run.
//
// It stands in front of the one file that is compiled; with RECORDING_LINKED, all that is the same for
// every text is left out, and lies in an object of its own. Names are spelled as Paddle's operator<<
// does.
#pragma once

#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

// A text with headers of its own in the samples' stead names that which declares the registry.
#ifndef RECORDING_HEADER
#define RECORDING_HEADER "struct_kernel.h"
#define RECORDING_STRUCTURES
#endif
#include RECORDING_HEADER
#ifdef RECORDING_STRUCTURES
#include "phi/types.h"  // a body that counts with float16 or complex is compiled, though never run
#endif

namespace recording {

// --- Names -------------------------------------------------------------------------------------

// Indexed by the enumerators' values.
const char* const kBackends[] = {
    "Undefined", "CPU", "ONEDNN", "GPU", "GPUDNN", "XPU", "IPU", "KPS", "CUSTOM"};

const char* const kLayouts[] = {
    "Undefined(AnyLayout)", "NHWC",       "NCHW",       "NCDHW",         "NDHWC",
    "ONEDNN",               "SPARSE_COO", "SPARSE_CSR", "PSTRING_UNION", "STRIDED"};

const char* const kDataTypes[] = {
    "Undefined", "bool",    "uint8",    "int8",          "uint16",     "int16",     "uint32",
    "int32",     "uint64",  "int64",    "float32",       "float64",    "complex64", "complex128",
    "pstring",   "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"};

const char* const kAttributes[] = {
    "Undefined",      "bool",           "int",            "int64_t",         "float",
    "double",         "string",         "vector<bool>",   "vector<int>",     "vector<int64_t>",
    "vector<float>",  "vector<double>", "vector<string>", "Scalar",          "vector<Scalar>",
    "IntArray",       "DataType",       "DataLayout",     "Place"};

// Devices that Paddle wasn't compiled with, in the order in which they were first named: the first
// is device number 1, because 0 stands for "no device". Inside a function, since registrars may run
// before any other object of this file exists.
inline std::vector<std::string>& PluginDevices() {
  static std::vector<std::string> devices;
  return devices;
}

inline phi::Backend BackendNamed(const std::string& name) {
  if (name == "OneDNN") return phi::Backend::ONEDNN;
  if (name == "Custom") return phi::Backend::CUSTOM;
#if defined(PADDLE_WITH_CUDA) || defined(PADDLE_WITH_HIP)
  if (name == "KPS") return phi::Backend::GPU;
#endif
  for (phi::Backend known : {phi::Backend::UNDEFINED, phi::Backend::CPU, phi::Backend::GPU,
                             phi::Backend::GPUDNN, phi::Backend::XPU, phi::Backend::IPU,
                             phi::Backend::KPS}) {
    if (name == kBackends[static_cast<std::size_t>(known)]) return known;
  }
  std::vector<std::string>& devices = PluginDevices();
  std::size_t id = 1;
  while (id <= devices.size() && devices[id - 1] != name) ++id;
  if (id > devices.size()) devices.push_back(name);
  return static_cast<phi::Backend>(static_cast<std::size_t>(phi::Backend::NUM_BACKENDS) + id);
}

inline std::string Name(phi::Backend backend) {
  const auto value = static_cast<std::size_t>(backend);
  const auto known = static_cast<std::size_t>(phi::Backend::NUM_BACKENDS);
  return value < known ? kBackends[value] : PluginDevices().at(value - known - 1);
}

inline std::string Name(phi::DataLayout layout) {
  return kLayouts[static_cast<std::size_t>(layout)];
}

inline std::string Name(phi::DataType dtype) {
  return kDataTypes[static_cast<std::size_t>(dtype)];
}

inline std::string Name(phi::AttributeType type) {
  return kAttributes[static_cast<std::size_t>(type)];
}

inline std::string Name(phi::KernelRegisteredType type) {
  return type == phi::KernelRegisteredType::FUNCTION ? "FUNCTION" : "STRUCTURE";
}

// --- A kernel's parameters, from its type ------------------------------------------------------

// Which parameter types are attributes. UNDEFINED: none.
template <typename Arg>
constexpr phi::AttributeType kAttribute = phi::AttributeType::UNDEFINED;
template <>
inline constexpr auto kAttribute<bool> = phi::AttributeType::BOOL;
template <>
inline constexpr auto kAttribute<int> = phi::AttributeType::INT32;
template <>
inline constexpr auto kAttribute<int64_t> = phi::AttributeType::INT64;
template <>
inline constexpr auto kAttribute<float> = phi::AttributeType::FLOAT32;
template <>
inline constexpr auto kAttribute<double> = phi::AttributeType::FLOAT64;
template <>
inline constexpr auto kAttribute<const std::string&> = phi::AttributeType::STRING;
template <>
inline constexpr auto kAttribute<const std::vector<bool>&> = phi::AttributeType::BOOLS;
template <>
inline constexpr auto kAttribute<const std::vector<int>&> = phi::AttributeType::INT32S;
template <>
inline constexpr auto kAttribute<const std::vector<int64_t>&> = phi::AttributeType::INT64S;
template <>
inline constexpr auto kAttribute<const std::vector<float>&> = phi::AttributeType::FLOAT32S;
template <>
inline constexpr auto kAttribute<const std::vector<double>&> = phi::AttributeType::FLOAT64S;
template <>
inline constexpr auto kAttribute<const std::vector<std::string>&> = phi::AttributeType::STRINGS;
template <>
inline constexpr auto kAttribute<const phi::Scalar&> = phi::AttributeType::SCALAR;
template <>
inline constexpr auto kAttribute<const std::vector<phi::Scalar>&> = phi::AttributeType::SCALARS;
template <>
inline constexpr auto kAttribute<const phi::IntArray&> = phi::AttributeType::INT_ARRAY;
template <>
inline constexpr auto kAttribute<phi::DataType> = phi::AttributeType::DATA_TYPE;
template <>
inline constexpr auto kAttribute<phi::DataLayout> = phi::AttributeType::DATA_LAYOUT;
template <>
inline constexpr auto kAttribute<phi::Place> = phi::AttributeType::PLACE;

// Which are inputs and outputs, and how they are spelled. nullptr: none. For the tensors:
template <typename Tensor>
constexpr const char* kTensor = nullptr;
template <>
inline constexpr const char* kTensor<phi::DenseTensor> = "DenseTensor";
template <>
inline constexpr const char* kTensor<phi::SelectedRows> = "SelectedRows";
template <>
inline constexpr const char* kTensor<phi::SparseCooTensor> = "SparseCooTensor";
template <>
inline constexpr const char* kTensor<phi::SparseCsrTensor> = "SparseCsrTensor";
template <>
inline constexpr const char* kTensor<phi::StringTensor> = "StringTensor";
template <>
inline constexpr const char* kTensor<phi::TensorArray> = "TensorArray";
template <>
inline constexpr const char* kTensor<phi::ExtendedTensor> = "ExtendedTensor";

// And for the ways to pass them.
struct Spelling {
  const char* before;
  const char* tensor;
  const char* after;
};
template <typename Arg>
constexpr Spelling kInput = {"", nullptr, ""};
template <typename Tensor>
constexpr Spelling kInput<const Tensor&> = {"const ", kTensor<Tensor>, "&"};
template <typename Tensor>
constexpr Spelling kInput<const paddle::optional<Tensor>&> = {
    "const paddle::optional<", kTensor<Tensor>, ">&"};
template <typename Tensor>
constexpr Spelling kInput<const std::vector<const Tensor*>&> = {
    "const std::vector<const ", kTensor<Tensor>, "*>&"};
template <typename Tensor>
constexpr Spelling kInput<const paddle::optional<std::vector<const Tensor*>>&> = {
    "const paddle::optional<std::vector<const ", kTensor<Tensor>, "*>>&"};

template <typename Arg>
constexpr Spelling kOutput = {"", nullptr, ""};
template <typename Tensor>
constexpr Spelling kOutput<Tensor*> = {"", kTensor<Tensor>, "*"};
template <typename Tensor>
constexpr Spelling kOutput<std::vector<Tensor*>> = {"std::vector<", kTensor<Tensor>, "*>"};

template <typename Arg>
constexpr bool kIsContext =
    std::is_base_of_v<phi::DeviceContext, std::remove_cv_t<std::remove_reference_t<Arg>>>;

// A TensorArgDef points to its type's name, so there is one string for each type.
template <typename Arg>
const char* Spelled(const Spelling& of) {
  static const std::string text = std::string(of.before) + of.tensor + of.after;
  return text.c_str();
}

// Writes one parameter down. Every tensor is expected as the kernel's key says; a tensor can't have
// "any" layout, so there NCHW stands for it.
template <typename Arg>
void AppendArg(const phi::KernelKey& key, phi::KernelArgsDef* def) {
  const phi::DataLayout layout =
      key.layout() == phi::DataLayout::ANY ? phi::DataLayout::NCHW : key.layout();
  if constexpr (kInput<Arg>.tensor != nullptr) {
    def->AppendInput(key.backend(), layout, key.dtype(), Spelled<Arg>(kInput<Arg>));
  } else if constexpr (kOutput<Arg>.tensor != nullptr) {
    def->AppendOutput(key.backend(), layout, key.dtype(), Spelled<Arg>(kOutput<Arg>));
  } else if constexpr (!kIsContext<Arg>) {
    static_assert(kAttribute<Arg> != phi::AttributeType::UNDEFINED,
                  "a kernel can't have a parameter of this type");
    def->AppendAttribute(kAttribute<Arg>);
  }
}

// --- The registry ------------------------------------------------------------------------------

struct Entry {
  phi::RegType reg_type;
  std::string name;
  phi::KernelKey key;
  phi::Kernel kernel;
};

inline std::vector<Entry>& Registry() {
  static std::vector<Entry> entries;
  return entries;
}

// A key that is taken: Paddle's own kernels replace each other in silence, a plug-in's may not.
inline void Register(const Entry& entry) {
  for (Entry& other : Registry()) {
    if (other.reg_type != entry.reg_type || other.name != entry.name ||
        other.key.backend() != entry.key.backend() || other.key.layout() != entry.key.layout() ||
        other.key.dtype() != entry.key.dtype()) {
      continue;
    }
    if (entry.reg_type == phi::RegType::OUTER) {
      throw std::runtime_error("AlreadyExists: " + entry.name);
    }
    other = entry;
    return;
  }
  Registry().push_back(entry);
}

#ifndef RECORDING_LINKED

// --- As JSON -----------------------------------------------------------------------------------

inline std::string Quoted(const std::string& text) { return '"' + text + '"'; }

template <typename Item, typename ToText>
std::string Listed(const std::vector<Item>& items, ToText to_text) {
  std::string text;
  for (const Item& item : items) text += (text.empty() ? "" : ", ") + to_text(item);
  return "[" + text + "]";
}

// What a key and a tensor have in common.
inline std::string Coordinates(phi::Backend backend, phi::DataLayout layout, phi::DataType dtype) {
  return "\"backend\": " + Quoted(Name(backend)) + ", \"layout\": " + Quoted(Name(layout)) +
         ", \"dtype\": " + Quoted(Name(dtype));
}

inline std::string TensorAsJson(const phi::TensorArgDef& tensor) {
  return "{" + Coordinates(tensor.backend, tensor.layout, tensor.dtype) +
         ", \"type\": " + Quoted(tensor.type) + "}";
}

inline std::string AttributeAsJson(phi::AttributeType type) { return Quoted(Name(type)); }

inline std::string EntryAsJson(Entry entry) {
  const phi::KernelKey& key = entry.key;
  phi::KernelArgsDef* args = entry.kernel.mutable_args_def();
  return "{\"name\": " + Quoted(entry.name) +
         ", " + Coordinates(key.backend(), key.layout(), key.dtype()) +
         ", \"backend_value\": " + std::to_string(static_cast<int>(key.backend())) +
         ", \"reg_type\": " + Quoted(entry.reg_type == phi::RegType::INNER ? "INNER" : "OUTER") +
         ", \"registered_type\": " + Quoted(Name(entry.kernel.GetKernelRegisteredType())) +
         ", \"inputs\": " + Listed(args->input_defs(), TensorAsJson) +
         ", \"outputs\": " + Listed(args->output_defs(), TensorAsJson) +
         ", \"attributes\": " + Listed(args->attribute_defs(), AttributeAsJson) + "}";
}

#endif  // RECORDING_LINKED

}  // namespace recording

// --- The bodies that phi.h leaves out ----------------------------------------------------------

namespace phi {

template <typename Return, typename... Args>
void KernelArgsParseFunctor<Return (*)(Args...)>::Parse(const KernelKey& default_key,
                                                        KernelArgsDef* args_def) {
  (recording::AppendArg<Args>(default_key, args_def), ...);
}

// These only have to have addresses. As they don't mention kernel_fn, the linker may drop the
// kernels, and with them what they call and nobody defined.
template <typename Return, typename DevCtx, typename... Args, Return (*kernel_fn)(DevCtx, Args...)>
void KernelImpl<Return (*)(DevCtx, Args...), kernel_fn>::Compute(KernelContext*) {}

template <typename Return, typename DevCtx, typename... Args, Return (*kernel_fn)(DevCtx, Args...)>
void KernelImpl<Return (*)(DevCtx, Args...), kernel_fn>::VariadicCompute(const DeviceContext&,
                                                                         Args...) {}

#ifndef RECORDING_LINKED

KernelKey::KernelKey(Backend backend, DataLayout layout, DataType dtype)
    : backend_(backend), layout_(layout), dtype_(dtype) {}
Backend KernelKey::backend() const { return backend_; }
DataLayout KernelKey::layout() const { return layout_; }
DataType KernelKey::dtype() const { return dtype_; }

DataType dtype::ToReal(DataType dtype) {
  if (dtype == DataType::COMPLEX64) return DataType::FLOAT32;
  if (dtype == DataType::COMPLEX128) return DataType::FLOAT64;
  return dtype;
}

DataType dtype::ToComplex(DataType dtype) {
  if (dtype == DataType::FLOAT32) return DataType::COMPLEX64;
  if (dtype == DataType::FLOAT64) return DataType::COMPLEX128;
  return dtype;
}

TensorArgDef& TensorArgDef::SetBackend(Backend in_backend) {
  backend = in_backend;
  return *this;
}

TensorArgDef& TensorArgDef::SetDataLayout(DataLayout in_layout) {
  layout = in_layout;
  return *this;
}

TensorArgDef& TensorArgDef::SetDataType(DataType in_dtype) {
  dtype = in_dtype;
  return *this;
}

void KernelArgsDef::AppendInput(Backend b, DataLayout l, DataType d, const char* type) {
  input_defs_.push_back({b, l, d, type});
}

void KernelArgsDef::AppendOutput(Backend b, DataLayout l, DataType d, const char* type) {
  output_defs_.push_back({b, l, d, type});
}

void KernelArgsDef::AppendAttribute(AttributeType type) { attribute_defs_.push_back(type); }
std::vector<TensorArgDef>& KernelArgsDef::input_defs() { return input_defs_; }
std::vector<TensorArgDef>& KernelArgsDef::output_defs() { return output_defs_; }
std::vector<AttributeType>& KernelArgsDef::attribute_defs() { return attribute_defs_; }

// A kernel without a variadic function is one of Fluid's.
Kernel::Kernel(KernelFn fn, void* variadic_fn) : fn_(fn), variadic_fn_(variadic_fn) {
  if (variadic_fn == nullptr) kernel_registered_type_ = KernelRegisteredType::STRUCTURE;
}
KernelRegisteredType Kernel::GetKernelRegisteredType() const { return kernel_registered_type_; }
KernelArgsDef* Kernel::mutable_args_def() { return &args_def_; }
TensorArgDef& Kernel::InputAt(std::size_t idx) { return args_def_.input_defs().at(idx); }
TensorArgDef& Kernel::OutputAt(std::size_t idx) { return args_def_.output_defs().at(idx); }

KernelRegistrar::KernelRegistrar(RegType reg_type,
                                 const char* kernel_name_cstr,
                                 const char* backend_cstr,
                                 DataLayout layout,
                                 DataType dtype,
                                 KernelArgsParseFn args_parse_fn,
                                 KernelArgsDefFn args_def_fn,
                                 KernelFn kernel_fn,
                                 void* variadic_kernel_fn) {
  const KernelKey key(recording::BackendNamed(backend_cstr), layout, dtype);
  Kernel kernel(kernel_fn, variadic_kernel_fn);
  if (kernel.GetKernelRegisteredType() == KernelRegisteredType::FUNCTION) {
    args_parse_fn(key, kernel.mutable_args_def());
  }
  args_def_fn(key, &kernel);
  recording::Register({reg_type, kernel_name_cstr, key, kernel});
}

KernelRegistrar::KernelRegistrar(RegType reg_type,
                                 const char* kernel_name_cstr,
                                 const char* backend_cstr,
                                 DataLayout layout,
                                 KernelArgsParseFn args_parse_fn,
                                 KernelArgsDefFn args_def_fn,
                                 KernelFn kernel_fn,
                                 void* variadic_kernel_fn) {
  const bool of_strings = std::string(kernel_name_cstr).rfind("strings_", 0) == 0;
  for (int value = 1; value < static_cast<int>(DataType::NUM_DATA_TYPES); ++value) {
    const DataType dtype = static_cast<DataType>(value);
    if (dtype == DataType::UINT16 || dtype == DataType::UINT32 || dtype == DataType::UINT64) continue;
    if (dtype == DataType::PSTRING && !of_strings) continue;
    KernelRegistrar(reg_type, kernel_name_cstr, backend_cstr, layout, dtype, args_parse_fn,
                    args_def_fn, kernel_fn, variadic_kernel_fn);
  }
}

#endif  // RECORDING_LINKED

}  // namespace phi

#ifdef RECORDING_STRUCTURES
template <typename StructureKernel>
void paddle::framework::StructKernelImpl<StructureKernel>::Compute(phi::KernelContext*) {}
#endif

#ifndef RECORDING_LINKED
int main() { std::cout << recording::Listed(recording::Registry(), recording::EntryAsJson) << "\n"; }
#endif  // RECORDING_LINKED
