#define SUM 2 + 3
#define TWICE(x) ((x) * 2)

// An object-like macro, a function-like one, and the name of one that is left alone.
int a = SUM * 2;
int b = TWICE(SUM);
int (*f)(int) = TWICE + SUM;
