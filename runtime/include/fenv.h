/*
 * <fenv.h>. WebAssembly rounds to nearest and keeps no exception flags. So there is one rounding
 * direction, and only feraiseexcept and similar functions change the flags; arithmetic never
 * raises one.
 */
#ifndef _FENV_H
#define _FENV_H

#define FE_INVALID 0x01
#define FE_DIVBYZERO 0x04
#define FE_OVERFLOW 0x08
#define FE_UNDERFLOW 0x10
#define FE_INEXACT 0x20
#define FE_ALL_EXCEPT (FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT)

#define FE_TONEAREST 0

typedef unsigned short fexcept_t;
typedef struct {
  unsigned int __flags;
} fenv_t;

#define FE_DFL_ENV ((const fenv_t *)-1)

int feclearexcept(int __excepts);
int fegetexceptflag(fexcept_t *__flags, int __excepts);
int feraiseexcept(int __excepts);
int fesetexceptflag(const fexcept_t *__flags, int __excepts);
int fetestexcept(int __excepts);
int fegetround(void);
int fesetround(int __direction);
int fegetenv(fenv_t *__environment);
int feholdexcept(fenv_t *__environment);
int fesetenv(const fenv_t *__environment);
int feupdateenv(const fenv_t *__environment);

/* GNU extensions. No exception can end the program, so feenableexcept fails for any exception. */
int feenableexcept(int __excepts);
int fedisableexcept(int __excepts);
int fegetexcept(void);

#endif
