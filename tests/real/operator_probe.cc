// Runs kernels of an installed wheel that nothing in its Python calls any more. What a function
// needs comes as one text, numbers with white space between them; what it answers is a text, too:
// the outputs' elements in brackets, or the message of what was thrown.
#include <sstream>
#include <string>
#include <vector>

#include "paddle/phi/backends/context_pool.h"
#include "paddle/phi/backends/cpu/cpu_context.h"
#include "paddle/phi/core/dense_tensor.h"
#include "paddle/phi/core/kernel_factory.h"

using namespace phi;

namespace {

std::string answer;

CPUContext& context() {
  return *static_cast<CPUContext*>(DeviceContextPool::Instance().Get(CPUPlace()));
}

template <typename T>
DenseTensor tensor(std::istringstream& text, const std::vector<int64_t>& dims) {
  DenseTensor made;
  made.Resize(common::make_ddim(dims));
  T* data = context().Alloc<T>(&made);
  for (int64_t i = 0; i < made.numel(); ++i) text >> data[i];
  return made;
}

template <typename T>
void print(std::ostringstream& out, const DenseTensor& tensor) {
  out << "[";
  out.precision(9);
  for (int64_t i = 0; tensor.initialized() && i < tensor.numel(); ++i)
    out << (i ? ", " : "") << tensor.data<T>()[i];
  out << "]";
}

template <typename Fn>
Fn kernel(const char* name) {
  const auto found = KernelFactory::Instance().SelectKernelOrThrowError(
      name, KernelKey(Backend::CPU, DataLayout::ALL_LAYOUT, DataType::FLOAT32));
  return *found.kernel.GetVariadicKernelFn<Fn>();
}

template <typename Run>
const char* said(Run run) {
  std::ostringstream out;
  try {
    run(out);
  } catch (const std::exception& error) {
    out << error.what();
  }
  answer = out.str();
  return answer.c_str();
}

}  // namespace

// step, warmup_steps, total_steps, base_lr, end_lr
extern "C" const char* pow2_decay(const char* given) {
  return said([&](std::ostringstream& out) {
    std::istringstream text(given);
    DenseTensor step = tensor<int64_t>(text, {1}), lr;
    int64_t warmup, total;
    float base, end;
    text >> warmup >> total >> base >> end;
    lr.Resize({1});
    context().Alloc<float>(&lr);
    using Fn = void (*)(const DeviceContext&, const DenseTensor&, const DenseTensor&, int64_t,
                        int64_t, float, float, DenseTensor*, DenseTensor*);
    kernel<Fn>("pow2_decay_with_linear_warmup")(
        context(), lr, step, warmup, total, base, end, &lr, &step);
    out << "[";
    print<float>(out, lr);
    out << ", ";
    print<int64_t>(out, step);
    out << "]";
  });
}

// pooltype, is_test, pad_value, number of offsets, offsets, rows, columns, elements of x. The
// answer holds out, max_index and the gradient of x for a gradient of out that counts from 1.
extern "C" const char* sequence_pool(const char* given) {
  return said([&](std::ostringstream& out) {
    std::istringstream text(given);
    std::string pooltype;
    bool is_test;
    float pad_value;
    size_t count;
    int64_t rows, columns;
    text >> pooltype >> is_test >> pad_value >> count;
    std::vector<size_t> offsets(count);
    for (size_t& offset : offsets) text >> offset;
    text >> rows >> columns;
    DenseTensor x = tensor<float>(text, {rows, columns}), pooled, index, gradient, back;
    x.set_lod({offsets});
    using Fn = void (*)(const DeviceContext&, const DenseTensor&, bool, const std::string&, float,
                        DenseTensor*, DenseTensor*);
    kernel<Fn>("sequence_pool")(context(), x, is_test, pooltype, pad_value, &pooled, &index);
    gradient.Resize(pooled.dims());
    float* data = context().Alloc<float>(&gradient);
    for (int64_t i = 0; i < gradient.numel(); ++i) data[i] = i + 1;
    back.set_meta(x.meta());
    paddle::optional<DenseTensor> where;
    if (index.initialized()) where = index;
    using Grad = void (*)(const DeviceContext&, const DenseTensor&,
                          const paddle::optional<DenseTensor>&, const DenseTensor&, bool,
                          const std::string&, float, DenseTensor*);
    if (pooltype != "MAX" || where)
      kernel<Grad>("sequence_pool_grad")(
          context(), x, where, gradient, is_test, pooltype, pad_value, &back);
    out << "[";
    print<float>(out, pooled);
    out << ", ";
    print<int>(out, index);
    out << ", ";
    print<float>(out, back);
    out << "]";
  });
}
