#define COLOURS(X)     \
    X(RED,   0xff0000) \
    X(GREEN, 0x00ff00) \
    X(BLUE,  0x0000ff)

#define AS_CONSTANT(name, value) name = value,
#define AS_TEXT(name, value) #name,
#define AS_ONE(name, value) + 1

enum colour { COLOURS(AS_CONSTANT) };
const char *names[] = { COLOURS(AS_TEXT) };
int count = 0 COLOURS(AS_ONE);
