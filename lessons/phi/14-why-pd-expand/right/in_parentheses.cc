#include "kernel_registry.h"

#define DECLARE(...) DECLARE_N(PD_CONCATENATE(DECLARE_, PD_NARGS(__VA_ARGS__)), (__VA_ARGS__))
#define DECLARE_N(macro, list) macro list
#define DECLARE_1(type) void take(type);
#define DECLARE_2(type, ...) void take(type); DECLARE_1_OF((__VA_ARGS__))
#define DECLARE_3(type, ...) void take(type); DECLARE_2_OF((__VA_ARGS__))
#define DECLARE_1_OF(list) DECLARE_1 list
#define DECLARE_2_OF(list) DECLARE_2 list

DECLARE(float, double, int)
