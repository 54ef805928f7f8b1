// An operator of our own, and the gradient that belongs to it.
#include "autograd.h"
#include "library.h"

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// The elements lie one behind the other, and are floats.
at::Tensor squared_cpu(const at::Tensor& x) {
  at::Tensor y = at::empty_like(x);
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); i++) to[i] = from[i] * from[i];
  return y;
}

// The operator, as anybody calls it: by its name, through the dispatcher.
at::Tensor squared(const at::Tensor& x) {
  static auto op = c10::Dispatcher::singleton()
                       .findSchemaOrThrow("lesson::squared", "")
                       .typed<at::Tensor(const at::Tensor&)>();
  return op.call(x);
}

struct Squared : public torch::autograd::Function<Squared> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x) {
    ctx->save_for_backward({x});
    at::AutoDispatchBelowADInplaceOrView guard;
    return squared(x);
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    at::Tensor x = ctx->get_saved_variables()[0];
    return {gradients[0] * x * 2};
  }
};

at::Tensor squared_autograd(const at::Tensor& x) { return Squared::apply(x); }

}  // namespace

TORCH_LIBRARY(lesson, m) {
  m.def("squared(Tensor x) -> Tensor");
}

TORCH_LIBRARY_IMPL(lesson, CPU, m) {
  m.impl("squared", &squared_cpu);
}

TORCH_LIBRARY_IMPL(lesson, Autograd, m) {
  m.impl("squared", &squared_autograd);
}
