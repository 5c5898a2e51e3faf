#ifndef KLEE_KLEE_H
#define KLEE_KLEE_H 1

/*
 * The interface that programs written for KLEE use. `redzone explore` gives these calls their
 * symbolic meaning; in a concrete run (`check`, `fuzz`, `replay`) the values come from the test
 * input, and are zero bytes where there is none.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Inputs. */
void klee_make_symbolic(void *object, size_t bytes, const char *name);
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name); /* begin <= result < end */
uintptr_t klee_choose(uintptr_t count);               /* 0 <= result < count */
void klee_assume(uintptr_t condition);                /* ends the path silently unless it holds */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);

/* Questions about values. */
unsigned klee_is_symbolic(uintptr_t value);
unsigned klee_is_replay(void);
float klee_get_valuef(float value);
double klee_get_valued(double value);
long klee_get_valuel(long value);
long long klee_get_valuell(long long value);
int32_t klee_get_value_i32(int32_t value);
int64_t klee_get_value_i64(int64_t value);
void klee_print_expr(const char *message, ...);

/* Endings. */
__attribute__((noreturn)) void klee_silent_exit(int status);
__attribute__((noreturn)) void klee_abort(void);
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message,
                                                 const char *suffix);

/* Memory. */
size_t klee_get_obj_size(void *object);
void klee_check_memory_access(const void *address, size_t bytes);
void klee_define_fixed_object(void *address, size_t bytes);
void klee_mark_global(void *object);

/* Messages and hints. */
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_set_forking(unsigned enable);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_stack_trace(void);
void klee_alias_function(const char *name, const char *new_name);

#define klee_assert(condition) \
  ((condition) ? (void)0 : klee_report_error(__FILE__, __LINE__, "ASSERTION FAIL: " #condition, "assert"))

#ifdef __cplusplus
}
#endif

#endif
