#include "temporary.h"

#include "engine.h"
#include "host.h"

void __rz_random_name(char name[6]) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  unsigned char random[6];
  __host_random(random, sizeof random);
  __rz_range_write(random, sizeof random);
  for (int i = 0; i < 6; i++) name[i] = letters[random[i] % (sizeof letters - 1)];
}
