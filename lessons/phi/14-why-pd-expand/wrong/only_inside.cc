#include "kernel_registry.h"

#define DECLARE(...) PD_CONCATENATE(DECLARE_, PD_NARGS(__VA_ARGS__))(__VA_ARGS__)
#define DECLARE_1(type) void take(type);
#define DECLARE_2(type, ...) void take(type); PD_EXPAND(DECLARE_1(__VA_ARGS__))
#define DECLARE_3(type, ...) void take(type); PD_EXPAND(DECLARE_2(__VA_ARGS__))

DECLARE(float, double, int)
