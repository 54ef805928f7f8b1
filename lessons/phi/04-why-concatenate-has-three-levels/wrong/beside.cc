#include "kernel_registry.h"

#define COUNTED(name, ...) name ## _ PD_NARGS(__VA_ARGS__)

int COUNTED(max, a, b);
