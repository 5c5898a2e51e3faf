// engines: check
// cases: 24
// The wrong access happens inside the C library, and is reported at the user's call; in a callback, there.
#include <fcntl.h>
#include <unistd.h>

#include "cases.h"

static char *eight(void) {
  char *block = calloc(8, 1);
  if (block == NULL) exit(1);
  return block;
}

static void copy_too_much(void) {
  char *to = eight(), from[16] = {0};
  memcpy(to, from, (size_t)opaque(BUGGY(9, 8))); //~ ERROR heap-buffer-overflow
  free(to);
}

static void copy_from_too_much(void) {
  char *from = eight(), to[16];
  memcpy(to, from, (size_t)opaque(BUGGY(9, 8))); //~ ERROR heap-buffer-overflow
  free(from);
}

static void move(void) {
  char *block = eight();
  memmove(block + 1, block, (size_t)opaque(BUGGY(8, 7))); //~ ERROR heap-buffer-overflow
  free(block);
}

static void set(void) {
  char *block = eight();
  memset(block, 1, (size_t)opaque(BUGGY(800, 8))); //~ ERROR heap-buffer-overflow
  free(block);
}

static void compare(void) {
  char *block = eight(), other[16] = {0};
  opaque(memcmp(block, other, (size_t)opaque(BUGGY(16, 8)))); //~ ERROR heap-buffer-overflow
  free(block);
}

static void compare_a_known_size(void) {
  char *a = eight();
  static const char other[16] = "abcdefg";
  opaque(memcmp(a, other, BUGGY(16, 8)) == 0); //~ ERROR heap-buffer-overflow
  free(a);
}

static void string_copy(void) {
  char *to = eight();
  strcpy(to, BUGGY("12345678", "1234567")); //~ ERROR heap-buffer-overflow
  free(to);
}

static void string_append(void) {
  char *to = eight();
  strcpy(to, "1234");
  strcat(to, BUGGY("5678", "567")); //~ ERROR heap-buffer-overflow
  free(to);
}

static void bounded_copy(void) {
  char *to = eight();
  strncpy(to, "12", (size_t)opaque(BUGGY(9, 8))); //~ ERROR heap-buffer-overflow
  free(to);
}

static void length_of_no_string(void) {
  char *text = eight();
  memset(text, 'x', BUGGY(8, 7));
  opaque((long)strlen(text)); //~ ERROR heap-buffer-overflow
  free(text);
}

static void print_no_string(void) {
  char text[4] = {'a', 'b', 'c', BUGGY('d', 0)};
  printf("%s\n", text); //~ ERROR stack-buffer-overflow
}

static void print_into(void) {
  char *to = eight();
  sprintf(to, "%d", BUGGY(12345678, 1234567)); //~ ERROR heap-buffer-overflow
  free(to);
}

static void print_into_with_a_wrong_size(void) {
  char *to = eight();
  snprintf(to, (size_t)opaque(BUGGY(16, 8)), "%s", "12345678"); //~ ERROR heap-buffer-overflow
  free(to);
}

static int as_they_are(const void *a, const void *b) { return a == NULL || b == NULL; }

static void sort(void) {
  int items[5] = {3, 1, 2, 5, 4};
  qsort(items, (size_t)opaque(BUGGY(6, 5)), sizeof *items, as_they_are); //~ ERROR stack-buffer-overflow
}

struct longer {
  int key, rest;
};

static int by_longer(const void *a, const void *b) {
  const struct longer *x = a, *y = b;
  return BUGGY(x->rest, x->key) - BUGGY(y->rest, y->key); //~ ERROR stack-buffer-overflow
}

static void sort_by_what_is_not_there(void) {
  int items[3] = {3, 1, 2};
  qsort(items, 3, sizeof *items, by_longer);
}

static void read_too_much(void) {
  char *to = eight();
  int zero = open("/dev/zero", O_RDONLY);
  if (zero >= 0) opaque(read(zero, to, (size_t)opaque(BUGGY(9, 8)))); //~ ERROR heap-buffer-overflow
  close(zero);
  free(to);
}

static void write_too_much(void) {
  char *from = eight();
  int null = open("/dev/null", O_WRONLY);
  if (null >= 0) opaque(write(null, from, (size_t)opaque(BUGGY(9, 8)))); //~ ERROR heap-buffer-overflow
  close(null);
  free(from);
}

static void scan(void) {
  char *to = eight();
  opaque(sscanf(BUGGY("12345678", "1234567"), "%s", to)); //~ ERROR heap-buffer-overflow
  free(to);
}

static void search(void) {
  char *text = eight();
  opaque(memchr(text, 'x', (size_t)opaque(BUGGY(9, 8))) == NULL); //~ ERROR heap-buffer-overflow
  free(text);
}

static void duplicate(void) {
  char text[4] = {'a', 'b', 'c', BUGGY('d', 0)};
  free(strdup(text)); //~ ERROR stack-buffer-overflow
}

struct user {
  char name[8];
  int rights;
};

static void text_past_a_member(void) {
  struct user user = {"", 0};
  strcpy(user.name, BUGGY("eight...", "seven..")); //~ ERROR stack-buffer-overflow
}

static void printed_past_a_member(void) {
  struct user *user = calloc(1, sizeof *user);
  snprintf(user->name, sizeof *user, "%ld", opaque(BUGGY(12345678, 1234567))); //~ ERROR heap-buffer-overflow
  free(user);
}

static void padded_past_a_member(void) {
  struct user user = {"", 0};
  strncpy(&user.name[1], "x", (size_t)opaque(BUGGY(8, 7))); //~ ERROR stack-buffer-overflow
}

static struct {
  long id;
  struct user users[2];
} office;

static void text_past_a_member_of_a_global(void) {
  strcpy(office.users[0].name, BUGGY("eight...", "seven..")); //~ ERROR global-buffer-overflow
}

CASES(copy_too_much, copy_from_too_much, move, set, compare, compare_a_known_size, string_copy, string_append, bounded_copy, length_of_no_string,
      print_no_string, print_into, print_into_with_a_wrong_size, sort, sort_by_what_is_not_there,
      read_too_much, write_too_much, scan, search, duplicate,
      text_past_a_member, printed_past_a_member, padded_past_a_member, text_past_a_member_of_a_global)
