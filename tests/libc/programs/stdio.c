/* Streams: every function of <stdio.h> that is not a conversion, with files in the current folder. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#define CHECK(expression) printf("%-40.40s = %ld\n", #expression, (long)(expression))

static void put(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  fputs(text, f);
  fclose(f);
}

static void show(const char *path) {
  FILE *f = fopen(path, "r");
  if (!f) {
    printf("%s: %s\n", path, strerror(errno));
    return;
  }
  printf("%s: [", path);
  for (int c; (c = getc(f)) != EOF;) putchar(c == '\n' ? '~' : c == 0 ? '0' : c);
  printf("] eof %d error %d\n", feof(f) != 0, ferror(f) != 0);
  fclose(f);
}

static void modes(void) {
  char buffer[100];
  put("m", "hello\nworld\n");
  FILE *f = fopen("m", "r+");
  CHECK(fread(buffer, 1, 3, f));
  CHECK(fseek(f, 0, SEEK_CUR));
  CHECK(fwrite("XY", 1, 2, f));
  CHECK(ftell(f));
  CHECK(fseek(f, -2, SEEK_END));
  CHECK(fgetc(f));
  rewind(f);
  CHECK(fgetc(f));
  fclose(f);
  show("m");
  f = fopen("m", "a+");
  CHECK(fgetc(f));
  fputs("end", f);
  CHECK(ftell(f));
  fseek(f, 0, SEEK_SET);
  fputs("!", f);
  fclose(f);
  show("m");
  CHECK(fopen("m", "wx") == NULL);
  CHECK(errno == EEXIST);
  CHECK(fopen("nothing", "r") == NULL);
  CHECK(errno == ENOENT);
  CHECK(fopen("m", "q") == NULL);
  CHECK(errno == EINVAL);
  f = fopen("m", "r");
  CHECK(fputc('x', f));
  CHECK(ferror(f) != 0);
  clearerr(f);
  CHECK(ferror(f));
  fclose(f);
  f = fopen("w", "w");
  CHECK(fgetc(f));
  CHECK(ferror(f) != 0);
  fclose(f);
  f = fopen("m", "w+e");
  CHECK(fprintf(f, "%d %s", 5, "five"));
  rewind(f);
  CHECK(fscanf(f, "%*d %99s", buffer));
  puts(buffer);
  CHECK(feof(f) != 0);
  fclose(f);
}

static void pushing_back(void) {
  put("u", "abc");
  FILE *f = fopen("u", "r");
  CHECK(ungetc('1', f));
  CHECK(ungetc('2', f));
  CHECK(getc(f));
  CHECK(getc(f));
  CHECK(getc(f));
  CHECK(ungetc('q', f));
  CHECK(ftell(f));
  CHECK(getc(f));
  CHECK(getc(f));
  CHECK(getc(f));
  CHECK(getc(f));
  CHECK(feof(f) != 0);
  CHECK(ungetc('z', f));
  CHECK(feof(f) != 0);
  CHECK(getc(f));
  CHECK(ungetc(EOF, f));
  fclose(f);
}

static void lines(void) {
  char line[8];
  put("l", "short\na longer line\n\nlast");
  FILE *f = fopen("l", "r");
  while (fgets(line, sizeof line, f)) printf("<%s>", line);
  putchar('\n');
  rewind(f);
  char *text = NULL;
  size_t capacity = 0;
  ssize_t n;
  while ((n = getline(&text, &capacity, f)) > 0) printf("%zd:%s|", n, text);
  putchar('\n');
  rewind(f);
  while ((n = getdelim(&text, &capacity, 'n', f)) > 0) printf("%zd:%s|", n, text);
  putchar('\n');
  free(text);
  fclose(f);
  CHECK(fgets(line, 1, stdin) == line);
  CHECK(line[0]);
}

static void buffers(void) {
  static char memory[4096];
  FILE *f = fopen("b", "w");
  CHECK(setvbuf(f, memory, _IOFBF, sizeof memory));
  fputs("buffered", f);
  show("b");
  fflush(f);
  show("b");
  CHECK(setvbuf(f, NULL, _IONBF, 0));
  fputs(" now", f);
  show("b");
  fclose(f);
  f = fopen("b", "a");
  setlinebuf(f);
  fputs(" line\npart", f);
  show("b");
  fclose(f);
  show("b");
  f = fopen("b", "w");
  for (int i = 0; i < 3000; i++) fprintf(f, "%d,", i);
  CHECK(ftell(f));
  fclose(f);
  f = fopen("b", "r");
  long sum = 0, value;
  while (fscanf(f, "%ld,", &value) == 1) sum += value;
  CHECK(sum);
  CHECK(fseek(f, 5000, SEEK_SET));
  CHECK(fgetc(f));
  CHECK(ftell(f));
  static char large[20000];
  rewind(f);
  CHECK(fread(large, 1, sizeof large, f));
  CHECK(fread(large, 1, 1, f));
  CHECK(fread(large, 7, 0, f));
  fclose(f);
}

static void positions(void) {
  fpos_t position;
  put("p", "0123456789");
  FILE *f = fopen("p", "r+");
  CHECK(fseeko(f, 4, SEEK_SET));
  CHECK(fgetpos(f, &position));
  CHECK(fgetc(f));
  CHECK(fgetc(f));
  CHECK(fsetpos(f, &position));
  CHECK(fgetc(f));
  CHECK(fseek(f, -100, SEEK_CUR));
  CHECK(errno == EINVAL);
  CHECK(ftello(f));
  CHECK(fseek(f, 3, SEEK_END));
  CHECK(fputc('x', f));
  fclose(f);
  show("p");
}

static void memory_streams(void) {
  char room[16] = "abcdefgh";
  FILE *f = fmemopen(room, sizeof room, "r+");
  CHECK(fgetc(f));
  CHECK(fseek(f, 2, SEEK_SET));
  fputs("XY", f);
  fclose(f);
  puts(room);
  f = fmemopen(room, 8, "r");
  char line[32];
  CHECK(fread(line, 1, sizeof line, f));
  fclose(f);
  f = fmemopen(NULL, 10, "w+");
  fputs("xyz", f);
  rewind(f);
  CHECK(fgetc(f));
  fclose(f);
  f = fmemopen(room, 4, "w");
  CHECK(fputs("too long for it", f) >= 0);
  CHECK(fclose(f));
  char *text;
  size_t size;
  f = open_memstream(&text, &size);
  fprintf(f, "%s %d", "grown", 42);
  fflush(f);
  printf("%s %zu\n", text, size);
  for (int i = 0; i < 500; i++) fputs("0123456789", f);
  fclose(f);
  printf("%zu %zu %.12s\n", size, strlen(text), text);
  free(text);
}

struct counter {
  int left;
};

static ssize_t count_down(void *cookie, char *to, size_t n) {
  struct counter *counter = cookie;
  size_t i = 0;
  while (i < n && counter->left > 0) to[i++] = (char)('a' + --counter->left % 26);
  return (ssize_t)i;
}

static void others(void) {
  struct counter counter = {10};
  FILE *f = fopencookie(&counter, "r", (cookie_io_functions_t){.read = count_down});
  char line[32] = "";
  CHECK(fgets(line, sizeof line, f) == line);
  puts(line);
  fclose(f);
  f = tmpfile();
  fputs("temporary", f);
  rewind(f);
  CHECK(fgetc(f));
  fclose(f);
  char pattern[] = "tmp-XXXXXX";
  int fd = mkstemp(pattern);
  CHECK(fd >= 0);
  CHECK(memcmp(pattern, "tmp-", 4) == 0 && strcmp(pattern + 4, "XXXXXX") != 0);
  f = fdopen(fd, "w");
  CHECK(fileno(f) == fd);
  fputs("by descriptor", f);
  fclose(f);
  show(pattern + strlen(pattern)); /* the empty name */
  CHECK(rename(pattern, "named"));
  show("named");
  CHECK(remove("named"));
  CHECK(remove("named"));
  CHECK(mkstemp(strcpy(line, "short")) < 0 && errno == EINVAL);
  f = fopen("r", "w");
  fputs("old", f);
  f = freopen("r2", "w", f);
  fputs("new", f);
  fclose(f);
  show("r");
  show("r2");
  f = fopen("r", "w");
  fputc('a', f);
  CHECK(putw(0x01020304, f));
  fclose(f);
  f = fopen("r", "r");
  fgetc(f);
  CHECK(getw(f));
  CHECK(getw(f));
  flockfile(f);
  CHECK(getc_unlocked(f));
  funlockfile(f);
  fclose(f);
  errno = EACCES;
  fflush(stdout);
  perror("prefix");
  perror(NULL);
  dprintf(1, "%s\n", "straight out");
}

static void standard(void) {
  char word[16];
  CHECK(scanf("%15s", word));
  puts(word);
  CHECK(getchar());
  CHECK(getchar());
  CHECK(ungetc('U', stdin));
  CHECK(getchar());
  fprintf(stderr, "%s and %d\n", "unbuffered", 7);
  char *line = NULL;
  size_t capacity = 0;
  CHECK(getline(&line, &capacity, stdin));
  CHECK(getline(&line, &capacity, stdin));
  free(line);
}

int main(void) {
  modes();
  pushing_back();
  lines();
  buffers();
  positions();
  memory_streams();
  others();
  standard();
  return 0;
}
