#define SQUARE(x) (((int)(x)) * ((int)(x)))

int area = SQUARE(1 + 2);
