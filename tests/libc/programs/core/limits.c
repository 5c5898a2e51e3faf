/* Sizes and limits of a 64-bit machine */
#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <iso646.h>
#include <limits.h>
#include <locale.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <time.h>
#include <wchar.h>

struct mixed {
  char c;
  long l;
  char d;
  max_align_t m;
};

#define SHOW(value) printf("%s %lld\n", #value, (long long)(value))

int main(void) {
  SHOW(sizeof(char)), SHOW(sizeof(short)), SHOW(sizeof(int)), SHOW(sizeof(long)), SHOW(sizeof(long long)), SHOW(sizeof(void *));
  SHOW(sizeof(size_t)), SHOW(sizeof(ptrdiff_t)), SHOW(sizeof(wchar_t)), SHOW(sizeof(wint_t)), SHOW(sizeof(time_t)), SHOW(sizeof(clock_t));
  SHOW(sizeof(long double)), SHOW(sizeof(max_align_t)), SHOW(alignof(max_align_t)), SHOW(offsetof(struct mixed, m)), SHOW(sizeof(bool));
  SHOW(sizeof(int_fast8_t)), SHOW(sizeof(int_fast16_t)), SHOW(sizeof(int_fast32_t)), SHOW(sizeof(uint_fast64_t)), SHOW(sizeof(intmax_t));
  SHOW(CHAR_BIT), SHOW(CHAR_MIN), SHOW(CHAR_MAX), SHOW(SCHAR_MIN), SHOW(UCHAR_MAX), SHOW(SHRT_MIN), SHOW(USHRT_MAX), SHOW(INT_MIN), SHOW(INT_MAX);
  SHOW(UINT_MAX), SHOW(LONG_MIN), SHOW(LONG_MAX), SHOW(ULONG_MAX), SHOW(LLONG_MIN), SHOW(ULLONG_MAX), SHOW(SIZE_MAX), SHOW(PTRDIFF_MIN);
  SHOW(INT8_MIN), SHOW(INT16_MAX), SHOW(UINT32_MAX), SHOW(INT64_MIN), SHOW(UINT64_MAX), SHOW(INTMAX_MAX), SHOW(UINTPTR_MAX), SHOW(WCHAR_MIN);
  SHOW(WCHAR_MAX), SHOW(WINT_MAX), SHOW(SIG_ATOMIC_MAX), SHOW(INT_FAST16_MAX), SHOW(UINT64_C(5) << 40), SHOW(RAND_MAX), SHOW(CLOCKS_PER_SEC);
  SHOW(EXIT_FAILURE), SHOW(WEOF), SHOW(SSIZE_MAX), SHOW(PATH_MAX), SHOW(FE_TONEAREST == fegetround()), SHOW(not false and true);
  SHOW(FLT_RADIX), SHOW(DBL_MANT_DIG), SHOW(FLT_DIG), SHOW(DBL_MAX_10_EXP), SHOW(FLT_EVAL_METHOD), SHOW(DECIMAL_DIG >= 21);
  SHOW(ENOENT), SHOW(EINTR), SHOW(EAGAIN), SHOW(EWOULDBLOCK), SHOW(ENOSYS), SHOW(EILSEQ), SHOW(EOVERFLOW), SHOW(ENOTSUP), SHOW(ETIMEDOUT);
  printf("%.17g %.17g %.9g %.17g\n", DBL_MAX, DBL_MIN, FLT_EPSILON, DBL_TRUE_MIN);
  fexcept_t flags;
  feclearexcept(FE_ALL_EXCEPT), feraiseexcept(FE_OVERFLOW | FE_INEXACT), fegetexceptflag(&flags, FE_ALL_EXCEPT);
  printf("%d %d ", fetestexcept(FE_OVERFLOW) != 0, fetestexcept(FE_DIVBYZERO) != 0);
  feclearexcept(FE_OVERFLOW), printf("%d ", fetestexcept(FE_ALL_EXCEPT) == FE_INEXACT);
  fesetexceptflag(&flags, FE_OVERFLOW), printf("%d\n", fetestexcept(FE_OVERFLOW) != 0);
}
