#include "kernel_registry.h"

#define FIRST(type, ...) type
#define FIRST_OF(...) FIRST(__VA_ARGS__)
#define FIRST_OF_EXPANDED(...) PD_EXPAND(FIRST(__VA_ARGS__))

void plain(FIRST_OF(float, double) x);
void expanded(FIRST_OF_EXPANDED(float, double) x);
