/* <stdio.h>: streams and files. Formatting has a test of its own; here every function is called. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int through_vprintf(const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vprintf(format, list);
  va_end(list);
  return n;
}

static int through_vfprintf(FILE *f, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vfprintf(f, format, list);
  va_end(list);
  return n;
}

static int through_vsprintf(char *to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vsprintf(to, format, list);
  va_end(list);
  return n;
}

static int through_vsnprintf(char *to, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vsnprintf(to, size, format, list);
  va_end(list);
  return n;
}

static int through_vsscanf(const char *from, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vsscanf(from, format, list);
  va_end(list);
  return n;
}

static int through_vfscanf(FILE *f, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vfscanf(f, format, list);
  va_end(list);
  return n;
}

static int through_vscanf(const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vscanf(format, list);
  va_end(list);
  return n;
}

static void formatting(void) {
  char buffer[64];
  printf("%d\n", through_vprintf("[%5d|%-5s|%05.1f|%x|%c|%%]\n", 42, "ab", 3.14159, 255, 'z'));
  printf("%d\n", through_vfprintf(stdout, "%s %ld\n", "vfprintf", 123456789012L));
  printf("%d ", through_vsprintf(buffer, "%o %+d", 8, 5));
  printf("'%s'\n", buffer);
  printf("%d ", through_vsnprintf(buffer, 6, "%s", "truncated"));
  printf("'%s'\n", buffer);
  printf("%d ", sprintf(buffer, "%#x %e", 31, 12345.678));
  printf("'%s'\n", buffer);
  printf("%d ", snprintf(buffer, 4, "%d", 1234567));
  printf("'%s' %d\n", buffer, snprintf(NULL, 0, "%100d", 1));
  fprintf(stdout, "%p\n", (void *)0);
  int n = 0;
  printf("abc%n", &n);
  printf(" %d\n", n);
}

static void writing(const char *name) {
  FILE *f = fopen(name, "w");
  printf("%d\n", f != NULL);
  printf("%d ", fputs("first line\n", f) >= 0);
  printf("%c ", fputc('s', f));
  printf("%c ", putc('e', f));
  printf("%zu ", fwrite("cond line\nthird 33 3.5\n", 1, 22, f));
  printf("%ld\n", ftell(f));
  printf("%d ", fprintf(f, "%s", "end"));
  printf("%d ", fflush(f));
  printf("%d\n", fclose(f));
}

static void reading(const char *name) {
  char line[64], word[16];
  int number;
  float real;
  FILE *f = fopen(name, "r");
  printf("%s", fgets(line, sizeof line, f));
  printf("%c", getc(f));
  const int c = fgetc(f);
  printf("%c", c);
  printf("%c ", ungetc('Z', f));
  printf("%s", fgets(line, 4, f));
  printf("|%s", fgets(line, sizeof line, f));
  printf("%d ", fscanf(f, "%15s %d %f", word, &number, &real));
  printf("%s %d %g\n", word, number, real);
  fpos_t place;
  printf("%d ", fgetpos(f, &place));
  printf("%zu ", fread(line, 1, sizeof line, f));
  printf("%d %d ", feof(f) != 0, ferror(f) != 0);
  clearerr(f);
  printf("%d ", feof(f) != 0);
  printf("%d ", fsetpos(f, &place));
  printf("%d\n", fgetc(f));
  printf("%d ", fseek(f, -3, SEEK_END));
  printf("%s ", fgets(line, sizeof line, f));
  rewind(f);
  printf("%c ", fgetc(f));
  fseek(f, 6, SEEK_SET);
  fseek(f, -1, SEEK_CUR);
  printf("%c ", fgetc(f));
  printf("%ld\n", ftell(f));
  rewind(f);
  printf("%d ", through_vfscanf(f, "%15s", word));
  printf("%s\n", word);
  fclose(f);
}

static void modes(const char *name) {
  char line[64];
  FILE *f = fopen(name, "a+");
  fputs("appended", f);
  rewind(f);
  printf("%s", fgets(line, sizeof line, f));
  fclose(f);
  f = fopen(name, "r+");
  fputs("FIRST", f);
  fseek(f, 0, SEEK_SET);
  printf("%s", fgets(line, sizeof line, f));
  printf("%d ", fputs("x", f) >= 0);
  fclose(f);
  f = fopen(name, "r");
  printf("%d ", fputc('x', f));
  printf("%d\n", ferror(f) != 0);
  fclose(f);
  errno = 0;
  printf("%d ", fopen("no/such/file", "r") == NULL);
  printf("%d ", errno == ENOENT);
  printf("%d\n", fopen(name, "wx") == NULL);
  f = freopen(name, "w", fopen(name, "r"));
  fputs("reopened\n", f);
  fclose(f);
  f = fopen(name, "rb");
  printf("%s", fgets(line, sizeof line, f));
  fclose(f);
}

static void buffers(const char *name) {
  static char mine[BUFSIZ];
  FILE *f = fopen(name, "w+");
  printf("%d ", setvbuf(f, mine, _IOFBF, sizeof mine));
  fputs("buffered", f);
  fclose(f);
  f = fopen(name, "w+");
  setbuf(f, NULL);
  fputs("unbuffered", f);
  FILE *other = fopen(name, "r");
  char line[32];
  printf("%s\n", fgets(line, sizeof line, other));
  fclose(other);
  fclose(f);
}

static void names(const char *name) {
  char temporary[L_tmpnam];
  printf("%d ", rename(name, "renamed.txt"));
  printf("%d ", fopen(name, "r") == NULL);
  printf("%d ", remove("renamed.txt"));
  printf("%d ", remove("renamed.txt") != 0);
  printf("%d ", tmpnam(temporary) == temporary);
  FILE *f = tmpfile();
  fputs("temporary", f);
  rewind(f);
  char line[32];
  printf("%s\n", fgets(line, sizeof line, f));
  fclose(f);
}

static void standard_streams(void) {
  int a = 0, b = 0;
  char word[16];
  printf("%d ", scanf("%d", &a));
  printf("%d ", through_vscanf("%d", &b));
  printf("%d %d ", a, b);
  printf("%d ", getchar());
  printf("%c ", getchar());
  printf("%c\n", getc(stdin));
  printf("%d ", sscanf("7 seven", "%d %15s", &a, word));
  printf("%d %s ", a, word);
  printf("%d ", through_vsscanf("0x1f", "%i", &a));
  printf("%d\n", a);
  puts("puts");
  putchar('p');
  putc('\n', stdout);
  errno = ENOENT;
  perror("message");
  fputs("to stderr\n", stderr);
  printf("%d\n", EOF);
}

int main(void) {
  const char *name = "stdio-test.txt";
  formatting();
  writing(name);
  reading(name);
  modes(name);
  buffers(name);
  names(name);
  standard_streams();
  return 0;
}
