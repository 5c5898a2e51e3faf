#include <stddef.h>

struct settings {
  int speed, limit;
};

static void freeze(void *object, size_t bytes) { (void)object, (void)bytes; }

int main(void) {
  struct settings settings = {10, 20};
  settings.limit = 30;
  freeze(&settings, sizeof settings);
  return settings.speed > settings.limit;
}
