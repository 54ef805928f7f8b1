#include "kernel_registry.h"

#define COUNTED(name, ...) name

int COUNTED(max, a, b);
