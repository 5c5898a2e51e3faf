/*
 * setjmp and longjmp for compiled programs, on WebAssembly exceptions.
 *
 * WebAssembly cannot jump back into a frame, but it can throw to one. With -mllvm -wasm-enable-sjlj
 * clang rewrites each function that calls setjmp: every call in it is wrapped in a try, and a
 * dispatch at the top can continue after any of its setjmp calls. Three functions here complete it:
 *
 *     setjmp(env)  becomes  __wasm_setjmp(env, label, invocation)   notes "label of this invocation" in env
 *     longjmp      becomes  __wasm_longjmp(env, value)              throws { env, value } with tag __c_longjmp
 *     each catch   asks     __wasm_setjmp_test(env, invocation)     "is it mine?": its label, or 0: throw on
 *
 * `invocation` is the address of a variable in the frame that called setjmp, so that recursion is
 * distinguished. Labels start at 1.
 *
 * This file is never instrumented: in the IR that the engines read there are plain calls of setjmp
 * and longjmp, which an interpreter carries out itself. See docs/decisions on setjmp.
 */
#include <setjmp.h>

/* The exception's tag has no C syntax. Its one parameter is the address of the pair below. */
__asm__(
    ".globl __c_longjmp\n"
    ".tagtype __c_longjmp i64\n"
    "__c_longjmp:\n");

#define C_LONGJMP_TAG 1 /* clang's number for __c_longjmp */

void __wasm_setjmp(struct __jmp_buf_tag *env, unsigned label, void *invocation) {
  env->__invocation = invocation;
  env->__label = label;
}

unsigned __wasm_setjmp_test(const struct __jmp_buf_tag *env, const void *invocation) {
  return env->__invocation == invocation ? env->__label : 0;
}

_Noreturn void __wasm_longjmp(struct __jmp_buf_tag *env, int value) {
  env->__thrown_env = env;
  env->__thrown_value = value == 0 ? 1 : value;
  __builtin_wasm_throw(C_LONGJMP_TAG, &env->__thrown_env);
}

/* For code that was compiled without the rewriting, or that calls longjmp through a pointer. */
_Noreturn void longjmp(jmp_buf env, int value) { __wasm_longjmp(env, value); }
