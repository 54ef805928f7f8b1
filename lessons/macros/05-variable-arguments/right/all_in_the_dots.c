#define CALL(...) CALL_(__VA_ARGS__)
#define CALL_(f, ...) f(ctx __VA_OPT__(,) __VA_ARGS__)

struct context;
void clear(struct context *ctx);
void line(struct context *ctx, int x, int y);

void draw(struct context *ctx) {
    CALL(clear);
    CALL(line, 1, 2);
}

