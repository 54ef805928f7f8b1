#include "kernel_registry.h"

#define JOIN(a, b) a##_##b
#define COUNTED(name, ...) JOIN(name, PD_NARGS(__VA_ARGS__))

int COUNTED(max, a, b);
