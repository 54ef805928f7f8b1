#define FOURTH(a, b, c, d, ...) d
#define COUNT(...) FOURTH(__VA_ARGS__, 3, 2, 1, 0)

int numbers[] = {COUNT(), COUNT(a), COUNT(a, b), COUNT(a, b, c, d, e)};
