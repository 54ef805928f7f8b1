// The C++ types that a registration with PyTorch touches: declarations with PyTorch's names, and
// hardly a body.
//
// A registration ends in the constructor of a static object (torch::detail::TorchLibraryInit). It
// makes a torch::Library, and the block behind the macro tells that library what there is: an
// operator with its schema, or a kernel for one of the dispatch keys below.
//
// The samples include no system header, so that an expansion stays readable and no compiler has to
// be installed. What they take from the standard library comes from the command line, should you
// want to compile one:
//
//   g++ -std=c++20 -fsyntax-only -include array -include cmath -include cstdint
//       -include functional -include optional -include string -include vector add.cc
#pragma once

namespace c10 {

// --- Who is asked ------------------------------------------------------------------------------

// One list of kernels for each operator, one place in it for each of these. The later a key stands
// here, the sooner its kernel is called: autograd before the device, tracing before autograd.
enum class DispatchKey : uint16_t {
  // Functionalities. Those marked with * stand for a key per device, which follow below.
  Undefined = 0,
  CatchAll = Undefined,
  Dense,  // *
  FPGA, Vulkan, Metal,
  Quantized,  // *
  CustomRNGKeyId, MkldnnCPU,
  Sparse,  // *
  SparseCsr,  // *
  NestedTensor,  // *
  BackendSelect, Fake, Python, FuncTorchDynamicLayerBackMode, Functionalize, Conjugate, Negative,
  ZeroTensor, ADInplaceOrView, AutogradOther,
  AutogradFunctionality,  // *
  AutogradNestedTensor, Tracer, AutocastCPU, AutocastMTIA, AutocastMAIA, AutocastXPU, AutocastIPU,
  AutocastHPU, AutocastXLA, AutocastMPS, AutocastCUDA, AutocastPrivateUse1, FuncTorchBatched,
  BatchedNestedTensor, FuncTorchVmapMode, Batched, VmapMode, FuncTorchGradWrapper, DeferredInit,
  PythonTLSSnapshot, FuncTorchDynamicLayerFrontMode, TESTING_ONLY_GenericWrapper,
  TESTING_ONLY_GenericMode, PreDispatch, PythonDispatcher,
  EndOfFunctionalityKeys,

  // A functionality on a device.
  StartOfDenseBackends, CPU, CUDA, HIP, XLA, MPS, IPU, XPU, HPU, VE, Lazy, MTIA, MAIA, PrivateUse1,
  PrivateUse2, PrivateUse3, Meta, EndOfDenseBackends = Meta,

  StartOfQuantizedBackends, QuantizedCPU, QuantizedCUDA, QuantizedHIP, QuantizedXLA, QuantizedMPS,
  QuantizedIPU, QuantizedXPU, QuantizedHPU, QuantizedVE, QuantizedLazy, QuantizedMTIA,
  QuantizedMAIA, QuantizedPrivateUse1, QuantizedPrivateUse2, QuantizedPrivateUse3, QuantizedMeta,
  EndOfQuantizedBackends = QuantizedMeta,

  StartOfSparseBackends, SparseCPU, SparseCUDA, SparseHIP, SparseXLA, SparseMPS, SparseIPU,
  SparseXPU, SparseHPU, SparseVE, SparseLazy, SparseMTIA, SparseMAIA, SparsePrivateUse1,
  SparsePrivateUse2, SparsePrivateUse3, SparseMeta, EndOfSparseBackends = SparseMeta,

  StartOfSparseCsrBackends, SparseCsrCPU, SparseCsrCUDA, SparseCsrHIP, SparseCsrXLA, SparseCsrMPS,
  SparseCsrIPU, SparseCsrXPU, SparseCsrHPU, SparseCsrVE, SparseCsrLazy, SparseCsrMTIA,
  SparseCsrMAIA, SparseCsrPrivateUse1, SparseCsrPrivateUse2, SparseCsrPrivateUse3, SparseCsrMeta,
  EndOfSparseCsrBackends = SparseCsrMeta,

  StartOfNestedTensorBackends, NestedTensorCPU, NestedTensorCUDA, NestedTensorHIP, NestedTensorXLA,
  NestedTensorMPS, NestedTensorIPU, NestedTensorXPU, NestedTensorHPU, NestedTensorVE,
  NestedTensorLazy, NestedTensorMTIA, NestedTensorMAIA, NestedTensorPrivateUse1,
  NestedTensorPrivateUse2, NestedTensorPrivateUse3, NestedTensorMeta, EndOfNestedTensorBackends =
  NestedTensorMeta,

  StartOfAutogradFunctionalityBackends, AutogradCPU, AutogradCUDA, AutogradHIP, AutogradXLA,
  AutogradMPS, AutogradIPU, AutogradXPU, AutogradHPU, AutogradVE, AutogradLazy, AutogradMTIA,
  AutogradMAIA, AutogradPrivateUse1, AutogradPrivateUse2, AutogradPrivateUse3, AutogradMeta,
  EndOfAutogradFunctionalityBackends = AutogradMeta,
  EndOfRuntimeBackendKeys = EndOfAutogradFunctionalityBackends,

  // Aliases: a kernel for one of these fills the places of many keys, where none has its own.
  Autograd, CompositeImplicitAutograd, FuncTorchBatchedDecomposition,
  CompositeImplicitAutogradNestedTensor, CompositeExplicitAutograd,
  CompositeExplicitAutogradNonFunctional,
  StartOfAliasKeys = Autograd,
  EndOfAliasKeys = CompositeExplicitAutogradNonFunctional,

  // Older spellings.
  CPUTensorId = CPU, CUDATensorId = CUDA, DefaultBackend = CompositeExplicitAutograd,
  PrivateUse1_PreAutograd = AutogradPrivateUse1, PrivateUse2_PreAutograd = AutogradPrivateUse2,
  PrivateUse3_PreAutograd = AutogradPrivateUse3, Autocast = AutocastCUDA,
};

// The keys of a call: those of its tensors, those that this thread adds, less those that it leaves
// out. The highest is asked first.
class DispatchKeySet {
 public:
  // All keys that come after one.
  enum FullAfter { FULL_AFTER };
  DispatchKeySet(FullAfter, DispatchKey t);

  DispatchKeySet operator&(DispatchKeySet other) const;
};

// What is left of the keys when autograd is done; when views and in-place changes are noted.
extern const DispatchKeySet after_autograd_keyset;
extern const DispatchKeySet after_ADInplaceOrView_keyset;

// --- What is computed on -----------------------------------------------------------------------

enum class DeviceType : int8_t {
  CPU = 0, CUDA = 1, MKLDNN = 2, OPENGL = 3, OPENCL = 4, IDEEP = 5, HIP = 6, FPGA = 7, MAIA = 8,
  XLA = 9, Vulkan = 10, Metal = 11, XPU = 12, MPS = 13, Meta = 14, HPU = 15, VE = 16, Lazy = 17,
  IPU = 18, MTIA = 19, PrivateUse1 = 20,
  COMPILE_TIME_MAX_DEVICE_TYPES = 21,
};

// What an element is.
enum class ScalarType : int8_t {
  Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool,
  QInt8, QUInt8, QInt32, BFloat16, QUInt4x2, QUInt2x4, Bits1x8, Bits2x4, Bits4x2, Bits8, Bits16,
  Float8_e5m2, Float8_e4m3fn, Float8_e5m2fnuz, Float8_e4m3fnuz, UInt16, UInt32, UInt64,
  UInt1, UInt2, UInt3, UInt4, UInt5, UInt6, UInt7, Int1, Int2, Int3, Int4, Int5, Int6, Int7,
  Float8_e8m0fnu, Float4_e2m1fn_x2,
  Undefined, NumOptions,
};

const char* toString(ScalarType t);
bool isFloatingType(ScalarType t);
bool isReducedFloatingType(ScalarType t);  // of 16 bits: Half and BFloat16
bool isComplexType(ScalarType t);
bool isIntegralType(ScalarType t, bool includeBool);

// Elements that C++ has no word for. They compute like the others.
template <typename T>
struct number {
  number() = default;
  number(double value);
  explicit operator double() const;
  explicit operator float() const;
  number operator+(number other) const;
  number operator*(number other) const;
  number operator/(number other) const;
  number operator-() const;
  bool operator<(number other) const;
  friend number operator/(int one, number other) { return number(one) / other; }
};
struct Half : number<Half> { using number::number; Half(number<Half>); };
struct BFloat16 : number<BFloat16> { using number::number; BFloat16(number<BFloat16>); };
template <typename T>
struct complex : number<complex<T>> {
  using number<complex<T>>::number;
  complex(number<complex<T>>);
};

// A Python number on its way to a kernel; `to` refuses what doesn't fit.
class Scalar {
 public:
  Scalar(int vv);
  Scalar(double vv);
  Scalar operator-() const;
  template <typename T>
  T to() const;
};

// How a tensor is to be made, besides its sizes; and a list that somebody else keeps.
struct TensorOptions {};
template <typename T>
class ArrayRef {};
using IntArrayRef = ArrayRef<int64_t>;
using OptionalIntArrayRef = std::optional<IntArrayRef>;

// --- Boxed calls -------------------------------------------------------------------------------

// A kernel for every operator can't have every operator's type. It gets the operator, and the
// arguments as values on a stack, where it leaves the results.
class IValue;
using Stack = std::vector<IValue>;

class OperatorHandle {
 public:
  void redispatchBoxed(DispatchKeySet ks, Stack* stack) const;
  void callBoxed(Stack* stack) const;
};

// --- A function as a type ----------------------------------------------------------------------

// Two of these are of one type only if they hold the same function: the pointer is a template
// argument, and the object itself is empty.
template <class FuncType_, FuncType_* func_ptr_>
struct CompileTimeFunctionPointer final {
  static_assert(std::is_function_v<FuncType_>, "TORCH_FN can only wrap function types.");
  using FuncType = FuncType_;

  static constexpr FuncType* func_ptr() { return func_ptr_; }
};

// --- Errors ------------------------------------------------------------------------------------

struct SourceLocation {
  const char* function;
  const char* file;
  uint32_t line;
};

class Error {
 public:
  Error(SourceLocation source_location, std::string msg);
};

class NotImplementedError : public Error {
  using Error::Error;
};

class ValueError : public Error {
  using Error::Error;
};

namespace detail {
template <typename... Args>
std::string torchCheckMsgImpl(const char* msg, const Args&... args);
[[noreturn]] void torchCheckFail(
    const char* func, const char* file, uint32_t line, const std::string& msg);
}  // namespace detail

}  // namespace c10

namespace caffe2 {

// What an element is, as a type of C++ that can be asked for its name.
class TypeMeta {};

}  // namespace caffe2

namespace at {

using c10::DeviceType;
using c10::IntArrayRef;
using c10::OptionalIntArrayRef;
using c10::Scalar;
using c10::ScalarType;
using c10::TensorOptions;
using c10::isComplexType;
using c10::isFloatingType;
using c10::isIntegralType;
using c10::isReducedFloatingType;
using c10::toString;

class Tensor {
 public:
  bool defined() const;
  bool is_same(const Tensor& other) const;
  Tensor to(ScalarType dtype) const;
  Tensor& fill_(const Scalar& value) const;
  Tensor& zero_() const;
  ScalarType scalar_type() const;
  caffe2::TypeMeta dtype() const;
  int64_t dim() const;
  IntArrayRef sizes() const;
  TensorOptions options() const;
  int64_t numel() const;
  template <typename T>
  T item() const;
  template <typename T>
  T* data_ptr() const;
  Tensor add(const Tensor& other, const Scalar& alpha = 1) const;
  Tensor sub(const Tensor& other, const Scalar& alpha = 1) const;
  Tensor mul(const Tensor& other) const;
  Tensor div(const Tensor& other) const;
  Tensor neg() const;
  Tensor reciprocal() const;
  Tensor clamp_min(const Scalar& min) const;
  Tensor relu() const;
  Tensor sum(std::optional<ScalarType> dtype = std::nullopt) const;
  Tensor& sub_(const Tensor& other, const Scalar& alpha = 1) const;
  Tensor& mul_(const Tensor& other) const;
  Tensor& div_(const Tensor& other) const;
  Tensor& clamp_min_(const Scalar& min) const;
  Tensor& relu_() const;
};

// While one of these lives, this thread leaves keys out of its calls: autograd's; and those for
// views and in-place changes as well.
struct AutoDispatchBelowAutograd {
  AutoDispatchBelowAutograd();
};
struct AutoDispatchBelowADInplaceOrView {
  AutoDispatchBelowADInplaceOrView();
};

}  // namespace at

namespace torch {

namespace jit {
using c10::Stack;
}  // namespace jit

// A kernel, of whatever shape it was given in.
class CppFunction final {
 public:
  template <typename Func>
  explicit CppFunction(Func&& f);

  // "Not me: ask the next key."
  static CppFunction makeFallthrough();

  // One function for all operators; see Stack.
  template <void (*func)(const c10::OperatorHandle&, c10::Stack*)>
  static CppFunction makeFromBoxedFunction();
  template <void (*func)(const c10::OperatorHandle&, c10::DispatchKeySet, c10::Stack*)>
  static CppFunction makeFromBoxedFunction();

  template <typename Func>
  static CppFunction makeFromUnboxedFunction(Func f);
};

// A kernel for another key than the block's.
template <typename Func>
CppFunction dispatch(c10::DispatchKey k, Func&& raw_f);

// What a block can say. Every word of it is remembered, and taken back when the library goes.
class Library final {
 public:
  enum Kind {
    DEF,
    IMPL,
    FRAGMENT,
  };

  Library(Kind kind, std::string ns, std::optional<c10::DispatchKey> k, const char* file,
          uint32_t line);

  // An operator: by its schema, or by a name and a function whose type says the rest. The function
  // is then its kernel for CompositeImplicitAutograd.
  Library& def(const char* raw_schema);
  template <typename NameOrSchema, typename Func>
  Library& def(NameOrSchema&& raw_name_or_schema, Func&& raw_f);

  // A kernel, for the block's key or for the one given. A block without a key means
  // CompositeImplicitAutograd.
  template <typename Name, typename Func>
  Library& impl(Name name, Func&& raw_f);
  template <typename Name, typename Dispatch, typename Func>
  Library& impl(Name name, Dispatch&& key, Func&& raw_f);

  // What is called for the block's key when an operator has no kernel for it.
  template <typename Func>
  Library& fallback(Func&& raw_f);
};

namespace detail {

class TorchLibraryInit final {
 private:
  using InitFn = void(Library&);
  Library lib_;

 public:
  TorchLibraryInit(
      Library::Kind kind, InitFn* fn, const char* ns, std::optional<c10::DispatchKey> k,
      const char* file, uint32_t line)
      : lib_(kind, ns, k, file, line) {
    fn(lib_);
  }
};

}  // namespace detail

}  // namespace torch
