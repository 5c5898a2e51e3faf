#include <stdio.h>

struct trip {
  double length_km;
  int time_s;
};
typedef struct {
  double length_m;
  int time_ms, rest_s;
} leg;

static double longest;

static void add(struct trip *trip, const leg *leg) {
  trip->length_km += leg->length_m / 1000;
  longest = leg->length_m;
  trip->length_km = longest / 1000;
  trip->time_s = trip->time_s + leg->time_ms / 1000 + leg->rest_s;
}

int main(void) {
  struct trip trip = {0, 0};
  leg home = {1500, 60000, 30};
  add(&trip, &home);
  printf("%g km in %d s\n", trip.length_km, trip.time_s);
  return 0;
}
