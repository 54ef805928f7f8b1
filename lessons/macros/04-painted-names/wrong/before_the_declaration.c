int calls;
#define area(width, height) (calls++, area(width, height))
int area(int width, int height);

int (*pointer)(int, int) = area;
int total(void) { return area(3, 4) + area(area(1, 2), 5); }
