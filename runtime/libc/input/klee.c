/*
 * <klee/klee.h> in a concrete run: inputs come from the test that is being replayed, and queries
 * about symbolic values are answered as in a program that has none.
 */
#include "engine.h"
#include "input.h"

#include <klee/klee.h>
#include <stdio.h>

void klee_make_symbolic(void *object, size_t bytes, const char *name) { __rz_input(object, bytes, name); }

int klee_int(const char *name) {
  int value;
  __rz_input(&value, sizeof value, name);
  return value;
}

int klee_range(int begin, int end, const char *name) {
  if (begin >= end) klee_report_error(__FILE__, __LINE__, "klee_range: the range is empty", "user");
  if (begin + 1 == end) return begin;
  const int value = klee_int(name);
  klee_assume(begin <= value && value < end);
  return value;
}

uintptr_t klee_choose(uintptr_t count) {
  uintptr_t value;
  __rz_input(&value, sizeof value, "klee_choose");
  klee_assume(value < count);
  return value;
}

void klee_assume(uintptr_t condition) {
  if (!condition) __rz_unwanted_run();
}

void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }

unsigned klee_is_symbolic(uintptr_t value) {
  (void)value;
  return 0;
}

unsigned klee_is_replay(void) { return 1; }

float klee_get_valuef(float value) { return value; }
double klee_get_valued(double value) { return value; }
long klee_get_valuel(long value) { return value; }
long long klee_get_valuell(long long value) { return value; }
int32_t klee_get_value_i32(int32_t value) { return value; }
int64_t klee_get_value_i64(int64_t value) { return value; }

void klee_silent_exit(int status) {
  fflush(NULL);
  __rz_exit(status);
}
void klee_abort(void) { __rz_abort("abort", "klee_abort was called"); }

void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  char text[256];
  (void)suffix;
  snprintf(text, sizeof text, "%s:%d: %s", file, line, message);
  __rz_abort("assertion-failure", text);
}

void klee_warning(const char *message) { fprintf(stderr, "warning: %s\n", message); }

void klee_check_memory_access(const void *address, size_t bytes) { __rz_range_read(address, bytes); }
void klee_define_fixed_object(void *address, size_t bytes) {
  (void)address, (void)bytes;
  __rz_abort("unsupported", "klee_define_fixed_object: objects lie where Redzone puts them");
}
void klee_mark_global(void *object) { (void)object; }
void klee_set_forking(unsigned enable) { (void)enable; }
void klee_open_merge(void) {}
void klee_close_merge(void) {}
void klee_stack_trace(void) {}
void klee_alias_function(const char *name, const char *new_name) {
  (void)name, (void)new_name;
  __rz_abort("unsupported", "klee_alias_function: calls cannot be redirected while a program runs");
}
