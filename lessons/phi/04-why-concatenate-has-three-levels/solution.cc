#include "kernel_registry.h"

#define PASTE(a, b) a##_##b
#define JOIN(a, b) PASTE(a, b)
#define COUNTED(name, ...) JOIN(name, PD_NARGS(__VA_ARGS__))

int COUNTED(max, a, b);
