#include "kernel_registry.h"

#define DECLARE(...) PD_CONCATENATE(DECLARE_, PD_NARGS(__VA_ARGS__))(PD_EXPAND(__VA_ARGS__))
#define DECLARE_1(type) void take(type);
#define DECLARE_2(type, ...) void take(type); DECLARE_1(PD_EXPAND(__VA_ARGS__))
#define DECLARE_3(type, ...) void take(type); DECLARE_2(PD_EXPAND(__VA_ARGS__))

DECLARE(float, double, int)
