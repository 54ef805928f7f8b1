#include "kernel_registry.h"

#undef _PD_RESQ_N
#define _PD_RESQ_N() 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0

#undef _PD_ARG_N_EXPAND
#define _PD_ARG_N_EXPAND( \
    _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, N, ...) N

int seventeen = PD_NARGS(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
