#define FLAGS(X) \
    X(READ, 0)   \
    X(WRITE, 1)  \
    X(RUN, 2)

#define FLAG_COUNT 3
#define ALL_FLAGS 7

int count = FLAG_COUNT;
int all = ALL_FLAGS;
