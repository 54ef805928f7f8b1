#define FLAGS(X) \
    X(READ, 0)   \
    X(WRITE, 1)  \
    X(RUN, 2)

#define EN(name, bit) name,
#define OR_BIT(name, bit) | 1 << bit
enum { FLAGS(EN) FLAG_COUNT };
#define ALL_FLAGS (0 FLAGS(OR_BIT))

int count = FLAG_COUNT;
int all = ALL_FLAGS;
