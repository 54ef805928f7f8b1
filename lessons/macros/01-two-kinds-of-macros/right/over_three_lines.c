#define SQUARE(number) \
    ((number) /* times */ \
     * (number))

int area = SQUARE(1 + 2);
