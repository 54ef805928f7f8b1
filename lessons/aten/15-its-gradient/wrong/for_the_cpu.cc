#include "autograd.h"
#include "library.h"

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::Tensor weighted_cpu(const at::Tensor& x, const at::Tensor& y, double weight) {
  at::Tensor z = at::empty_like(x);
  const float* a = x.data_ptr<float>();
  const float* b = y.data_ptr<float>();
  float* c = z.data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); i++) c[i] = weight * a[i] * b[i];
  return z;
}

at::Tensor weighted(const at::Tensor& x, const at::Tensor& y, double weight) {
  static auto op = c10::Dispatcher::singleton()
                       .findSchemaOrThrow("lesson::weighted", "")
                       .typed<at::Tensor(const at::Tensor&, const at::Tensor&, double)>();
  return op.call(x, y, weight);
}

struct Weighted : public torch::autograd::Function<Weighted> {
  static at::Tensor forward(
      AutogradContext* ctx, const at::Tensor& x, const at::Tensor& y, double weight) {
    ctx->save_for_backward({x, y});
    ctx->saved_data["weight"] = weight;
    return weighted_cpu(x, y, weight);
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    variable_list saved = ctx->get_saved_variables();
    double weight = ctx->saved_data["weight"].toDouble();
    return {gradients[0] * saved[1] * weight, gradients[0] * saved[0] * weight, at::Tensor()};
  }
};

at::Tensor weighted_autograd(const at::Tensor& x, const at::Tensor& y, double weight) {
  return Weighted::apply(x, y, weight);
}

}  // namespace

TORCH_LIBRARY(lesson, m) {
  m.def("weighted(Tensor x, Tensor y, float weight) -> Tensor");
}

TORCH_LIBRARY_IMPL(lesson, CPU, m) {
  m.impl("weighted", &weighted_autograd);
}
