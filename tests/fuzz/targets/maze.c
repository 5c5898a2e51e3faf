/* A maze: each byte is a step, and only one way leads out. The way out writes past the end of a block. With -DFIXED it does not. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const rows[] = {
  "+-+---+",
  "| |  #|",
  "| | --+",
  "|     |",
  "+-----+",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int x = 1, y = 1;
  char *trail = malloc(32);
  size_t steps = 0;
  for (size_t i = 0; i < size && steps < 31; i++) {
    int to_x = x, to_y = y;
    switch (data[i]) {
      case 'w': to_y--; break;
      case 's': to_y++; break;
      case 'a': to_x--; break;
      case 'd': to_x++; break;
      default: goto out;
    }
    char there = rows[to_y][to_x];
    if (there != ' ' && there != '#') break;
    x = to_x, y = to_y;
    trail[steps++] = (char)data[i];
    if (there == '#') {
#ifdef FIXED
      trail[31] = 0;
#else
      trail[32] = 0;
#endif
      break;
    }
  }
out:
  free(trail);
  return 0;
}
