// What Python finds behind `tensor + 1`, shortened. PyTorch's build writes one such function for each
// method; the macros are those of torch/csrc/Exceptions.h.
#define HANDLE_TH_ERRORS                              \
  try {                                               \
    torch::PyWarningHandler __enforce_warning_buffer; \
    try {
#define END_HANDLE_TH_ERRORS_RET(retval)                                \
  }                                                                     \
  catch (...) {                                                         \
    __enforce_warning_buffer.set_in_exception();                        \
    throw;                                                              \
  }                                                                     \
  }                                                                     \
  catch (const std::exception&) {                                       \
    torch::translate_exception_to_python(std::current_exception());     \
    return retval;                                                      \
  }
#define END_HANDLE_TH_ERRORS END_HANDLE_TH_ERRORS_RET(nullptr)

namespace torch::autograd {

template <class F>
at::Tensor without_gil(F compute) {
  pybind11::gil_scoped_release no_gil;
  return compute();
}

PyObject* THPVariable_add(PyObject* self, PyObject* args, PyObject* kwargs) {
  HANDLE_TH_ERRORS
  static PythonArgParser parser({
      "add(Scalar alpha, Tensor other)|deprecated",
      "add(Tensor other, *, Scalar alpha=1)",
  }, /*traceable=*/true);
  ParsedArgs<2> found;
  auto r = parser.parse(self, args, kwargs, found);
  if (r.has_torch_function()) {
    return handle_torch_function(r, self, args, kwargs, THPVariableClass, "torch.Tensor");
  }
  const at::Tensor& tensor = THPVariable_Unpack(self);
  if (r.idx == 0) {
    return wrap(without_gil([&] { return tensor.add(r.tensor(1), r.scalar(0)); }));
  }
  return wrap(without_gil([&] { return tensor.add(r.tensor(0), r.scalar(1)); }));
  END_HANDLE_TH_ERRORS
}

}  // namespace torch::autograd
