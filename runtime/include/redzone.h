#ifndef REDZONE_H
#define REDZONE_H 1

/*
 * Redzone's own interface for programs under test. Everything here also works in a plain run:
 * inputs then come from the test given on the command line, or are zero bytes.
 *
 *     #include <redzone.h>
 *
 *     int main(void) {
 *       unsigned char packet[16];
 *       redzone_symbolic(packet, sizeof packet, "packet");
 *       redzone_assume(packet[0] < 16);
 *       return parse(packet, packet[0]);
 *     }
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes `bytes` bytes at `object` an input of the program called `name`. */
void redzone_symbolic(void *object, size_t bytes, const char *name);

/* Only runs in which the condition holds are of interest: any other ends here, silently. */
void redzone_assume(int condition);

/* Reports an error of the program at this call. */
__attribute__((noreturn)) void redzone_fail(const char *message);

/*
 * Whether the value depends on an input that has no single value yet; always 0 in a concrete run.
 */
int redzone_is_symbolic(uintptr_t value);

/*
 * Labels travel with values, through memory, calls and the C library: docs/taint.md. A program that
 * uses them is labelled;
 * `check --taint NAME` reports where bytes with this label decide a size, an index, a path, ...
 */

/* The bytes get the label, besides those that they have. */
void redzone_label(const void *object, size_t bytes, const char *name);

/* Whether one of the bytes has the label. */
int redzone_has_label(const void *object, size_t bytes, const char *name);

/*
 * The names of all labels that the bytes have, with commas between; the text is valid until the
 * next call.
 */
const char *redzone_labels_of(const void *object, size_t bytes);

/* Reports an error here if one of the bytes has the label. */
void redzone_expect_no_label(const void *object, size_t bytes, const char *name);

/* The bytes have no label any more: the program has looked at them. */
void redzone_unlabel(const void *object, size_t bytes);

/* The bytes are secret: no branch and no address may depend on them. */
void redzone_secret(const void *object, size_t bytes);

/*
 * The same under the names of DataFlowSanitizer, where they mean the same. A label is a set of
 * names, of which there are 32.
 */
typedef uint32_t dfsan_label;
dfsan_label dfsan_create_label(const char *name, void *data);
void dfsan_set_label(dfsan_label label, void *object, size_t bytes);
void dfsan_add_label(dfsan_label label, void *object, size_t bytes);
dfsan_label dfsan_get_label(long value);
dfsan_label dfsan_read_label(const void *object, size_t bytes);
dfsan_label dfsan_union(dfsan_label a, dfsan_label b);
int dfsan_has_label(dfsan_label label, dfsan_label part);

/* The names that SV-COMP programs use; they may also declare them themselves. */
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);
__attribute__((noreturn)) void __VERIFIER_error(void);
__attribute__((noreturn)) void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
signed char __VERIFIER_nondet_schar(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);
unsigned int __VERIFIER_nondet_unsigned(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
__int128 __VERIFIER_nondet_int128(void);
unsigned __int128 __VERIFIER_nondet_uint128(void);
unsigned char __VERIFIER_nondet_u8(void);
unsigned short __VERIFIER_nondet_u16(void);
unsigned int __VERIFIER_nondet_u32(void);
size_t __VERIFIER_nondet_size_t(void);
long long __VERIFIER_nondet_loff_t(void);
unsigned long __VERIFIER_nondet_sector_t(void);
unsigned long __VERIFIER_nondet_pthread_t(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
char *__VERIFIER_nondet_pchar(void);
void *__VERIFIER_nondet_pointer(void);
void __VERIFIER_nondet_memory(void *object, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
