#define EMPTY()
#define SCAN(...) __VA_ARGS__
#define SCANS(...) SCAN(SCAN(SCAN(SCAN(__VA_ARGS__))))
#define EVAL(...) SCANS(SCANS(SCANS(SCANS(__VA_ARGS__))))

#define EACH(f, ...) EVAL(EACH_STEP(f, __VA_ARGS__))
#define EACH_STEP(f, x, ...) f(x) EACH_AGAIN EMPTY() () (f, __VA_ARGS__)
#define EACH_AGAIN() EACH_STEP

#define DECLARE(name) int name;
EACH(DECLARE, a, b, c)
