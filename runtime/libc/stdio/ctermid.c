#include <stdio.h>
#include <string.h>

char *ctermid(char *buffer) {
  static char own[L_ctermid];
  return strcpy(buffer ? buffer : own, "/dev/tty");
}
