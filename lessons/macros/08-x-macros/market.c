#define FRUIT(name, price) name,
enum fruit {
#include "fruits.def"
};
#undef FRUIT

#define FRUIT(name, price) price,
int prices[] = {
#include "fruits.def"
};

#define PRICE(fruit) prices[fruit]
int breakfast = PRICE(apple);
