#include "kernel_registry.h"
#undef PD_NARGS
#define PICK(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, n, ...) n
#define PD_NARGS(...) PICK(__VA_ARGS__, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
int seventeen = PD_NARGS(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
