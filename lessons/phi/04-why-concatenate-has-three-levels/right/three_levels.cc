#include "kernel_registry.h"

#define COUNTED_N(name, n) COUNTED_M(name, n)
#define COUNTED_M(...) COUNTED_O(__VA_ARGS__)
#define COUNTED_O(name, n) name ## _ ## n
#define COUNTED(name, ...) COUNTED_N(name, PD_NARGS(__VA_ARGS__))

int COUNTED(max, a, b);
