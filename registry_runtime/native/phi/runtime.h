// What phi.h only declares, so that a text which includes it becomes a program that runs one kernel.
//
// It is put in front of the text (`-include`). The text's static objects fill the table below; main() in
// call.h reads a call's arguments from a file, calls the kernel through its `Compute`, as Paddle's executor
// does, and writes what it left. `UNFOLD_KERNEL` is the function that is wanted, `phi::SoftmaxKernel`: any
// other's Compute is empty, so that what they call need not be defined, and the linker drops them.
#pragma once

#include "types.h"

namespace unfold {

// --- Memory of a call: given back when it ends -------------------------------------------------

inline std::vector<void*>& Blocks() {
  static std::vector<void*> blocks;
  return blocks;
}

inline void* NewBlock(std::size_t bytes) {
  if (bytes > std::size_t{1} << 62) throw std::length_error("Alloc: dims of less than nothing");
  // To the byte, so that a sanitizer sees the next one.
  void* block = nullptr;
  if (posix_memalign(&block, 64, bytes ? bytes : 1) != 0) {
    throw std::length_error("Alloc: no room for " + std::to_string(bytes) + " bytes");
  }
  Blocks().push_back(block);
  return block;
}

inline std::size_t ElementSize(phi::DataType dtype) {
  // In the order of the enumerators; UNDEFINED has none.
  constexpr std::array<std::size_t, 19> sizes = {0, 1, 1, 1, 2, 2, 4, 4, 8, 8,
                                                 4, 8, 8, 16, sizeof(phi::dtype::pstring), 2, 2, 1, 1};
  return sizes.at(static_cast<std::size_t>(dtype));
}

inline int64_t Product(const std::vector<int64_t>& dims) {
  int64_t product = 1;
  for (int64_t dim : dims) product *= dim;
  return product;
}

// An output's dims where nobody has said them, as PHI writes one that isn't known. It gets no memory, for
// nobody knows how much.
inline const std::vector<int64_t>& NobodysDims() {
  static const std::vector<int64_t> dims = {-1};
  return dims;
}

struct NoDims {};

// --- The registry ------------------------------------------------------------------------------

struct Entry {
  std::string name, backend;
  phi::DataLayout layout;
  phi::DataType dtype;
  phi::KernelFn compute;
};

inline std::vector<Entry>& Registry() {
  static std::vector<Entry> entries;
  return entries;
}

}  // namespace unfold

namespace phi {

struct TensorOfACall {
  static std::vector<int64_t> Dims(unfold::Words& from) {
    std::vector<int64_t> dims(static_cast<std::size_t>(from.Next()));
    for (int64_t& dim : dims) dim = from.Next();
    return dims;
  }

  // dtype, dims, levels of detail, where its bytes are (-1: not there yet), and how many.
  static DenseTensor Read(unfold::Words& from) {
    DenseTensor tensor;
    tensor.dtype_ = static_cast<DataType>(from.Next());
    tensor.Resize(Dims(from));
    tensor.lod_.resize(static_cast<std::size_t>(from.Next()));
    for (auto& level : tensor.lod_) {
      for (int64_t offset : Dims(from)) level.push_back(static_cast<std::size_t>(offset));
    }
    const int64_t at = from.Next(), bytes = from.Next();
    if (at >= 0) {
      // A copy to the byte, and the kernel may write to it: what is mapped is its caller's.
      tensor.data_ = unfold::NewBlock(static_cast<std::size_t>(bytes));
      std::memcpy(tensor.data_, from.bytes + at, static_cast<std::size_t>(bytes));
    }
    return tensor;
  }

  static Scalar ReadScalar(unfold::Words& from) {
    Scalar scalar;
    scalar.dtype_ = static_cast<DataType>(from.Next());
    scalar.integer_ = from.Next();
    scalar.real_ = unfold::Bits<double>(from.Next());
    scalar.imag_ = unfold::Bits<double>(from.Next());
    return scalar;
  }

  static std::vector<int64_t> Dims(const DenseTensor& tensor) { return tensor.dims_; }
  static void* Data(const DenseTensor& tensor) { return tensor.data_; }
  static void Forget(DenseTensor* tensor) { tensor->data_ = nullptr; }
  static void Share(DenseTensor* out, const DenseTensor& in) { out->data_ = in.data_; }

  // Memory that was taken after a call's first blocks.
  static std::size_t Blocks() { return unfold::Blocks().size(); }
  static void GiveBack(std::size_t kept) {
    while (unfold::Blocks().size() > kept) {
      std::free(unfold::Blocks().back());
      unfold::Blocks().pop_back();
    }
  }
};

// --- phi.h's bodies ----------------------------------------------------------------------------

inline int64_t DenseTensor::numel() const { return numel_; }
inline std::vector<int64_t> DenseTensor::dims() const { return dims_; }
inline DataType DenseTensor::dtype() const { return dtype_; }
inline const std::vector<std::vector<std::size_t>>& DenseTensor::lod() const { return lod_; }

template <typename T>
inline const T* DenseTensor::data() const {
  if (data_ == nullptr && numel_ != 0) throw std::runtime_error("data(): the tensor has no memory yet");
  return static_cast<const T*>(data_);
}

template <typename T>
inline T* DenseTensor::data() {
  return const_cast<T*>(static_cast<const DenseTensor*>(this)->data<T>());
}

inline DenseTensor& DenseTensor::Resize(const std::vector<int64_t>& dims) {
  const int64_t numel = unfold::Product(dims);
  if (numel > numel_) data_ = nullptr;
  dims_ = dims;
  numel_ = numel;
  return *this;
}

inline void* DeviceContext::Alloc(DenseTensor* tensor, DataType dtype) const {
  if (tensor->dims_ == unfold::NobodysDims()) throw unfold::NoDims();
  const std::size_t size = unfold::ElementSize(dtype);
  if (tensor->data_ == nullptr || unfold::ElementSize(tensor->dtype_) < size) {
    tensor->data_ = unfold::NewBlock(static_cast<std::size_t>(tensor->numel_) * size);
  }
  tensor->dtype_ = dtype;
  return tensor->data_;
}

template <typename T>
inline T* DeviceContext::Alloc(DenseTensor* tensor) const {
  return static_cast<T*>(Alloc(tensor, CppTypeToDataType<T>::Type()));
}

inline IntArray::IntArray(const std::vector<int64_t>& values) : array_(values) {}
inline const std::vector<int64_t>& IntArray::GetData() const { return array_; }

template <typename T>
inline T Scalar::to() const {
  const bool whole = dtype_ <= DataType::INT64;
  if constexpr (std::is_same_v<T, dtype::complex<float>> || std::is_same_v<T, dtype::complex<double>>) {
    using Part = decltype(T{}.real);
    return whole ? T(static_cast<Part>(integer_), 0) : T(static_cast<Part>(real_), static_cast<Part>(imag_));
  } else {
    return whole ? static_cast<T>(integer_) : static_cast<T>(real_);
  }
}

inline KernelKey::KernelKey(Backend backend, DataLayout layout, DataType dtype)
    : backend_(backend), layout_(layout), dtype_(dtype) {}
inline Backend KernelKey::backend() const { return backend_; }
inline DataLayout KernelKey::layout() const { return layout_; }
inline DataType KernelKey::dtype() const { return dtype_; }

inline DataType dtype::ToReal(DataType dtype) {
  if (dtype == DataType::COMPLEX64) return DataType::FLOAT32;
  return dtype == DataType::COMPLEX128 ? DataType::FLOAT64 : dtype;
}
inline DataType dtype::ToComplex(DataType dtype) {
  if (dtype == DataType::FLOAT32) return DataType::COMPLEX64;
  return dtype == DataType::FLOAT64 ? DataType::COMPLEX128 : dtype;
}

// What a registration's braces say is read elsewhere, and never run here: it has to have an address.
inline TensorArgDef& TensorArgDef::SetBackend(Backend) { return *this; }
inline TensorArgDef& TensorArgDef::SetDataLayout(DataLayout) { return *this; }
inline TensorArgDef& TensorArgDef::SetDataType(DataType) { return *this; }
inline void KernelArgsDef::AppendInput(Backend, DataLayout, DataType, const char*) {}
inline void KernelArgsDef::AppendOutput(Backend, DataLayout, DataType, const char*) {}
inline void KernelArgsDef::AppendAttribute(AttributeType) {}
inline std::vector<TensorArgDef>& KernelArgsDef::input_defs() { return input_defs_; }
inline std::vector<TensorArgDef>& KernelArgsDef::output_defs() { return output_defs_; }
inline std::vector<AttributeType>& KernelArgsDef::attribute_defs() { return attribute_defs_; }
inline Kernel::Kernel(KernelFn fn, void* variadic_fn) : fn_(fn), variadic_fn_(variadic_fn) {}
inline KernelRegisteredType Kernel::GetKernelRegisteredType() const { return kernel_registered_type_; }
inline KernelArgsDef* Kernel::mutable_args_def() { return &args_def_; }
inline TensorArgDef& Kernel::InputAt(std::size_t idx) { return args_def_.input_defs().at(idx); }
inline TensorArgDef& Kernel::OutputAt(std::size_t idx) { return args_def_.output_defs().at(idx); }

template <typename Return, typename... Args>
void KernelArgsParseFunctor<Return (*)(Args...)>::Parse(const KernelKey&, KernelArgsDef*) {}

inline KernelRegistrar::KernelRegistrar(RegType, const char* name, const char* backend,
                                        DataLayout layout, DataType dtype, KernelArgsParseFn,
                                        KernelArgsDefFn, KernelFn kernel_fn, void*) {
  unfold::Registry().push_back({name, backend, layout, dtype, kernel_fn});
}

// For every type: the entry says UNDEFINED, which fits any.
inline KernelRegistrar::KernelRegistrar(RegType, const char* name, const char* backend,
                                        DataLayout layout, KernelArgsParseFn, KernelArgsDefFn,
                                        KernelFn kernel_fn, void*) {
  unfold::Registry().push_back({name, backend, layout, DataType::UNDEFINED, kernel_fn});
}

}  // namespace phi

namespace unfold {

// --- Compute: from words to a kernel's parameters ----------------------------------------------

// Phi's executor hands over a KernelContext; here it is one of these.
struct Call : phi::KernelContext, Words {
  std::vector<phi::DenseTensor> inputs;  // in their order, those of vectors too
  std::vector<phi::DenseTensor> outputs;
  std::vector<int64_t> same_as;  // of each output: the input whose memory it must be, or -1
};

// What a parameter of each type is made of, kept for as long as the call takes.
template <typename Arg>
struct Argument;

template <typename T>
struct Plain {
  T value;
  operator T() const { return value; }
};

#define UNFOLD_ARGUMENT(type, kept, made)                                                         \
  template <>                                                                                     \
  struct Argument<type> {                                                                         \
    kept value;                                                                                   \
    explicit Argument(Call& call) : value(made) {}                                                \
    type Get() { return value; }                                                                  \
  };

inline phi::Scalar Number(Words& from) { return phi::TensorOfACall::ReadScalar(from); }

UNFOLD_ARGUMENT(bool, bool, call.Next() != 0)
UNFOLD_ARGUMENT(int, int, Whole<int>(call))
UNFOLD_ARGUMENT(int64_t, int64_t, call.Next())
UNFOLD_ARGUMENT(float, float, Real<float>(call))
UNFOLD_ARGUMENT(double, double, Real<double>(call))
UNFOLD_ARGUMENT(phi::DataType, phi::DataType, Whole<phi::DataType>(call))
UNFOLD_ARGUMENT(phi::DataLayout, phi::DataLayout, Whole<phi::DataLayout>(call))
UNFOLD_ARGUMENT(const std::string&, std::string, Text(call))
UNFOLD_ARGUMENT(const phi::Scalar&, phi::Scalar, Number(call))
UNFOLD_ARGUMENT(const phi::IntArray&, phi::IntArray, Several(call, Whole<int64_t>))
UNFOLD_ARGUMENT(const std::vector<bool>&, std::vector<bool>, Several(call, Whole<bool>))
UNFOLD_ARGUMENT(const std::vector<int>&, std::vector<int>, Several(call, Whole<int>))
UNFOLD_ARGUMENT(const std::vector<int64_t>&, std::vector<int64_t>,
                Several(call, Whole<int64_t>))
UNFOLD_ARGUMENT(const std::vector<float>&, std::vector<float>, Several(call, Real<float>))
UNFOLD_ARGUMENT(const std::vector<double>&, std::vector<double>,
                Several(call, Real<double>))
UNFOLD_ARGUMENT(const std::vector<std::string>&, std::vector<std::string>,
                Several(call, Text))
UNFOLD_ARGUMENT(const std::vector<phi::Scalar>&, std::vector<phi::Scalar>,
                Several(call, Number))
#undef UNFOLD_ARGUMENT

// Tensors are read before the first of them is handed out, so that they keep their places.
inline std::size_t ReadInput(Call& call) {
  call.inputs.push_back(phi::TensorOfACall::Read(call));
  return call.inputs.size() - 1;
}

template <>
struct Argument<const phi::DenseTensor&> {
  Call& call;
  std::size_t at;
  explicit Argument(Call& c) : call(c), at(ReadInput(c)) {}
  const phi::DenseTensor& Get() { return call.inputs[at]; }
};

template <>
struct Argument<const std::vector<const phi::DenseTensor*>&> {
  Call& call;
  std::vector<std::size_t> at;
  std::vector<const phi::DenseTensor*> value;
  explicit Argument(Call& c) : call(c), at(Several(c, ReadInput)) {}
  const std::vector<const phi::DenseTensor*>& Get() {
    value.clear();
    for (std::size_t i : at) value.push_back(&call.inputs[i]);
    return value;
  }
};

template <>
struct Argument<const paddle::optional<phi::DenseTensor>&> {
  paddle::optional<phi::DenseTensor> value;
  explicit Argument(Call& c) {
    if (c.Next()) value = c.inputs[ReadInput(c)];
  }
  const paddle::optional<phi::DenseTensor>& Get() { return value; }
};

template <>
struct Argument<const paddle::optional<std::vector<const phi::DenseTensor*>>&> {
  bool there;
  std::vector<std::size_t> at;
  Call& call;
  paddle::optional<std::vector<const phi::DenseTensor*>> value;
  explicit Argument(Call& c) : there(c.Next() != 0), call(c) {
    if (there) at = Several(c, ReadInput);
  }
  const paddle::optional<std::vector<const phi::DenseTensor*>>& Get() {
    std::vector<const phi::DenseTensor*> all;
    for (std::size_t i : at) all.push_back(&call.inputs[i]);
    if (there) value = all;
    return value;
  }
};

inline std::size_t ReadOutput(Call& call) {
  call.same_as.push_back(call.Next());
  call.outputs.push_back(phi::TensorOfACall::Read(call));
  if (call.same_as.back() >= 0) {
    const auto of = static_cast<std::size_t>(call.same_as.back());
    phi::TensorOfACall::Share(&call.outputs.back(), call.inputs.at(of));
  }
  return call.outputs.size() - 1;
}

template <>
struct Argument<phi::DenseTensor*> {
  Call& call;
  bool wanted;
  std::size_t at;
  explicit Argument(Call& c) : call(c), wanted(c.Next() != 0), at(wanted ? ReadOutput(c) : 0) {}
  phi::DenseTensor* Get() { return wanted ? &call.outputs[at] : nullptr; }
};

template <>
struct Argument<std::vector<phi::DenseTensor*>> {
  Call& call;
  std::vector<std::size_t> at;
  explicit Argument(Call& c) : call(c), at(Several(c, ReadOutput)) {}
  std::vector<phi::DenseTensor*> Get() {
    std::vector<phi::DenseTensor*> all;
    for (std::size_t i : at) all.push_back(&call.outputs[i]);
    return all;
  }
};

// Runs the call, again and again if main() asks for it; in call.h, behind the clock.
template <typename Launch>
void Timed(Call& call, Launch launch);

#ifndef UNFOLD_KERNEL
#define UNFOLD_KERNEL ""
#endif

// Whether this is the function that is wanted, by the name that the compiler gives it here:
// `… kernel = phi::SoftmaxKernel<float, …>]`.
template <typename Fn, Fn kernel>
constexpr bool IsWanted() {
  constexpr const char* wanted = UNFOLD_KERNEL;
  const char* here = __PRETTY_FUNCTION__;
  if (!wanted[0]) return true;  // all of them
  for (++here; *here; ++here) {
    std::size_t i = 0;
    while (wanted[i] && here[i] == wanted[i]) ++i;
    if (wanted[i]) continue;
    const char next = here[i], last = here[-1];
    const bool longer = (next >= '0' && next <= '9') || (next >= 'A' && next <= 'Z') ||
                        (next >= 'a' && next <= 'z') || next == '_' || next == ':';
    if (!longer && (last == ' ' || last == '&' || last == '(' || last == ':')) return true;
  }
  return false;
}

}  // namespace unfold

namespace phi {

template <typename Return, typename DevCtx, typename... Args, Return (*kernel_fn)(DevCtx, Args...)>
void KernelImpl<Return (*)(DevCtx, Args...), kernel_fn>::Compute(KernelContext* ctx) {
  if constexpr (unfold::IsWanted<Return (*)(DevCtx, Args...), kernel_fn>()) {
    auto& call = *static_cast<unfold::Call*>(ctx);
    const std::remove_cv_t<std::remove_reference_t<DevCtx>> dev_ctx{};
    // Braces: from left to right.
    std::tuple<unfold::Argument<Args>...> arguments{unfold::Argument<Args>(call)...};
    unfold::Timed(call, [&] {
      std::apply([&](auto&... each) { kernel_fn(dev_ctx, each.Get()...); }, arguments);
    });
  }
}

template <typename Return, typename DevCtx, typename... Args, Return (*kernel_fn)(DevCtx, Args...)>
void KernelImpl<Return (*)(DevCtx, Args...), kernel_fn>::VariadicCompute(const DeviceContext&,
                                                                         Args...) {}

}  // namespace phi

// A structure asks its context by name, which no call here can answer.
template <typename StructureKernel>
void paddle::framework::StructKernelImpl<StructureKernel>::Compute(phi::KernelContext*) {}

namespace unfold {

// The text's last registration that fits.
inline bool Launch(Call& call, const std::string& name, const std::string& backend,
                   phi::DataType dtype) {
  for (auto entry = Registry().rbegin(); entry != Registry().rend(); ++entry) {
    const bool fits = entry->dtype == dtype || entry->dtype == phi::DataType::UNDEFINED;
    if (entry->name == name && entry->backend == backend && fits) {
      entry->compute(&call);
      return true;
    }
  }
  return false;
}

}  // namespace unfold
