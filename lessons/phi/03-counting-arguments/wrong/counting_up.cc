#include "kernel_registry.h"

#undef _PD_RESQ_N
#define _PD_RESQ_N() 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17

#undef _PD_ARG_N_EXPAND
#define _PD_ARG_N_EXPAND( \
    _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, N, ...) N

int seventeen = PD_NARGS(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
