/*
 * <fenv.h>: the flags are a variable that only these functions change, and there is one rounding
 * direction.
 */
#include <fenv.h>

static unsigned flags;

int feclearexcept(int excepts) {
  flags &= ~(unsigned)excepts;
  return 0;
}

int feraiseexcept(int excepts) {
  flags |= (unsigned)excepts & FE_ALL_EXCEPT;
  return 0;
}

int fetestexcept(int excepts) { return (int)(flags & (unsigned)excepts); }

int fegetexceptflag(fexcept_t *result, int excepts) {
  *result = (fexcept_t)(flags & (unsigned)excepts);
  return 0;
}

int fesetexceptflag(const fexcept_t *wanted, int excepts) {
  flags = (flags & ~(unsigned)excepts) | (*wanted & (unsigned)excepts & FE_ALL_EXCEPT);
  return 0;
}

int fegetround(void) { return FE_TONEAREST; }

int fesetround(int direction) { return direction != FE_TONEAREST; }

int fegetenv(fenv_t *environment) {
  environment->__flags = flags;
  return 0;
}

int fesetenv(const fenv_t *environment) {
  flags = environment == FE_DFL_ENV ? 0 : environment->__flags;
  return 0;
}

int feholdexcept(fenv_t *environment) {
  fegetenv(environment);
  return feclearexcept(FE_ALL_EXCEPT);
}

int feupdateenv(const fenv_t *environment) {
  unsigned raised = flags;
  fesetenv(environment);
  return feraiseexcept((int)raised);
}

int feenableexcept(int excepts) { return excepts & FE_ALL_EXCEPT ? -1 : 0; }

int fedisableexcept(int excepts) {
  (void)excepts;
  return 0;
}

int fegetexcept(void) { return 0; }
