#define AREA(w, h) ((w) * (h))
#define ROOM 3, 4
#define HALL 10, 20

#define TIMES(w, h) ((w) * (h))
#define AREA_OF(s) TIMES(s)

int room = AREA_OF(ROOM);
int hall = AREA_OF(HALL);
