#define TIMES(a, b) ((a) * (b))
#define SQUARE(x) TIMES(x, x)

int area = SQUARE(1 + 2);
