// The functions that say what trace and its gradient give, before anybody computes.
//
// trace_grad's kernel has two inputs, three attributes and an output. UnchangedInferMeta has one
// input and one output, and that is enough: it takes what its parameters ask for, input 0 and
// output 0, and leaves the rest in the context. A gradient looks like what it is the gradient of.
#include "infermeta_utils.h"

namespace phi {

void TraceInferMeta(const MetaTensor& x, int offset, int axis1, int axis2, MetaTensor* out);

void UnchangedInferMeta(const MetaTensor& x, MetaTensor* out);

}  // namespace phi

PD_REGISTER_INFER_META_FN(trace, phi::TraceInferMeta);
PD_REGISTER_INFER_META_FN(trace_grad, phi::UnchangedInferMeta);
