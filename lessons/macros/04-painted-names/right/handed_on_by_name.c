int calls;
int area(int width, int height);
#define COUNTED(f, args) (calls++, f args)
#define area(w, h) COUNTED(area, (w, h))

int (*pointer)(int, int) = area;
int total(void) { return area(3, 4) + area(area(1, 2), 5); }
