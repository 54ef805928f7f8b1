#define PREFIX lib_

#define FUNCTION(name) PREFIX ## name

int FUNCTION(open)(int file);
int FUNCTION(close)(int file);
