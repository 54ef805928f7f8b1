#define PICK(a, b, c, d, e, f, ...) f
#define COUNT(...) PICK(__VA_ARGS__ __VA_OPT__(,) 5, 4, 3, 2, 1, 0)

int numbers[] = {COUNT(), COUNT(a), COUNT(a, b), COUNT(a, b, c, d, e)};
