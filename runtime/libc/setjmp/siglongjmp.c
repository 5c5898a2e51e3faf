/* The variants of longjmp that bring back the signal mask, as sigsetjmp saved it. */
#include <setjmp.h>
#include <signal.h>

void __rz_save_signal_mask(sigjmp_buf env, int save) {
  env->__mask_was_saved = save != 0;
  if (save) {
    sigset_t mask;
    sigprocmask(SIG_SETMASK, 0, &mask);
    env->__mask = mask.__bits;
  }
}

_Noreturn void siglongjmp(sigjmp_buf env, int value) {
  if (env->__mask_was_saved) {
    const sigset_t mask = {env->__mask};
    sigprocmask(SIG_SETMASK, &mask, 0);
  }
  longjmp(env, value);
}

