/* tr SET1 SET2: replaces bytes of a text, with ranges in the sets; the sets are arguments. */
#include <stdio.h>
#include <string.h>

static size_t expand(const char *set, unsigned char *out, size_t room) {
  size_t used = 0;
  for (; *set && used < room; set++) {
    if (set[1] == '-' && set[2] && (unsigned char)set[2] >= (unsigned char)set[0]) {
      for (int c = (unsigned char)set[0]; c <= (unsigned char)set[2] && used < room; c++) out[used++] = (unsigned char)c;
      set += 2;
    } else out[used++] = (unsigned char)*set;
  }
  return used;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  unsigned char from[32], to[32], map[256];
  size_t many = expand(argv[1], from, sizeof from), few = expand(argv[2], to, sizeof to);
  if (few == 0) return 2;
  for (int i = 0; i < 256; i++) map[i] = (unsigned char)i;
  for (size_t i = 0; i < many; i++) map[from[i]] = to[i < few ? i : few - 1];
  for (const char *at = "a-z"; *at; at++) putchar(map[(unsigned char)*at]);
  return 0;
}
