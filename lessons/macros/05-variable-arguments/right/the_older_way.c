#define CALL(f, ...) f(ctx, ## __VA_ARGS__)

struct context;
void clear(struct context *ctx);
void line(struct context *ctx, int x, int y);

void draw(struct context *ctx) {
    CALL(clear);
    CALL(line, 1, 2);
}

