#ifndef _SETJMP_H
#define _SETJMP_H 1

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What setjmp notes down. An engine that runs the calls itself (an interpreter) may use the words
 * as it likes; the compiled form is in runtime/libc/setjmp/sjlj.c.
 */
struct __jmp_buf_tag {
  void *__invocation;       /* which call of which function ran setjmp */
  unsigned int __label;     /* which of that function's setjmp calls it was */
  int __mask_was_saved;     /* sigsetjmp(env, nonzero) */
  unsigned long __mask;     /* the blocked signals then */
  void *__thrown_env;       /* the pair that longjmp throws: where to ... */
  int __thrown_value;       /* ... and what setjmp returns there */
  int __reserved[5];
};

typedef struct __jmp_buf_tag jmp_buf[1];
typedef jmp_buf sigjmp_buf;

int setjmp(jmp_buf __env) __attribute__((__returns_twice__));
_Noreturn void longjmp(jmp_buf __env, int __value);
_Noreturn void _longjmp(jmp_buf __env, int __value);
_Noreturn void siglongjmp(sigjmp_buf __env, int __value);

void __rz_save_signal_mask(sigjmp_buf __env, int __save);

#define setjmp(env) setjmp(env)
#define _setjmp(env) setjmp(env)
#define sigsetjmp(env, save) (__rz_save_signal_mask(env, save), setjmp(env))

#ifdef __cplusplus
}
#endif

#endif
