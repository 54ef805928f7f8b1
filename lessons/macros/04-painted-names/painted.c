#define loop loop + 1
#define ping pong + 1
#define pong ping + 2
#define next(x) (x + 1)
#define same(x) x

int a = loop;
int b = ping;
int c = next(next(7));
int d = same(loop);
