#define A(x, ...) 1 x __VA_ARGS__A , ## __VA_ARGS__
#define B(x) # x G(x() x, x, x+)Ex
#define C(x) x
#define D A()D
#define E(x, y)
#define F(x) + 2
#define G(x, y) xD
#define STR(...) #__VA_ARGS__
#define XSTR(...) STR(__VA_ARGS__)
D  D ;
XSTR(D  D) ;
#undef F
F D  D ;
