#define PREFIX lib_

#define FUNCTION(name) lib_ ## name

int FUNCTION(open)(int file);
int FUNCTION(close)(int file);
