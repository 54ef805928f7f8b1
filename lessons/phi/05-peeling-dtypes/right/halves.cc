#include "kernel_registry.h"

#define EACH_1(f, x) f(x)
#define EACH_2(f, x, ...) f(x) EACH_1(f, __VA_ARGS__)
#define EACH_3(f, x, y, z) EACH_2(f, x, y) f(z)
#define EACH_4(f, x, y, z, w) EACH_2(f, x, y) EACH_2(f, z, w)

#define JOIN(a, b) JOIN2(a, b)
#define JOIN2(a, b) a##b
#define FOR_EACH(f, ...) JOIN(EACH_, PD_NARGS(__VA_ARGS__))(f, __VA_ARGS__)

#define DECLARE(name) extern int name;

FOR_EACH(DECLARE, one, two, three)
