#define FLAGS(X) \
    X(READ, 0)   \
    X(WRITE, 1)  \
    X(RUN, 2)

#define ONE(name, bit) - -1
#define BIT(name, bit) + (1 << bit)
#define FLAG_COUNT (0 FLAGS(ONE))
#define ALL_FLAGS (0 FLAGS(BIT))

int count = FLAG_COUNT;
int all = ALL_FLAGS;
