#define A A ## A ## A ## A ## A
#define B(...) __VA_ARGS__ ## __VA_ARGS__
#define C
#define D
#define E()
#define F A ## A ## A ## A ## A
#define G
#define STR(...) #__VA_ARGS__
#define XSTR(...) STR(__VA_ARGS__)
B(, ) ;
XSTR(B(, )) ;
#undef A
A B(, ) ;
