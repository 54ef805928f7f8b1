#define A D(C B,() ()A,C,)C F
#define B() C a CB c
#define C () B()
#define D(x, y, z, rest...) C, ## rest
#define E :: ()
#define F(x, y, z, rest...) FB() A
#define STR(...) #__VA_ARGS__
#define XSTR(...) STR(__VA_ARGS__)
C ;
XSTR(C) ;
#undef B
B C ;
A ;
XSTR(A) ;
