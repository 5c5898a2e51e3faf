/* <string.h>: memory and strings. */
#include <stdio.h>
#include <string.h>

static int sign(int n) { return (n > 0) - (n < 0); }

static void memory(void) {
  char a[32] = "0123456789abcdef", b[32];
  memcpy(b, a, 17);
  printf("%s\n", b);
  memmove(b + 3, b, 10);
  printf("%s\n", b);
  memmove(b, b + 2, 10);
  printf("%s\n", b);
  memset(b, '*', 5);
  printf("%s\n", b);
  printf("%d %d %d\n", sign(memcmp("abc", "abd", 3)), sign(memcmp("abc", "abd", 2)), sign(memcmp("\xff", "\x01", 1)));
  printf("%td %d\n", (char *)memchr(a, '7', 16) - a, memchr(a, '7', 7) == NULL);
}

static void copying(void) {
  char to[40];
  memset(to, '#', sizeof to);
  printf("%s\n", strcpy(to, "copied"));
  printf("%s\n", strncpy(to, "cut short", 3));
  memset(to, '#', sizeof to);
  strncpy(to, "pad", 8);
  for (int i = 0; i < 10; i++) printf("%d ", to[i]);
  printf("\n%s\n", strcat(to, "+more"));
  printf("%s\n", strncat(to, "and a lot more", 5));
  printf("%zu %zu\n", strlen(""), strlen(to));
}

static void comparing(void) {
  const char *words[] = {"", "a", "ab", "b", "A", "\x80", "abc"};
  for (int i = 0; i < 7; i++) {
    for (int j = 0; j < 7; j++) printf("%2d", sign(strcmp(words[i], words[j])));
    printf("  ");
    for (int j = 0; j < 7; j++) printf("%2d", sign(strncmp(words[i], words[j], 1)));
    printf("  ");
    for (int j = 0; j < 7; j++) printf("%2d", sign(strcoll(words[i], words[j])));
    printf("\n");
  }
  char transformed[2][8];
  printf("%zu ", strxfrm(transformed[0], "abc", 8));
  printf("%zu ", strxfrm(transformed[1], "abd", 8));
  printf("%d %zu\n", sign(strcmp(transformed[0], transformed[1])), strxfrm(NULL, "length", 0));
}

static void searching(void) {
  const char *text = "the quick brown fox jumps over the lazy dog";
  printf("%s|%s|%d\n", strchr(text, 'q'), strrchr(text, 'o'), strchr(text, 'X') == NULL);
  printf("%td %td\n", strchr(text, 0) - text, strrchr(text, 0) - text);
  printf("%zu %zu %zu\n", strspn(text, "eht "), strcspn(text, "xyz"), strcspn(text, "#"));
  printf("%s %d\n", strpbrk(text, "zyx"), strpbrk(text, "#") == NULL);
  printf("%s|%s|%d\n", strstr(text, "the l"), strstr(text, ""), strstr(text, "cat") == NULL);
  printf("%s\n", strstr("aabaabaaab", "aaab"));
  char list[] = ",,one, two;;three,";
  for (char *token = strtok(list, ",; "); token; token = strtok(NULL, ",; ")) printf("<%s>", token);
  printf("\n%s|%s\n", strerror(0), strerror(2));
}

int main(void) {
  memory();
  copying();
  comparing();
  searching();
  return 0;
}
