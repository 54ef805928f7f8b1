// For you to write: the mapping of sequence_pool_grad. Its call has, by its grad op maker:
//
//   X         always
//   MaxIndex  if pooltype is "MAX"
//   the gradient of Out
//   the attributes pooltype, pad_value and is_test
//
// and gives the gradient of X.
#include "op_utils.h"
