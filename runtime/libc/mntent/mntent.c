/*
 * <mntent.h>: lines of six fields, separated by blanks. In a field, a blank, a tab, a newline and a
 * backslash are written as a backslash and three octal digits.
 */
#include <mntent.h>
#include <stdlib.h>
#include <string.h>

FILE *setmntent(const char *path, const char *mode) { return fopen(path, mode); }

int endmntent(FILE *stream) {
  if (stream) fclose(stream);
  return 1;
}

static int is_octal(const char *at) {
  for (int i = 0; i < 3; i++)
    if (at[i] < '0' || at[i] > '7') return 0;
  return 1;
}

static void decode(char *field) {
  char *to = field;
  for (const char *from = field; *from;) {
    if (*from == '\\' && is_octal(from + 1)) {
      *to++ = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
      from += 4;
    } else {
      *to++ = *from++;
    }
  }
  *to = 0;
}

/* The next field of the line, or an empty one at its end. */
static char *next_field(char **line) {
  char *field = *line + strspn(*line, " \t");
  char *end = field + strcspn(field, " \t");
  *line = *end ? end + 1 : end;
  *end = 0;
  decode(field);
  return field;
}

struct mntent *getmntent_r(FILE *restrict stream, struct mntent *restrict entry, char *restrict buffer, int size) {
  while (size > 1 && fgets(buffer, size, stream)) {
    char *line = buffer + strspn(buffer, " \t");
    line[strcspn(line, "\n")] = 0;
    if (!*line || *line == '#') continue;
    entry->mnt_fsname = next_field(&line);
    entry->mnt_dir = next_field(&line);
    entry->mnt_type = next_field(&line);
    entry->mnt_opts = next_field(&line);
    entry->mnt_freq = atoi(next_field(&line));
    entry->mnt_passno = atoi(next_field(&line));
    return entry;
  }
  return 0;
}

struct mntent *getmntent(FILE *stream) {
  static struct mntent entry;
  static char buffer[4096];
  return getmntent_r(stream, &entry, buffer, sizeof buffer);
}

static void write_field(FILE *stream, const char *field) {
  for (; *field; field++) {
    if (strchr(" \t\n\\", *field)) fprintf(stream, "\\%03o", (unsigned)*field);
    else fputc(*field, stream);
  }
  fputc(' ', stream);
}

/* 0, or 1 if the entry cannot be written. */
int addmntent(FILE *restrict stream, const struct mntent *restrict entry) {
  if (fseek(stream, 0, SEEK_END) != 0) return 1;
  write_field(stream, entry->mnt_fsname);
  write_field(stream, entry->mnt_dir);
  write_field(stream, entry->mnt_type);
  write_field(stream, entry->mnt_opts);
  fprintf(stream, "%d %d\n", entry->mnt_freq, entry->mnt_passno);
  return fflush(stream) != 0;
}

char *hasmntopt(const struct mntent *entry, const char *option) {
  const size_t length = strlen(option);
  for (char *at = entry->mnt_opts; (at = strstr(at, option)); at += length) {
    const int begins = at == entry->mnt_opts || at[-1] == ',';
    if (begins && (!at[length] || at[length] == ',' || at[length] == '=')) return at;
  }
  return 0;
}
