#include "kernel_registry.h"

#define EACH_1(f, x) f(x)
#define EACH_2(f, x, ...) f(x) EACH_1(f, __VA_ARGS__)

#define FOR_EACH(f, x, ...) f(x) FOR_EACH(f, __VA_ARGS__)

#define DECLARE(name) extern int name;

FOR_EACH(DECLARE, one, two, three)
