#define EMPTY()
#define BOX(x) {x}
#define LATER(x) BOX EMPTY() (x)
#define SCAN(...) __VA_ARGS__
#define DEFER(name) name EMPTY()
#define OBSTRUCT(name) name DEFER(EMPTY)()

#define BAD(x, ...) \
    -x, __VA_OPT__(BAD(__VA_ARGS__))

#define EACH(x, ...) -x, __VA_OPT__( \
    AGAIN EMPTY() () (__VA_ARGS__))
#define AGAIN() EACH

#define EVAL(...) \
    SCAN(SCAN(SCAN(SCAN(__VA_ARGS__))))

int bad[] = { BAD(a, b, c) };
int late[] = { LATER(1) };
int boxed[] = { SCAN(LATER(1)) };
int later[] = { SCAN(OBSTRUCT(BOX)(1)) };
int first[] = { EACH(a, b, c) };
int second[] = { SCAN(EACH(a, b, c)) };
int all[] = { EVAL(EACH(a, b, c)) };
int many[] = { EVAL(EACH(a, b, c, d, e, f, g, h)) };
