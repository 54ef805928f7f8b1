#define SIXTH(a, b, c, d, e, f, ...) f
#define COUNT(...) SIXTH(__VA_ARGS__, 0, 1, 2, 3, 4, 5)

int numbers[] = {COUNT(), COUNT(a), COUNT(a, b), COUNT(a, b, c, d, e)};
