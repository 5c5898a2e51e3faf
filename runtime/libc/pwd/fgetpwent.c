/* Reads an entry of a file in the format of /etc/passwd. */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cuts the line at ':' into its fields; the number found. */
static int split(char *line, char *fields[7]) {
  int count = 0;
  for (char *at = line; at && count < 7; count++) {
    fields[count] = at;
    at = strchr(at, ':');
    if (at) *at++ = 0;
  }
  return count;
}

struct passwd *fgetpwent(FILE *stream) {
  static char *line;
  static size_t size;
  static struct passwd entry;
  while (getline(&line, &size, stream) > 0) {
    char *fields[7];
    line[strcspn(line, "\n")] = 0;
    if (split(line, fields) != 7) continue;
    entry = (struct passwd){fields[0],
                            fields[1],
                            (uid_t)strtoul(fields[2], 0, 10),
                            (gid_t)strtoul(fields[3], 0, 10),
                            fields[4],
                            fields[5],
                            fields[6]};
    return &entry;
  }
  return 0;
}
