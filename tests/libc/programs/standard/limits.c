/* <limits.h> <float.h> <stdint.h> <stddef.h> <stdbool.h> <stdalign.h> <iso646.h> <stdnoreturn.h>: an LP64 machine. */
#include <float.h>
#include <inttypes.h>
#include <iso646.h>
#include <limits.h>
#include <signal.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <wchar.h>

struct sample {
  char c;
  alignas(32) short s;
  long l;
};

static noreturn void leave(void) { exit(0); }

int main(void) {
  printf("%d %d %d %d %d %d\n", CHAR_BIT, SCHAR_MIN, SCHAR_MAX, UCHAR_MAX, CHAR_MIN, CHAR_MAX);
  printf("%d\n", MB_LEN_MAX > 0);
  printf("%d %d %d %d %d %u\n", SHRT_MIN, SHRT_MAX, USHRT_MAX, INT_MIN, INT_MAX, UINT_MAX);
  printf("%ld %ld %lu %lld %lld %llu\n", LONG_MIN, LONG_MAX, ULONG_MAX, LLONG_MIN, LLONG_MAX, ULLONG_MAX);
  printf("%d %d %d %d %d %d\n", FLT_RADIX, FLT_MANT_DIG, FLT_DIG, FLT_MIN_EXP, FLT_MAX_EXP, FLT_DECIMAL_DIG);
  printf("%d %d %d %d %d %d\n", DBL_MANT_DIG, DBL_DIG, DBL_MIN_EXP, DBL_MAX_EXP, DBL_MIN_10_EXP, DBL_MAX_10_EXP);
  printf("%g %g %g %g\n", FLT_MAX, FLT_MIN, FLT_EPSILON, FLT_TRUE_MIN);
  printf("%g %g %g %g\n", DBL_MAX, DBL_MIN, DBL_EPSILON, DBL_TRUE_MIN);
  printf("%d %d %d\n", FLT_EVAL_METHOD, FLT_ROUNDS, DECIMAL_DIG >= 17);
  printf("%d %d\n", LDBL_DIG >= DBL_DIG, LDBL_MAX_EXP);
  printf("%" PRId8 " %" PRIu16 " %" PRIx32 " %" PRId64 "\n", INT8_MIN, UINT16_MAX, UINT32_MAX, INT64_MIN);
  printf("%zu %zu %zu %zu\n", sizeof(int_fast8_t), sizeof(int_fast16_t), sizeof(int_fast32_t), sizeof(int_least16_t));
  printf("%" PRIdMAX " %" PRIuPTR " %td %zu\n", INTMAX_MAX, UINTPTR_MAX, PTRDIFF_MAX, SIZE_MAX);
  printf("%d %u %d %d\n", WCHAR_MAX, WINT_MAX, SIG_ATOMIC_MIN, SIG_ATOMIC_MAX);
  printf("%" PRIu64 " %" PRId64 "\n", UINT64_C(18446744073709551615), INT64_C(-5));
  printf("%zu %zu %zu %zu\n", sizeof(long), sizeof(void *), sizeof(wchar_t), sizeof(long long));
  printf("%zu %zu %zu %zu\n", offsetof(struct sample, s), offsetof(struct sample, l), sizeof(struct sample),
         alignof(struct sample));
  printf("%zu %d\n", sizeof(max_align_t) >= 16 ? alignof(max_align_t) : 0, NULL == 0);
  printf("%zu %d %d %d\n", sizeof(bool), true, false, __bool_true_false_are_defined);
  int bits = 5;
  bits and_eq compl 1;
  bits or_eq 8;
  bits xor_eq 2;
  printf("%d %d %d\n", bits, (1 and not 0) or 0, (6 bitand 3) bitor (1 xor 9));
  printf("%d\n", 1 not_eq 2);
  leave();
}
