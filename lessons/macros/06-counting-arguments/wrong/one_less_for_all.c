#define SIXTH(a, b, c, d, e, f, ...) f
#define COUNT(...) SIXTH(__VA_ARGS__, 4, 3, 2, 1, 0, 0)

int numbers[] = {COUNT(), COUNT(a), COUNT(a, b), COUNT(a, b, c, d, e)};
