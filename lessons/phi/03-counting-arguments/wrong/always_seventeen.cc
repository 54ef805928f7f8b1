#include "kernel_registry.h"

#undef PD_NARGS
#define PD_NARGS(...) 17

int seventeen = PD_NARGS(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
