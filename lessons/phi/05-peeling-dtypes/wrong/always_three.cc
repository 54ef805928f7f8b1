#include "kernel_registry.h"

#define EACH_1(f, x) f(x)
#define EACH_2(f, x, ...) f(x) EACH_1(f, __VA_ARGS__)
#define EACH_3(f, x, ...) f(x) EACH_2(f, __VA_ARGS__)
#define EACH_4(f, x, ...) f(x) EACH_3(f, __VA_ARGS__)

#define FOR_EACH(f, ...) EACH_3(f, __VA_ARGS__)

#define DECLARE(name) extern int name;

FOR_EACH(DECLARE, one, two, three)
