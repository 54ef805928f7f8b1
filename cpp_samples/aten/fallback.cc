// What is called when an operator has no kernel for a key: something for all operators at once.
//
// The namespace `_` stands for all. A key has one fallback, and PyTorch has its own for 38 of them:
// an extension with a second, for Negative, say, aborts ("multiple backend fallbacks").
#include "library.h"

namespace {

// For operators of every type there is one type of kernel: boxed. It finds the arguments on a
// stack, and leaves the results there.
void compute_on_cpu(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  // A real one copies every tensor on the stack to the CPU, calls, and copies the results back.
  op.callBoxed(stack);
}

// Boxed, and told which keys are left, so that it can call the next kernel itself.
void keep_precision(
    const c10::OperatorHandle& op, c10::DispatchKeySet ks, torch::jit::Stack* stack) {
  // Autocast makes some arguments less precise first; here they stay as they are.
  const c10::DispatchKeySet later(
      c10::DispatchKeySet::FULL_AFTER, c10::DispatchKey::AutocastPrivateUse1);
  op.redispatchBoxed(ks & later, stack);
}

}  // namespace

// A new device: where it has no kernel, the CPU's is used.
TORCH_LIBRARY_IMPL(_, PrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&compute_on_cpu>());
}

TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&keep_precision>());
}

// Operators of your own have no kernel for autograd. If their calls are passed on, they work, and
// have no derivative. For the devices that PyTorch knows, it has such a fallback itself.
TORCH_LIBRARY_IMPL(_, AutogradPrivateUse2, m) {
  m.fallback(torch::CppFunction::makeFallthrough());
}

TORCH_LIBRARY_IMPL(_, AutogradPrivateUse3, m) {
  m.fallback(torch::CppFunction::makeFallthrough());
}

// One operator that wants to be left out of what a fallback does says so by itself. PyTorch's own for
// Negative makes good what some tensors only note: that they are negated.
TORCH_LIBRARY_FRAGMENT(fallbacks, m) {
  m.def("is_negated(Tensor x) -> bool");
}

TORCH_LIBRARY_IMPL(fallbacks, Negative, m) {
  m.impl("is_negated", torch::CppFunction::makeFallthrough());
}
