int calls;
int area(int width, int height);
#define area(...) (calls++, area(__VA_ARGS__))

int (*pointer)(int, int) = area;
int total(void) { return area(3, 4) + area(area(1, 2), 5); }
