// `add` for CUDA: the stub's slot for that device, and the operators' kernels for that key.
//
// Such a file is CUDA's compiler's, which defines __CUDACC__; here the first lines do it. With
// -D__HIPCC__, or with -D__OBJC__ -DUSE_MPS, it is read as the compilers for AMD's and for Apple's
// devices would read it, and the same REGISTER_DISPATCH becomes another object. HIP's fills the
// slot of CUDA: PyTorch's sources are translated from CUDA to HIP before they are compiled, and
// what they call a CUDA device is then one of AMD's.
#if !defined(__CUDACC__) && !defined(__HIPCC__) && !defined(__OBJC__)
#define __CUDACC__
#endif

#include "dispatch.h"
#include "dispatch_stub.h"
#include "library.h"
#include "ufunc.h"
#include "ufunc_add.h"

namespace at {

namespace native {

using add_fn = void (*)(TensorIteratorBase&, const at::Scalar&);
DECLARE_DISPATCH(add_fn, add_stub)

// What a thread does: an object, since alpha has to come along to the device.
template <typename scalar_t>
struct CUDAFunctor_add {
  scalar_t alpha_;
  scalar_t operator()(scalar_t self, scalar_t other) const {
    return ufunc::add(self, other, alpha_);
  }
};

template <typename scalar_t>
void add_loop(TensorIteratorBase& iter, const at::Scalar& alpha) {
  gpu_kernel(iter, CUDAFunctor_add<scalar_t>{alpha.to<scalar_t>()});
}

void add_kernel(TensorIteratorBase& iter, const at::Scalar& alpha) {
  AT_DISPATCH_SWITCH(
      iter.common_dtype(), "ufunc_add_CUDA",
      AT_DISPATCH_CASE(at::ScalarType::Bool, [&]() { add_loop<scalar_t>(iter, alpha); })
      AT_DISPATCH_CASE(at::ScalarType::Byte, [&]() { add_loop<scalar_t>(iter, alpha); })
      AT_DISPATCH_CASE(at::ScalarType::Char, [&]() { add_loop<scalar_t>(iter, alpha); })
      AT_DISPATCH_CASE(at::ScalarType::Int, [&]() { add_loop<scalar_t>(iter, alpha); })
      AT_DISPATCH_CASE(at::ScalarType::Long, [&]() { add_loop<scalar_t>(iter, alpha); })
      AT_DISPATCH_CASE(at::ScalarType::Short, [&]() { add_loop<scalar_t>(iter, alpha); })
      AT_DISPATCH_CASE(at::ScalarType::Float, [&]() { add_loop<scalar_t>(iter, alpha); })
      AT_DISPATCH_CASE(at::ScalarType::Double, [&]() { add_loop<scalar_t>(iter, alpha); })
      AT_DISPATCH_CASE(at::ScalarType::ComplexFloat, [&]() { add_loop<scalar_t>(iter, alpha); })
      AT_DISPATCH_CASE(at::ScalarType::ComplexDouble, [&]() { add_loop<scalar_t>(iter, alpha); })
      AT_DISPATCH_CASE(at::ScalarType::BFloat16, [&]() { add_loop<scalar_t>(iter, alpha); })
      AT_DISPATCH_CASE(at::ScalarType::Half, [&]() { add_loop<scalar_t>(iter, alpha); })
      AT_DISPATCH_CASE(at::ScalarType::ComplexHalf, [&]() { add_loop<scalar_t>(iter, alpha); }));
}

REGISTER_DISPATCH(add_stub, &add_kernel)

// A GPU has no versions to choose from, so there is no need to go through the stub. Its slot is for
// others, who have an iterator and want something added.
TORCH_IMPL_FUNC(ufunc_add_CUDA)
(const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha, const at::Tensor& out) {
  add_kernel(*this, alpha);
}

}  // namespace native

// --- The operators' kernels --------------------------------------------------------------------

namespace {

Tensor create_out(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options);
void resize_out(
    const Tensor& out, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options);

// Each is meta, then impl, as for the CPU in add.cc.
struct structured_ufunc_add_CUDA_functional final : public at::native::structured_ufunc_add_CUDA {
  void set_output_raw_strided(
      int64_t output_idx, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override {
    outputs_[output_idx] = create_out(sizes, strides, options);
    structured_ufunc_add_CUDA::set_output_raw_strided(output_idx, sizes, strides, options);
  }
  const Tensor& maybe_get_output(int64_t output_idx) override { return outputs_[output_idx]; }
  std::array<Tensor, 1> outputs_;
};

struct structured_ufunc_add_CUDA_out final : public at::native::structured_ufunc_add_CUDA {
  structured_ufunc_add_CUDA_out(Tensor& out0) : outputs_{std::ref(out0)} {}
  void set_output_raw_strided(
      int64_t output_idx, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override {
    resize_out(outputs_[output_idx], sizes, strides, options);
    structured_ufunc_add_CUDA::set_output_raw_strided(output_idx, sizes, strides, options);
  }
  const Tensor& maybe_get_output(int64_t output_idx) override { return outputs_[output_idx]; }
  std::array<std::reference_wrapper<Tensor>, 1> outputs_;
};

struct structured_ufunc_add_CUDA_inplace final : public at::native::structured_ufunc_add_CUDA {
  structured_ufunc_add_CUDA_inplace(Tensor& self) : outputs_{std::ref(self)} {}
  const Tensor& maybe_get_output(int64_t output_idx) override { return outputs_[output_idx]; }
  std::array<std::reference_wrapper<Tensor>, 1> outputs_;
};

at::Tensor wrapper_CUDA_add_Tensor(
    const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
  structured_ufunc_add_CUDA_functional op;
  op.meta(self, other, alpha);
  op.impl(self, other, alpha, op.outputs_[0]);
  return op.outputs_[0];
}

at::Tensor& wrapper_CUDA_add_out_out(
    const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha, at::Tensor& out) {
  structured_ufunc_add_CUDA_out op(out);
  op.meta(self, other, alpha);
  op.impl(self, other, alpha, op.maybe_get_output(0));
  return out;
}

at::Tensor& wrapper_CUDA_add__Tensor(
    at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
  structured_ufunc_add_CUDA_inplace op(self);
  op.meta(self, other, alpha);
  op.impl(self, other, alpha, op.maybe_get_output(0));
  return self;
}

}  // namespace

TORCH_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("add.Tensor", TORCH_FN(wrapper_CUDA_add_Tensor));
  m.impl("add.out", TORCH_FN(wrapper_CUDA_add_out_out));
  m.impl("add_.Tensor", TORCH_FN(wrapper_CUDA_add__Tensor));
}

}  // namespace at
