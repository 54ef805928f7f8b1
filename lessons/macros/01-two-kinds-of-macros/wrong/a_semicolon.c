#define SQUARE(x) ((x) * (x));

int area = SQUARE(1 + 2);
