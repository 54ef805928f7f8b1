#define AREA(w, h) ((w) * (h))
#define ROOM 3, 4
#define HALL 10, 20

#define AREA_OF(...) AREA(__VA_ARGS__)

int room = AREA_OF(ROOM);
int hall = AREA_OF(HALL);
