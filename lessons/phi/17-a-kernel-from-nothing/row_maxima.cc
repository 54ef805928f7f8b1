// row_maxima: out[i] is the greatest number of x's row i. Nothing of it is here yet.
#include "enforce.h"
#include "infermeta_utils.h"
#include "kernel_registry.h"
#include "meta_tensor.h"
