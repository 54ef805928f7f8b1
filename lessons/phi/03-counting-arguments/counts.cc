// What is an argument, and what is none?
#include "kernel_registry.h"

int names = PD_NARGS(bool, uint8_t, int8_t);
int pair = PD_NARGS(std::pair<int, float>, bool);
int group = PD_NARGS((int, float), bool);
int none = PD_NARGS();
