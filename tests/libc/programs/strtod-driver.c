/* Reads each line of the input as double and as float: bits, characters used, errno. See strtod-cases.ts. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  static char line[20000];
  while (fgets(line, sizeof line, stdin)) {
    char *end;
    line[strcspn(line, "\n")] = 0;
    errno = 0;
    double number = strtod(line, &end);
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    if (number != number) bits = bits >> 63;
    printf("%016llx %d %d ", (unsigned long long)bits, (int)(end - line), errno);
    errno = 0;
    float small = strtof(line, &end);
    uint32_t small_bits;
    memcpy(&small_bits, &small, sizeof small_bits);
    if (small != small) small_bits = small_bits >> 31;
    printf("%08x %d %d\n", small_bits, (int)(end - line), errno);
  }
  return 0;
}
