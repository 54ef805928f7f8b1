// The C++ types that a PHI registration touches: declarations with PHI's names, and hardly a body.
//
// A registration ends in the constructor of a static object (KernelRegistrar, at the end of this
// file). Everything above it is there for its nine arguments: the three coordinates of a key
// (backend, layout, dtype), the kernel's parameters as they are remembered (KernelArgsDef), and the
// function itself, wrapped so that kernels of any signature share one type (KernelImpl).
//
// The samples include no system header, so that an expansion stays readable and no compiler has to
// be installed. What they take from the standard library comes from the command line, should you
// want to compile one:
//
//   g++ -std=c++17 -fsyntax-only -include vector -include string -include type_traits
//       -include cstdint bitwise_kernel.cc
//
// `unfold run bitwise_and --body` does more: it gives what is only declared here a body, and runs it.
#pragma once

namespace paddle {
template <typename T>
class optional;  // a T, or nothing
}  // namespace paddle

namespace phi {

// --- The three coordinates of a kernel ---------------------------------------------------------

// Who computes: a device, or a library on that device. Plug-in devices, which Paddle learns of when
// it loads them, are numbered from NUM_BACKENDS + 1.
enum class Backend : uint8_t {
  UNDEFINED = 0,
  CPU,
  ONEDNN,
  GPU,
  GPUDNN,
  XPU,
  IPU,
  KPS,
  CUSTOM,
  NUM_BACKENDS,
  ALL_BACKEND = UNDEFINED,  // "any will do" and "not known" are one value
};

// How the elements lie in memory.
enum class DataLayout {
  UNDEFINED = 0,
  ANY = UNDEFINED,
  NHWC,
  NCHW,
  NCDHW,
  NDHWC,
  ONEDNN,
  SPARSE_COO,
  SPARSE_CSR,
  PSTRING_UNION,
  STRIDED,
  NUM_DATA_LAYOUTS,
  ALL_LAYOUT = UNDEFINED,  // what nearly every registration names

  // Fluid's spellings
  kAnyLayout = ANY,
  kNHWC = NHWC,
  kNCHW = NCHW,
  kMKLDNN = ONEDNN,
  kNDHWC = NDHWC,
  kNCDHW = NCDHW,
};

// What an element is.
enum class DataType {
  UNDEFINED = 0,
  BOOL,
  UINT8,
  INT8,
  UINT16,
  INT16,
  UINT32,
  INT32,
  UINT64,
  INT64,
  FLOAT32,
  FLOAT64,
  COMPLEX64,
  COMPLEX128,
  PSTRING,
  FLOAT16,
  BFLOAT16,
  FLOAT8_E4M3FN,
  FLOAT8_E5M2,
  NUM_DATA_TYPES,
  ALL_DTYPE = UNDEFINED,
};

// Element types that C++17 has no word for.
namespace dtype {
class float16;
class bfloat16;
class float8_e4m3fn;
class float8_e5m2;
class pstring;
template <typename T>
class complex;
}  // namespace dtype

// From the C++ type that a registration names to the DataType that its key holds. A type without a
// line here can't be registered: the primary template has no Type().
template <typename T>
struct CppTypeToDataType;

// clang-format off
template <> struct CppTypeToDataType<bool> { static constexpr DataType Type() { return DataType::BOOL; } };
template <> struct CppTypeToDataType<int8_t> { static constexpr DataType Type() { return DataType::INT8; } };
template <> struct CppTypeToDataType<uint8_t> { static constexpr DataType Type() { return DataType::UINT8; } };
template <> struct CppTypeToDataType<int16_t> { static constexpr DataType Type() { return DataType::INT16; } };
template <> struct CppTypeToDataType<uint16_t> { static constexpr DataType Type() { return DataType::UINT16; } };
template <> struct CppTypeToDataType<int32_t> { static constexpr DataType Type() { return DataType::INT32; } };
template <> struct CppTypeToDataType<uint32_t> { static constexpr DataType Type() { return DataType::UINT32; } };
template <> struct CppTypeToDataType<int64_t> { static constexpr DataType Type() { return DataType::INT64; } };
template <> struct CppTypeToDataType<uint64_t> { static constexpr DataType Type() { return DataType::UINT64; } };
template <> struct CppTypeToDataType<float> { static constexpr DataType Type() { return DataType::FLOAT32; } };
template <> struct CppTypeToDataType<double> { static constexpr DataType Type() { return DataType::FLOAT64; } };
template <> struct CppTypeToDataType<dtype::complex<float>> { static constexpr DataType Type() { return DataType::COMPLEX64; } };
template <> struct CppTypeToDataType<dtype::complex<double>> { static constexpr DataType Type() { return DataType::COMPLEX128; } };
template <> struct CppTypeToDataType<dtype::pstring> { static constexpr DataType Type() { return DataType::PSTRING; } };
template <> struct CppTypeToDataType<dtype::float16> { static constexpr DataType Type() { return DataType::FLOAT16; } };
template <> struct CppTypeToDataType<dtype::bfloat16> { static constexpr DataType Type() { return DataType::BFLOAT16; } };
template <> struct CppTypeToDataType<dtype::float8_e4m3fn> { static constexpr DataType Type() { return DataType::FLOAT8_E4M3FN; } };
template <> struct CppTypeToDataType<dtype::float8_e5m2> { static constexpr DataType Type() { return DataType::FLOAT8_E5M2; } };
// clang-format on

// From complex numbers to the type of their parts, and back. Other types stay what they are.
namespace dtype {
DataType ToReal(DataType dtype);
DataType ToComplex(DataType dtype);
}  // namespace dtype

// Under these three a kernel is found.
class KernelKey {
 public:
  KernelKey(Backend backend, DataLayout layout, DataType dtype);

  Backend backend() const;
  DataLayout layout() const;
  DataType dtype() const;

 private:
  Backend backend_;
  DataLayout layout_;
  DataType dtype_;
};

// --- What a kernel is called with --------------------------------------------------------------

class DenseTensor {
 public:
  int64_t numel() const;
  std::vector<int64_t> dims() const;
  // Level of detail: where each sequence of a ragged batch begins. Empty for an ordinary tensor.
  const std::vector<std::vector<std::size_t>>& lod() const;
  template <typename T>
  const T* data() const;
  template <typename T>
  T* data();

  DataType dtype() const;
  DenseTensor& Resize(const std::vector<int64_t>& dims);

 private:
  friend class DeviceContext;   // which gives a tensor its memory
  friend struct TensorOfACall;  // and whoever brings a call's tensors

  std::vector<int64_t> dims_;
  std::vector<std::vector<std::size_t>> lod_;
  int64_t numel_ = 0;
  DataType dtype_ = DataType::UNDEFINED;
  void* data_ = nullptr;  // a shared_ptr in PHI, and an offset
};

class StringTensor;  // of pstring, and nothing else

class SparseCooTensor;  // the elements that aren't zero, each with its indices
class SparseCsrTensor;  // the same, sorted by rows, and where each row begins

class SelectedRows;  // some rows of a tall tensor, and their numbers

class TensorArray;  // a list of DenseTensors that grows while the program runs

class ExtendedTensor;  // whatever else a kernel takes or gives

class Scalar {  // one number of any dtype
 public:
  template <typename T>
  T to() const;

 private:
  friend struct TensorOfACall;

  DataType dtype_ = DataType::UNDEFINED;
  int64_t integer_ = 0;
  double real_ = 0;
  double imag_ = 0;
};

class IntArray {  // a shape, or a list of axes
 public:
  IntArray(const std::vector<int64_t>& values);
  const std::vector<int64_t>& GetData() const;

 private:
  std::vector<int64_t> array_;
};

class Place {};  // a device, and which of its kind

// A context knows its device: it allocates there and runs there.
class DeviceContext {
 public:
  template <typename T>
  T* Alloc(DenseTensor* tensor) const;
  void* Alloc(DenseTensor* tensor, DataType dtype) const;
};

class CPUContext : public DeviceContext {};
class OneDNNContext : public CPUContext {};
class GPUContext : public DeviceContext {};
using GPUDNNContext = GPUContext;  // cuDNN computes on the GPU
class CustomContext : public DeviceContext {};

// One call's context, inputs, attributes and outputs in one bag, for callers who don't know the
// kernel's signature.
class KernelContext {};

// --- What the registry remembers of a kernel ---------------------------------------------------

// One tensor parameter: what the kernel expects to find, or promises to leave, in that place.
struct TensorArgDef {
  Backend backend;
  DataLayout layout;
  DataType dtype;
  const char* type;  // "const DenseTensor&"; PHI keeps a std::type_index

  // Each returns *this, so that a registration's braces can chain them.
  TensorArgDef& SetBackend(Backend in_backend);
  TensorArgDef& SetDataLayout(DataLayout in_layout);
  TensorArgDef& SetDataType(DataType in_dtype);
};

enum class AttributeType {
  UNDEFINED = 0,
  BOOL,
  INT32,
  INT64,
  FLOAT32,
  FLOAT64,
  STRING,
  BOOLS,
  INT32S,
  INT64S,
  FLOAT32S,
  FLOAT64S,
  STRINGS,
  SCALAR,
  SCALARS,
  INT_ARRAY,
  DATA_TYPE,
  DATA_LAYOUT,
  PLACE,
};

class KernelArgsDef {
 public:
  void AppendInput(Backend backend, DataLayout layout, DataType dtype, const char* type);
  void AppendOutput(Backend backend, DataLayout layout, DataType dtype, const char* type);
  void AppendAttribute(AttributeType type);

  std::vector<TensorArgDef>& input_defs();
  std::vector<TensorArgDef>& output_defs();
  std::vector<AttributeType>& attribute_defs();

 private:
  std::vector<TensorArgDef> input_defs_;
  std::vector<TensorArgDef> output_defs_;
  std::vector<AttributeType> attribute_defs_;
};

using KernelFn = void (*)(KernelContext* ctx);  // a std::function in PHI

// What stands behind a KernelFn: one of PHI's functions, whose parameters its type tells, or one of
// Fluid's structures, whose parameters nothing tells (see struct_kernel.h).
enum class KernelRegisteredType { FUNCTION, STRUCTURE };

class Kernel {
 public:
  Kernel(KernelFn fn, void* variadic_fn);

  KernelRegisteredType GetKernelRegisteredType() const;
  KernelArgsDef* mutable_args_def();
  TensorArgDef& InputAt(std::size_t idx);
  TensorArgDef& OutputAt(std::size_t idx);

 private:
  KernelFn fn_;
  void* variadic_fn_;
  KernelArgsDef args_def_;
  KernelRegisteredType kernel_registered_type_ = KernelRegisteredType::FUNCTION;
};

// --- From a kernel's C++ type to the above -----------------------------------------------------

// Takes a function type apart and writes its parameters down, the first guess of what the kernel
// expects: every tensor with the backend and dtype of the key.
template <typename Func>
struct KernelArgsParseFunctor;

template <typename Return, typename... Args>
struct KernelArgsParseFunctor<Return (*)(Args...)> {
  static void Parse(const KernelKey& default_key, KernelArgsDef* args_def);
};

// Wraps a kernel twice. Compute takes a KernelContext, whatever the kernel takes, so that one table
// can hold them all. VariadicCompute keeps the parameters and forgets only which device it is.
template <typename Fn, Fn fn>
struct KernelImpl;

template <typename Return, typename DevCtx, typename... Args, Return (*kernel_fn)(DevCtx, Args...)>
struct KernelImpl<Return (*)(DevCtx, Args...), kernel_fn> {
  static void Compute(KernelContext* ctx);
  static void VariadicCompute(const DeviceContext& dev_ctx, Args... args);
};

// --- The registration itself -------------------------------------------------------------------

// Who registers: Paddle itself, or somebody's plug-in.
enum class RegType : uint8_t {
  INNER = 0,
  OUTER,
};

using KernelArgsParseFn = void (*)(const KernelKey& default_key, KernelArgsDef* args_def);
using KernelArgsDefFn = void (*)(const KernelKey& kernel_key, Kernel* kernel);

// Its constructor is the registration. An object of this type at namespace scope is constructed
// before main(), so that a kernel is in the registry without anybody calling anything.
struct KernelRegistrar {
  KernelRegistrar(RegType reg_type,
                  const char* kernel_name_cstr,
                  const char* backend_cstr,
                  DataLayout layout,
                  DataType dtype,
                  KernelArgsParseFn args_parse_fn,
                  KernelArgsDefFn args_def_fn,
                  KernelFn kernel_fn,
                  void* variadic_kernel_fn);

  // Without a dtype: for all of them.
  KernelRegistrar(RegType reg_type,
                  const char* kernel_name_cstr,
                  const char* backend_cstr,
                  DataLayout layout,
                  KernelArgsParseFn args_parse_fn,
                  KernelArgsDefFn args_def_fn,
                  KernelFn kernel_fn,
                  void* variadic_kernel_fn);
};

}  // namespace phi
