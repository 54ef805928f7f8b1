#define PREFIX lib_

#define PASTE(a, b) a ## b
#define JOIN(a, b) PASTE(a ## b, )
#define FUNCTION(name) JOIN(PREFIX, name)

int FUNCTION(open)(int file);
int FUNCTION(close)(int file);
