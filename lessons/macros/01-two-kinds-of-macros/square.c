#define SQUARE(x) x

int area = SQUARE(1 + 2);
