#define PREFIX lib_

#define PASTE(p, n) p %:%: n
#define EXPANDED(p, n) PASTE(p, n)
#define FUNCTION(n) EXPANDED(PREFIX, n)

int FUNCTION(open)(int file);
int FUNCTION(close)(int file);
