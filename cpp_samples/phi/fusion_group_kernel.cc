// A kernel whose work is written while the program runs.
//
// A pass over the program finds operations that only hand elements on to one another, writes one CUDA
// function for all of them, has it compiled, and leaves this operator in their place: it knows the
// function's name. How many tensors go in and out is the function's affair, and of which types, so both
// are vectors here, and the types come as numbers in two more. A vector of outputs is one output to the
// registry. Which type it holds no template argument says: the braces leave it open.
#include "kernel_registry.h"

namespace phi {
namespace fusion {

template <typename T, typename Context>
void FusionGroupKernel(const Context& dev_ctx,
                       const std::vector<const DenseTensor*>& ins,
                       const std::vector<int>& outs_dtype,
                       const std::vector<int>& inputs_dtype,
                       const std::string& func_name,
                       int type,
                       std::vector<DenseTensor*> outs) {}

}  // namespace fusion
}  // namespace phi

PD_REGISTER_KERNEL(fusion_group,
                   GPU,
                   ALL_LAYOUT,
                   phi::fusion::FusionGroupKernel,
                   float,
                   double,
                   phi::dtype::float16) {
  kernel->OutputAt(0).SetDataType(phi::DataType::UNDEFINED);
}
