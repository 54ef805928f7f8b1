#define FOURTH(a, b, c, d, ...) d
#define COUNT(...) \
    FOURTH(__VA_ARGS__, 3, 2, 1, 0)

#define PASTE(a, b) a ## b
#define JOIN(a, b) PASTE(a, b)
#define SUM_1(a) (a)
#define SUM_2(a, b) ((a) + (b))
#define SUM_3(a, b, c) ((a) + (b) + (c))
#define SUM(...) \
    JOIN(SUM_, COUNT(__VA_ARGS__)) \
    (__VA_ARGS__)

int fourth = FOURTH(10, 20, 30, 40, 50);
int two = COUNT(x, y);
int pairs = COUNT((x, y), (z, w));
int many = COUNT(p, q, r, s);
int none = COUNT();
int sum = SUM(7, 8);
