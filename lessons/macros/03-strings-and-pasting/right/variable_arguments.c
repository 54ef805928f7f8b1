#define PREFIX lib_

#define PASTE(a, ...) a##__VA_ARGS__
#define EXPANDED(...) PASTE(__VA_ARGS__)
#define FUNCTION(name) EXPANDED(PREFIX, name)

int FUNCTION(open)(int file);
int FUNCTION(close)(int file);
