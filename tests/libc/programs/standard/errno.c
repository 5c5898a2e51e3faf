/* <errno.h>: the numbers, that errno is an lvalue of its own, and the texts. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

int main(void) {
  printf("%d %d %d\n", EDOM, EILSEQ, ERANGE);
  errno = 0;
  int *address = &errno;
  *address = EDOM;
  printf("%d\n", errno == EDOM);
  errno = 0;
  strtol("99999999999999999999999", 0, 10);
  printf("%d\n", errno == ERANGE);
  for (int i = 0; i < 40; i++) printf("%d %s\n", i, strerror(i));
  printf("%s\n%s\n", strerror(EILSEQ), strerror(99999));
  errno = ENOENT;
  perror("perror");
  return 0;
}
