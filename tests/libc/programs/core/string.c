/* <string.h> and <strings.h>: random strings of few letters, so that matches happen. */
#include <stdlib.h>
#include <strings.h>

#include "checksum.h"

static int sign(int x) { return (x > 0) - (x < 0); }

static void fill(char *text, unsigned longest) {
  static const char *const alphabets[] = {"ab", "abAB", "a0129.", "xyz, ;", "\x80\xff" "a"};
  const char *letters = alphabets[random64() % 5];
  unsigned length = random64() % (longest + 1), count = strlen(letters);
  for (unsigned i = 0; i < length; i++) text[i] = letters[random64() % count];
  text[length] = 0;
}

static void add_offset(const char *base, const char *found) { add64(found ? found - base : -1); }

int main(void) {
  static char a[128], b[128], c[512], d[512];
  for (int i = 0; i < 20000; i++) {
    char *x = a + random64() % 9, *y = b + random64() % 9;
    fill(x, random64() % 4 ? 20 : 100);
    fill(y, 5);
    int letter = random64() % 8 ? x[0] : 0;
    size_t n = random64() % 30, lx = strlen(x), ly = strlen(y), shorter = lx < ly ? lx : ly;
    add64(lx), add64(strnlen(x, n)), add64(strspn(x, y)), add64(strcspn(x, y));
    add_offset(x, strchr(x, letter)), add_offset(x, strrchr(x, letter)), add_offset(x, strpbrk(x, y));
    add_offset(x, strstr(x, y)), add_offset(x, memchr(x, letter, lx));
    add_offset(x, strchrnul(x, letter)), add_offset(x, memrchr(x, letter, lx)), add_offset(x, strcasestr(x, y));
    add_offset(x, memmem(x, lx, y, ly));
    add64(sign(strcmp(x, y))), add64(sign(strncmp(x, y, n))), add64(sign(memcmp(x, y, shorter)));
    add64(sign(strcasecmp(x, y))), add64(sign(strncasecmp(x, y, n))), add64(sign(strverscmp(x, y)));
    add64(sign(strcoll(x, y))), add64(strxfrm(c, x, sizeof c));
    memset(c, '#', sizeof c);
    add64(stpcpy(c, x) - c), strcat(c, y), strncat(c, x, n), add_bytes(c, sizeof c);
    strncpy(c, x, n), add64(stpncpy(c + 200, x, n) - c), add_bytes(c, sizeof c);
    size_t to = random64() % 40, from = random64() % 40, moved = random64() % 100;
    memmove(c + to, c + from, moved), add_bytes(c, sizeof c);
    memcpy(c + 300, c, random64() % 100), memset(c + n, letter, random64() % 40), add_bytes(c, sizeof c);
    char *end = memccpy(d, x, letter, lx);
    add64(end ? end - d : -1), add64((char *)mempcpy(d, y, ly) - d);
    strcpy(c, x);
    for (char *rest = c, *part; (part = strsep(&rest, y));) add_string(part);
    strcpy(c, x);
    char *state;
    for (char *part = strtok_r(c, y, &state); part; part = strtok_r(NULL, y, &state)) add_string(part);
    char *copy = strndup(x, n);
    add_string(copy), free(copy), copy = strdup(y), add_string(copy), free(copy);
  }
  print_sum("random");
  for (int i = 0; i < 64; i++) add64(ffs((int)(1u << i % 32))), add64(ffsl((long)(1ul << i))), add64(ffsll((long long)(5ull << i)));
  print_sum("ffs");

  char words[] = "  the quick,brown  fox ";
  for (char *word = strtok(words, " ,"); word; word = strtok(NULL, " ,")) printf("[%s]", word);
  printf("\n");
  for (int error = 0; error < 135; error++) printf("%d %s\n", error, strerror(error));
  for (int signal = 1; signal < 32; signal++) printf("%d %s\n", signal, strsignal(signal));
  bzero(c, 4), bcopy("xyz", c, 3), printf("%s %d %d %s\n", c, bcmp("a", "a", 1), bcmp("a", "b", 1) != 0, index("hello", 'l'));
  printf("%s %d\n", rindex("hello", 'l'), strcmp(memset(d, 0, 1), ""));
}
