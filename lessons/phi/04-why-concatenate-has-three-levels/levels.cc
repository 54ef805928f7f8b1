// PD_CONCATENATE with one level, with two, and as it is, with three.
#include "kernel_registry.h"

#define ONE(arg1, arg2) arg1##arg2

#define TWO(arg1, arg2) TWO_1(arg1, arg2)
#define TWO_1(arg1, arg2) arg1##arg2

#define NOTHING()

int a = ONE(kernels_, PD_NARGS(bool, int));
int b = TWO(kernels_, PD_NARGS(bool, int));
int c = TWO(kernels_, PD_NARGS NOTHING() (bool, int));
int d = PD_CONCATENATE(kernels_, PD_NARGS NOTHING() (bool, int));
