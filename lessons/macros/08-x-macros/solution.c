#define FLAGS(X) \
    X(READ, 0)   \
    X(WRITE, 1)  \
    X(RUN, 2)

#define PLUS_ONE(name, bit) + 1
#define OR_BIT(name, bit) | 1 << bit
#define FLAG_COUNT (0 FLAGS(PLUS_ONE))
#define ALL_FLAGS (0 FLAGS(OR_BIT))

int count = FLAG_COUNT;
int all = ALL_FLAGS;
