#define SQUARE(x) 9

int area = SQUARE(1 + 2);
