int TWICE(int x);
#define SUM 2 + 3
#define TWICE(x) ((x) * 2)
#define HALF (x) ((x) / 2)
int a = SUM * 2;
int b = TWICE(SUM);
int (*f)(int) = TWICE, d = SUM;
int c = HALF(8);
