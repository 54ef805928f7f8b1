#define VERSION 3
#define TEXT(x) #x
#define JOIN(a, b) a ## b
#define SHOW(x) printf(#x " is %d\n", x)
#define FULL_TEXT(x) TEXT(x)

const char *sum = TEXT(1 + 2);
const char *version = TEXT(VERSION);
int JOIN(file, VERSION);
int number = JOIN(VER, SION);
void show(void) { SHOW(VERSION); }
const char *full = FULL_TEXT(VERSION);
