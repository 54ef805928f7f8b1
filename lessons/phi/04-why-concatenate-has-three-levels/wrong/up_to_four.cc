#include "kernel_registry.h"

#define PASTE(n, a, b, c, d, num, ...) n##_##num
#define P2(...) PASTE(__VA_ARGS__)
#define COUNTED(name, ...) P2(name, __VA_ARGS__, 4, 3, 2, 1, 0)

int COUNTED(max, a, b);
