#define EMPTY()
#define SCAN(...) __VA_ARGS__
#define SCANS(...) SCAN(SCAN(SCAN(SCAN(__VA_ARGS__))))
#define EVAL(...) SCANS(SCANS(SCANS(SCANS(__VA_ARGS__))))

#define EACH(f, x, ...) f(x) __VA_OPT__(EACH(f, __VA_ARGS__))

#define DECLARE(name) int name;
EACH(DECLARE, a, b, c)
