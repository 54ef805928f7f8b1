#define COUNT(...) FIRST(__VA_OPT__(SIXTH(__VA_ARGS__, 5, 4, 3, 2, 1, 0),) 0)
#define FIRST(a, ...) a
#define SIXTH(a, b, c, d, e, f, ...) f
int numbers[] = {COUNT(), COUNT(a), COUNT(a, b), COUNT(a, b, c, d, e)};
