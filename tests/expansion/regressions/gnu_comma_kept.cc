#define A(x, y, z, rest...) C##y z rest
#define B(x, y) y
#define C(x, y, z, rest...) z , ## rest
#define D(x, y, z) z
#define STR(...) #__VA_ARGS__
#define XSTR(...) STR(__VA_ARGS__)
A(C(A, , b  2, 2 a),2,1,B (1,b) D(b , C , a))D (A(D (c, a, 2),D(c , x1 , 2),D,C(b,b,x1,c),C (2 , 2 , a ,  , x1),A(c, 1, 1)),D(A(b ,  , a , 1),bD,C(,1,1,a)),D (2, ca, A(2,c,A,c,1,))) ;
XSTR(A(C(A, , b  2, 2 a),2,1,B (1,b) D(b , C , a))D (A(D (c, a, 2),D(c , x1 , 2),D,C(b,b,x1,c),C (2 , 2 , a ,  , x1),A(c, 1, 1)),D(A(b ,  , a , 1),bD,C(,1,1,a)),D (2, ca, A(2,c,A,c,1,)))) ;
#undef D
D A(C(A, , b  2, 2 a),2,1,B (1,b) D(b , C , a))D (A(D (c, a, 2),D(c , x1 , 2),D,C(b,b,x1,c),C (2 , 2 , a ,  , x1),A(c, 1, 1)),D(A(b ,  , a , 1),bD,C(,1,1,a)),D (2, ca, A(2,c,A,c,1,))) ;
B D (C(2 , A (2 , x1 , b , 1) , B (b,b)), A(b,a,2)A(a, , ), B(x1 2 , )) ;
XSTR(B D (C(2 , A (2 , x1 , b , 1) , B (b,b)), A(b,a,2)A(a, , ), B(x1 2 , ))) ;
#undef C
C B D (C(2 , A (2 , x1 , b , 1) , B (b,b)), A(b,a,2)A(a, , ), B(x1 2 , )) ;
