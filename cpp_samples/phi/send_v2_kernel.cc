// A kernel that is a class: no parameters to be seen, and none in the registry.
//
// What it takes are strings inside Compute, which nobody reads before the kernel runs. Step to the
// end of an object: nullptr stands where the parser of the arguments was, and again where the
// second address was. The entry says STRUCTURE, and its lists of inputs, attributes and outputs are
// empty.
#include "struct_kernel.h"

namespace paddle {
namespace operators {

template <typename T>
void Send(const phi::DeviceContext& dev_ctx, const phi::DenseTensor& x, int ring_id, int peer);

// Paddle's own refuses: it has no way to send from a CPU.
template <typename T, typename DeviceContext>
class SendOpV2CPUKernel : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& context) const override {
    Send<T>(context.template device_context<DeviceContext>(),
            *context.Input<phi::DenseTensor>("X"),
            context.Attr<int>("ring_id"),
            context.Attr<int>("peer"));
  }
};

}  // namespace operators
}  // namespace paddle

namespace ops = paddle::operators;

PD_REGISTER_STRUCT_KERNEL(send_v2,
                          CPU,
                          ALL_LAYOUT,
                          ops::SendOpV2CPUKernel,
                          float,
                          double,
                          int,
                          int64_t,
                          phi::dtype::float16) {}
