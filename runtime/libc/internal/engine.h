/*
 * The interface between the C library and the engine that runs it.
 *
 * Every function of the library is compiled and instrumented like user code. Two things cannot be
 * said in plain C, and this header says them:
 *
 *   1. "this call touches n bytes at p": one range operation instead of n checked loads or stores.
 *      A hot function does its work in a helper named __rz_raw_*, which the monitor leaves
 *      uninstrumented and the explorer may replace by a single operation on objects, and states the
 *      ranges that it touched.
 *   2. "the program ends here, and this is why".
 *
 *          size_t strlen(const char *s) {
 *            size_t n = __rz_raw_strlen(s);              // not instrumented
 *            size_t seen = __rz_range_scan(s, n + 1);    // the check, at the user's call
 *            return seen > n ? n : seen;
 *          }
 *
 * Invariants
 *   - Pointers are passed whole: their upper 32 bits may carry the monitor's referent number.
 *   - A range of 0 bytes is always valid, whatever the pointer.
 *   - With RZ_NO_ENGINE defined (runs without checks, and tests of the library itself) the range
 *     functions are empty and inlined; the other services stay imports.
 *   - The engine also defines malloc, free and similar functions: the library calls
 *     them and never defines them.
 */
#ifndef RZ_ENGINE_H
#define RZ_ENGINE_H

#include <stddef.h>

#define __RZ_IMPORT(name) __attribute__((import_module("redzone"), import_name(#name)))

#define RANGES_OVERLAP 2

#ifdef RZ_NO_ENGINE

static inline void __rz_range_read(const void *p, size_t n) { (void)p, (void)n; }
static inline void __rz_range_output(const void *p, size_t n) { (void)p, (void)n; }
static inline size_t __rz_range_scan(const void *p, size_t n) { return (void)p, n; }
static inline void __rz_range_write(void *p, size_t n) { (void)p, (void)n; }
static inline void __rz_range_copy(void *d, const void *s, size_t n, int may_overlap) {
  (void)d, (void)s, (void)n, (void)may_overlap;
}

static inline int __rz_range_is_written(const void *p, size_t n) { return (void)p, (void)n, 1; }
static inline int __rz_range_takes_write(void *p, size_t n) { return (void)p, (void)n, 1; }

static inline unsigned __rz_label_named(const char *name) { return (void)name, 0; }
static inline unsigned __rz_label_given(unsigned names) { return (void)names, 0; }
static inline void __rz_label_add(const void *p, size_t n, unsigned names, unsigned source) {
  (void)p, (void)n, (void)names, (void)source;
}
static inline void __rz_label_sanitize(const void *p, size_t n) { (void)p, (void)n; }
static inline unsigned __rz_label_names(const void *p, size_t n) { return (void)p, (void)n, 0; }
static inline void __rz_label_expect_none(const void *p, size_t n, unsigned names) { (void)p, (void)n, (void)names; }
static inline size_t __rz_label_text(unsigned names, char *to, size_t n) { return (void)names, (void)to, (void)n, 0; }

void *calloc(size_t, size_t);
void free(void *);
static inline void *__rz_library_block(size_t n) { return calloc(1, n); }
static inline void __rz_library_free(void *p) { free(p); }

#else

/*
 * A block of zeroes that the library returns to the program and keeps: argv, a FILE. The program
 * must not free or resize it. Null if there is no memory.
 */
void *__rz_library_block(size_t n) __RZ_IMPORT(__rz_library_block);
void __rz_library_free(void *p) __RZ_IMPORT(__rz_library_free);

/*
 * The program reads n bytes at p. They need not be initialised: copying a padding byte is valid.
 */
void __rz_range_read(const void *p, size_t n) __RZ_IMPORT(__rz_range_read);

/*
 * The program reads n bytes at p and they leave it (a file, a terminal) or decide what it does
 * (memcmp): they must be initialised.
 */
void __rz_range_output(const void *p, size_t n) __RZ_IMPORT(__rz_range_output);

/*
 * The program reads bytes at p one after the other up to the last of n (strlen). Each must be
 * initialised. Only the first invalid byte is reported, because the bytes after it determined n.
 * Returns the number of bytes before it, or n. With --keep-going the caller continues as if the
 * text ended there.
 */
size_t __rz_range_scan(const void *p, size_t n) __RZ_IMPORT(__rz_range_scan);

/* The program overwrites n bytes at p, which become initialised. */
void __rz_range_write(void *p, size_t n) __RZ_IMPORT(__rz_range_write);

/*
 * The program copies n bytes from s to d: both ranges are checked, the initialisation state of s
 * becomes that of d. Raw code moves the bytes themselves, after this call. Unless may_overlap,
 * overlapping ranges are an error of the program (memcpy, strcpy). RANGES_OVERLAP reports this
 * error for n bytes at s, which lie in what the call writes (sprintf).
 */
void __rz_range_copy(void *d, const void *s, size_t n, int may_overlap) __RZ_IMPORT(__rz_range_copy);

/*
 * Questions, which report nothing: whether n bytes at p may be read and are initialised, and
 * whether they may be written; they become initialised then. If all answers are 1, raw code may do
 * what the checked code of a function would do with these bytes. Otherwise the checked code does
 * it, and reports. An engine that follows single values always answers 0.
 *
 * Checked code asks first: where its question is answered with 0, raw code must not ask.
 */
int __rz_range_is_written(const void *p, size_t n) __RZ_IMPORT(__rz_range_is_written);
int __rz_range_takes_write(void *p, size_t n) __RZ_IMPORT(__rz_range_takes_write);

/*
 * Labels of bytes (<redzone.h>). A set of names is a word: __rz_label_named returns that of one
 * name, and __rz_label_text writes the names of a set, with a terminating zero. __rz_label_given
 * numbers the location where the program labels something itself.
 */
unsigned __rz_label_named(const char *name) __RZ_IMPORT(__rz_label_named);
unsigned __rz_label_given(unsigned names) __RZ_IMPORT(__rz_label_given);
void __rz_label_add(const void *p, size_t n, unsigned names, unsigned source) __RZ_IMPORT(__rz_label_add);
void __rz_label_sanitize(const void *p, size_t n) __RZ_IMPORT(__rz_label_sanitize);
unsigned __rz_label_names(const void *p, size_t n) __RZ_IMPORT(__rz_label_names);
void __rz_label_expect_none(const void *p, size_t n, unsigned names) __RZ_IMPORT(__rz_label_expect_none);
size_t __rz_label_text(unsigned names, char *to, size_t n) __RZ_IMPORT(__rz_label_text);

#endif

/*
 * The program failed, and the run ends as by SIGABRT. `kind` is a code of findings: "abort",
 * "assertion-failure", ...; `message` is for users: what failed, and where if the library knows
 * it.
 */
_Noreturn void __rz_abort(const char *kind, const char *message) __RZ_IMPORT(__rz_abort);

/* The program ends with this status. Everything that exit() does before has been done. */
_Noreturn void __rz_exit(int status) __RZ_IMPORT(__rz_exit);

#endif
