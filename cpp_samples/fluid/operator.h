// What one of Fluid's operators is made of: declarations with Fluid's names, and hardly a body.
//
// An operator is a class, and each of its kernels is another. Neither has parameters that would
// say what it works on. A kernel's Compute gets an ExecutionContext and asks it, by name, for
// whatever it wants; InferShape gets an InferShapeContext and does the same with shapes. Which
// names there are stands in a third class, the operator's maker (op_proto_maker.h), and no
// compiler compares the three.
//
// ExecutionContext and OpKernel are in struct_kernel.h, since kernels of this kind lived on in
// PHI's registry. Sources: paddle/fluid/framework/operator.h, op_kernel_type.h,
// shape_inference.h.
#pragma once

#include "../phi/struct_kernel.h"

namespace phi {

class CPUPlace : public Place {};
class GPUPlace : public Place {};
class XPUPlace : public Place {};
class IPUPlace : public Place {};

}  // namespace phi

namespace paddle {

// Before PHI, what belongs to a device stood in a namespace of its own. The names outlived the
// move.
namespace platform {

using Place = ::phi::Place;
using CPUPlace = ::phi::CPUPlace;
using CUDAPlace = ::phi::GPUPlace;
using CPUDeviceContext = ::phi::CPUContext;
using CUDADeviceContext = ::phi::GPUContext;
using float16 = ::phi::dtype::float16;
using bfloat16 = ::phi::dtype::bfloat16;
template <typename T>
using complex = ::phi::dtype::complex<T>;

}  // namespace platform

namespace framework {

// --- Tensors -----------------------------------------------------------------------------------

class DDim {  // a shape
 public:
  int size() const;  // how many axes, not how many elements
  int64_t operator[](int axis) const;
  bool operator==(const DDim& other) const;
  bool operator!=(const DDim& other) const;
};

DDim make_ddim(const std::vector<int64_t>& dims);
std::vector<int64_t> vectorize(const DDim& dims);

// A tensor that allocates for itself: mutable_data is given a place, and takes memory there if it
// has none yet or too little. (PHI asks the context for memory, so that a kernel can't forget
// which stream it is on.)
class Tensor : public phi::DenseTensor {
 public:
  DDim dims() const;
  Tensor& Resize(const DDim& dims);
  template <typename T>
  T* mutable_data(const platform::Place& place);
};

class LoDTensor : public Tensor {};  // with a level of detail: where each sequence begins

// The name of a variable's gradient: "Out@GRAD".
std::string GradVarName(const std::string& var_name);

// --- The key of a kernel -----------------------------------------------------------------------

namespace proto {

// The types of variables and of elements are one enumeration, and programs on disk hold its
// numbers.
struct VarType {
  enum Type {
    BOOL = 0,
    INT16 = 1,
    INT32 = 2,
    INT64 = 3,
    FP16 = 4,
    FP32 = 5,
    FP64 = 6,
    SIZE_T = 19,
    UINT8 = 20,
    INT8 = 21,
    BF16 = 22,
    COMPLEX64 = 23,
    COMPLEX128 = 24,
  };
};

}  // namespace proto

using DataLayout = ::phi::DataLayout;

// Whose code computes. In PHI this and the place became one: a Backend, GPU or GPUDNN.
enum class LibraryType { kPlain = 0, kMKLDNN = 1, kCUDNN = 2, kCUTLASS = 3, kKP = 4 };

// Under these a kernel is found, where PHI has a KernelKey. The last is for operators that have
// more than one kernel for the same four.
class OpKernelType {
 public:
  constexpr static int kDefaultCustomizedTypeValue = 0;

  OpKernelType(proto::VarType::Type data_type,
               platform::Place place,
               DataLayout data_layout = DataLayout::kAnyLayout,
               LibraryType library_type = LibraryType::kPlain,
               int customized_type_value = kDefaultCustomizedTypeValue);

  proto::VarType::Type data_type_;
  DataLayout data_layout_;
  platform::Place place_;
  LibraryType library_type_;
  int customized_type_value_;
};

// --- An operator -------------------------------------------------------------------------------

class AttrReader {
 public:
  template <typename T>
  const T& Get(const std::string& name) const;
};

// What InferShape may ask and set. It serves while a program is built, when a dim may be -1 for
// "not known yet", and again when it runs.
class InferShapeContext {
 public:
  virtual bool HasInput(const std::string& name) const = 0;
  virtual bool HasOutput(const std::string& name) const = 0;
  virtual DDim GetInputDim(const std::string& name) const = 0;
  virtual void SetOutputDim(const std::string& name, const DDim& dim) = 0;
  virtual void ShareLoD(const std::string& in, const std::string& out) const = 0;
  virtual AttrReader Attrs() const = 0;
  virtual bool IsRuntime() const = 0;

 protected:
  ~InferShapeContext() = default;
};

// The variables under each of an operator's names, and its attributes.
class VariableNameMap {};
class AttributeMap {};

class OperatorBase {
 public:
  OperatorBase(const std::string& type,
               const VariableNameMap& inputs,
               const VariableNameMap& outputs,
               const AttributeMap& attrs);
  virtual ~OperatorBase() = default;
};

// An operator that does nothing itself: it looks for the kernel that fits the data.
class OperatorWithKernel : public OperatorBase {
 public:
  using OperatorBase::OperatorBase;

  virtual void InferShape(InferShapeContext* ctx) const;

 protected:
  // Under which key to look. By default: the type that all the inputs have.
  virtual OpKernelType GetExpectedKernelType(const ExecutionContext& ctx) const;
  proto::VarType::Type IndicateVarDataType(const ExecutionContext& ctx,
                                           const std::string& name) const;
};

// A way to put InferShape outside of the operator's class; it then wins over the one inside.
class InferShapeBase {
 public:
  virtual void operator()(InferShapeContext* ctx) const = 0;

 protected:
  ~InferShapeBase() = default;
};

}  // namespace framework
}  // namespace paddle
