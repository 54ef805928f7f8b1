#define FRUITS FRUIT(apple, 3) FRUIT(pear, 4)

#define FRUIT(name, price) name,
enum fruit { FRUITS };
#undef FRUIT

#define FRUIT(name, price) price,
int prices[] = { FRUITS };
#undef FRUIT
