#include "kernel_registry.h"

#define COUNTED(name, ...) max_2

int COUNTED(max, a, b);
