/* <fenv.h>: what every machine can do: the default environment, and that its functions agree with each other. */
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <stdio.h>

int main(void) {
  fenv_t environment, held;
  printf("%d\n", fegetround() == FE_TONEAREST);
  printf("%d\n", fesetround(FE_TONEAREST));
  printf("%d\n", fegetenv(&environment));
  printf("%d\n", fesetenv(FE_DFL_ENV));
  printf("%d\n", feholdexcept(&held));
  printf("%d\n", feclearexcept(FE_ALL_EXCEPT));
  printf("%d\n", fetestexcept(0));
  printf("%d\n", feraiseexcept(0));
  fexcept_t flags;
  printf("%d ", fegetexceptflag(&flags, 0));
  printf("%d\n", fesetexceptflag(&flags, 0));
  printf("%d\n", feupdateenv(&held));
  printf("%d %d %d\n", feenableexcept(0), fedisableexcept(FE_ALL_EXCEPT), fegetexcept());
  printf("%g %g\n", nearbyint(2.5), rint(-1.5));
  return 0;
}
