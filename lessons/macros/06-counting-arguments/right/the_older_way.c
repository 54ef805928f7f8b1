#define PICK(z, a, b, c, d, e, n, ...) n
#define COUNT(...) PICK(0, ## __VA_ARGS__, 5, 4, 3, 2, 1, 0)

int numbers[] = {COUNT(), COUNT(a), COUNT(a, b), COUNT(a, b, c, d, e)};
