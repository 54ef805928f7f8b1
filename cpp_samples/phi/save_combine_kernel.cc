// A result that is no tensor: the bytes of a saved model.
//
// What goes in or out of a kernel has to be a tensor of some kind. For the rest there is
// ExtendedTensor, which a class of one's own may inherit from: here a string, there a vocabulary.
// The entry describes it with a layout and a dtype like any other, which say nothing about it.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void SaveCombineTensorKernel(const Context& dev_ctx,
                             const std::vector<const DenseTensor*>& x,
                             const std::string& file_path,
                             bool overwrite,
                             bool save_as_fp16,
                             bool save_to_memory,
                             ExtendedTensor* out) {}

template <typename T, typename Context>
void SaveCombineVocabKernel(const Context& dev_ctx,
                            const std::vector<const ExtendedTensor*>& inputs,
                            const std::string& file_path,
                            bool overwrite,
                            bool save_as_fp16,
                            bool save_to_memory,
                            ExtendedTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(save_combine_tensor,
                   CPU,
                   ALL_LAYOUT,
                   phi::SaveCombineTensorKernel,
                   int,
                   int64_t,
                   float,
                   double,
                   phi::dtype::bfloat16) {}

PD_REGISTER_KERNEL(save_combine_vocab,
                   CPU,
                   ALL_LAYOUT,
                   phi::SaveCombineVocabKernel,
                   int,
                   int64_t,
                   float,
                   double,
                   phi::dtype::bfloat16) {}
