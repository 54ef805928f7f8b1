#define PREFIX lib_

#define JOIN(a, b) a ## b
#define FUNCTION(name) JOIN(PREFIX, name)

int FUNCTION(open)(int file);
int FUNCTION(close)(int file);
