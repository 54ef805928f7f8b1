#include "kernel_registry.h"

#define DECLARE(...) PD_EXPAND(PD_CONCATENATE(DECLARE_, PD_NARGS(__VA_ARGS__))(__VA_ARGS__))
#define DECLARE_1(a) void take(a);
#define DECLARE_2(a, b) void take(a); void take(b);
#define DECLARE_3(a, b, c) void take(a); void take(b); void take(c);

DECLARE(float, double, int)
