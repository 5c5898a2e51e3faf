/* The generators, whose sequences programs may rely on: rand, random with all sizes of state, rand_r, drand48 */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  for (int i = 0; i < 5; i++) printf("%d ", rand());
  for (unsigned seed = 0; seed < 4; seed++) {
    srand(seed);
    for (int i = 0; i < 40; i++) rand();
    printf("%d ", rand());
    srandom(seed * 123456789u);
    printf("%ld ", random()), printf("%ld\n", random());
  }
  static const size_t sizes[] = {8, 31, 32, 64, 128, 256, 300};
  static char states[7][304];
  char *original = NULL;
  for (int i = 0; i < 7; i++) {
    char *previous = initstate(i + 7, states[i], sizes[i]);
    if (i == 0) original = previous;
    for (int k = 0; k < 100; k++) random();
    printf("%ld ", random());
    if (i > 1) setstate(states[i - 1]), printf("%ld ", random()), setstate(states[i]), printf("%ld ", random());
  }
  setstate(original);
  printf("%ld\n", random());
  unsigned seed = 42;
  for (int i = 0; i < 5; i++) printf("%d ", rand_r(&seed)), printf("%u ", seed);
  srand48(1234567);
  printf("\n%.17g ", drand48()), printf("%ld ", lrand48()), printf("%ld\n", mrand48());
  unsigned short state[3] = {1, 2, 3}, parameters[7] = {1, 2, 3, 4, 5, 6, 7};
  printf("%.17g ", erand48(state)), printf("%ld ", nrand48(state)), printf("%ld\n", jrand48(state));
  unsigned short *old = seed48(state);
  printf("%u %u %u %.17g\n", old[0], old[1], old[2], drand48());
  lcong48(parameters);
  printf("%.17g ", drand48()), printf("%ld\n", mrand48());
  printf("%d\n", RAND_MAX);
}
