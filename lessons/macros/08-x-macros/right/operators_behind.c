#define FLAGS(X) \
    X(READ, 0)   \
    X(WRITE, 1)  \
    X(RUN, 2)

#define ONE(...) 1 +
#define BIT(name, bit) (1u << (bit)) |
#define FLAG_COUNT (FLAGS(ONE) 0)
#define ALL_FLAGS (FLAGS(BIT) 0)

int count = FLAG_COUNT;
int all = ALL_FLAGS;
