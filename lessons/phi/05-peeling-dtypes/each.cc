// A loop that calls itself, and why there is none.
#define EACH(f, first, ...) f(first) EACH(f, __VA_ARGS__)

EACH(use, bool, int, float)
