/* rpmatch: whether an answer begins with yes or no, by the expressions of the locale C. */
#include <stdlib.h>

int rpmatch(const char *answer) {
  if (answer[0] == 'y' || answer[0] == 'Y') return 1;
  return answer[0] == 'n' || answer[0] == 'N' ? 0 : -1;
}
