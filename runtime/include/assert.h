/*
 * <assert.h>. It may be included again with another setting of NDEBUG, so it has no include guard.
 */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((void)((condition) || (__assert_fail(#condition, __FILE__, __LINE__, __func__), 0)))
#endif

#if !defined __cplusplus && __STDC_VERSION__ < 202311L
#undef static_assert
#define static_assert _Static_assert
#endif

#ifndef _ASSERT_H
#define _ASSERT_H
__attribute__((__noreturn__)) void __assert_fail(const char *__condition, const char *__file, unsigned int __line, const char *__function);
#endif
