#define NOTHING
#define LOG(format, ...) \
    printf(format, __VA_ARGS__)
#define SAY(format, ...) \
    printf(format __VA_OPT__(,) __VA_ARGS__)
#define GNU(format, ...) \
    printf(format, ## __VA_ARGS__)
#define SET(name, ...) \
    int name[] = {__VA_ARGS__}

SET(primes, 2, 3, 5);
void g(void) {
    LOG("%d of %d", 1, 2);
    LOG("done");
    SAY("%d of %d", 1, 2);
    SAY("done");
    SAY("done", NOTHING);
    GNU("done");
    GNU("done", NOTHING);
}
