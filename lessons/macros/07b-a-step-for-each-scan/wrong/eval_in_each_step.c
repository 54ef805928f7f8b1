#define EMPTY()
#define SCAN(...) __VA_ARGS__
#define SCANS(...) SCAN(SCAN(SCAN(SCAN(__VA_ARGS__))))
#define EVAL(...) SCANS(SCANS(SCANS(SCANS(__VA_ARGS__))))

#define EACH(f, x, ...) EVAL(f(x) __VA_OPT__(AGAIN EMPTY() () (f, __VA_ARGS__)))
#define AGAIN() EACH

#define DECLARE(name) int name;
EACH(DECLARE, a, b, c)
