#define ONE 1
#define UNO ONE
#define ADD(x, y) ((x) + (y))
#define PAIR(x) x, x
#define CALL ADD
#define POINT 3, 4

int a = ADD(ADD(1, 2), 3);
int b[] = {PAIR(ONE)};
int c = UNO;
int d = CALL(4, 5);
