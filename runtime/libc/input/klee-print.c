/* The rarer part of <klee/klee.h>: functions that need the allocator, or that print a text once. */
#include <klee/klee.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The type of the value is unknown: of one that is wider than an int, this prints a part. */
void klee_print_expr(const char *message, ...) {
  va_list arguments;
  va_start(arguments, message);
  const int value = va_arg(arguments, int);
  va_end(arguments);
  fprintf(stderr, "%s:%d\n", message, value);
}

void klee_warning_once(const char *message) {
  static const char *said[64];
  static size_t count;
  for (size_t i = 0; i < count; i++) {
    if (strcmp(said[i], message) == 0) return;
  }
  if (count < sizeof said / sizeof *said) said[count++] = message;
  klee_warning(message);
}

size_t klee_get_obj_size(void *object) { return malloc_usable_size(object); }
