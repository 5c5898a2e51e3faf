/*
 * SSE and SSE2 as vectors of C: what programs use without asking whether the processor has it. Of
 * other extensions there is nothing, and `__SSE2__` is not defined.
 */
#ifndef _EMMINTRIN_H
#define _EMMINTRIN_H 1

#include <stddef.h>

typedef float __m128 __attribute__((__vector_size__(16), __may_alias__));
typedef double __m128d __attribute__((__vector_size__(16), __may_alias__));
typedef long long __m128i __attribute__((__vector_size__(16), __may_alias__));
typedef float __v4sf __attribute__((__vector_size__(16)));
typedef double __v2df __attribute__((__vector_size__(16)));
typedef long long __v2di __attribute__((__vector_size__(16)));
typedef unsigned long long __v2du __attribute__((__vector_size__(16)));
typedef int __v4si __attribute__((__vector_size__(16)));
typedef unsigned __v4su __attribute__((__vector_size__(16)));
typedef short __v8hi __attribute__((__vector_size__(16)));
typedef unsigned short __v8hu __attribute__((__vector_size__(16)));
typedef signed char __v16qi __attribute__((__vector_size__(16)));
typedef unsigned char __v16qu __attribute__((__vector_size__(16)));
typedef long long __m128i_u __attribute__((__vector_size__(16), __may_alias__, __aligned__(1)));
typedef float __m128_u __attribute__((__vector_size__(16), __may_alias__, __aligned__(1)));
typedef double __m128d_u __attribute__((__vector_size__(16), __may_alias__, __aligned__(1)));

#define __RZ_SSE static __inline __attribute__((__unused__))
#define _MM_SHUFFLE(z, y, x, w) ((z) << 6 | (y) << 4 | (x) << 2 | (w))
#define _MM_HINT_T0 3
#define _MM_HINT_T1 2
#define _MM_HINT_T2 1
#define _MM_HINT_NTA 0

/* Memory and order */
void *aligned_alloc(size_t, size_t);
void free(void *);
__RZ_SSE void *_mm_malloc(size_t __bytes, size_t __align) {
  return aligned_alloc(__align, (__bytes + __align - 1) / __align * __align);
}
__RZ_SSE void _mm_free(void *__p) { free(__p); }
__RZ_SSE void _mm_pause(void) {}
__RZ_SSE void _mm_mfence(void) { __sync_synchronize(); }
__RZ_SSE void _mm_lfence(void) { __sync_synchronize(); }
__RZ_SSE void _mm_sfence(void) { __sync_synchronize(); }
__RZ_SSE void _mm_clflush(void const *__p) { (void)__p; }
#define _mm_prefetch(p, hint) ((void)(p), (void)(hint))
__RZ_SSE unsigned _mm_getcsr(void) { return 0x1f80; }
__RZ_SSE void _mm_setcsr(unsigned __i) { (void)__i; }

/* Constants, loads and stores */
__RZ_SSE __m128i _mm_setzero_si128(void) { return (__m128i){0, 0}; }
__RZ_SSE __m128 _mm_setzero_ps(void) { return (__m128){0, 0, 0, 0}; }
__RZ_SSE __m128d _mm_setzero_pd(void) { return (__m128d){0, 0}; }
__RZ_SSE __m128i _mm_set_epi8(char __a, char __b, char __c, char __d, char __e, char __f, char __g, char __h, char __i, char __j, char __k, char __l, char __m, char __n, char __o, char __p) { return (__m128i)(__v16qi){__p, __o, __n, __m, __l, __k, __j, __i, __h, __g, __f, __e, __d, __c, __b, __a}; }
__RZ_SSE __m128i _mm_setr_epi8(char __a, char __b, char __c, char __d, char __e, char __f, char __g, char __h, char __i, char __j, char __k, char __l, char __m, char __n, char __o, char __p) { return (__m128i)(__v16qi){__a, __b, __c, __d, __e, __f, __g, __h, __i, __j, __k, __l, __m, __n, __o, __p}; }
__RZ_SSE __m128i _mm_set1_epi8(char __a) { return (__m128i)(__v16qi){__a, __a, __a, __a, __a, __a, __a, __a, __a, __a, __a, __a, __a, __a, __a, __a}; }
__RZ_SSE __m128i _mm_set_epi16(short __a, short __b, short __c, short __d, short __e, short __f, short __g, short __h) { return (__m128i)(__v8hi){__h, __g, __f, __e, __d, __c, __b, __a}; }
__RZ_SSE __m128i _mm_setr_epi16(short __a, short __b, short __c, short __d, short __e, short __f, short __g, short __h) { return (__m128i)(__v8hi){__a, __b, __c, __d, __e, __f, __g, __h}; }
__RZ_SSE __m128i _mm_set1_epi16(short __a) { return (__m128i)(__v8hi){__a, __a, __a, __a, __a, __a, __a, __a}; }
__RZ_SSE __m128i _mm_set_epi32(int __a, int __b, int __c, int __d) { return (__m128i)(__v4si){__d, __c, __b, __a}; }
__RZ_SSE __m128i _mm_setr_epi32(int __a, int __b, int __c, int __d) { return (__m128i)(__v4si){__a, __b, __c, __d}; }
__RZ_SSE __m128i _mm_set1_epi32(int __a) { return (__m128i)(__v4si){__a, __a, __a, __a}; }
__RZ_SSE __m128i _mm_set_epi64x(long long __a, long long __b) { return (__m128i)(__v2di){__b, __a}; }
__RZ_SSE __m128i _mm_set1_epi64x(long long __a) { return (__m128i)(__v2di){__a, __a}; }
__RZ_SSE __m128 _mm_set_ps(float __a, float __b, float __c, float __d) { return (__m128)(__v4sf){__d, __c, __b, __a}; }
__RZ_SSE __m128 _mm_setr_ps(float __a, float __b, float __c, float __d) { return (__m128)(__v4sf){__a, __b, __c, __d}; }
__RZ_SSE __m128 _mm_set1_ps(float __a) { return (__m128)(__v4sf){__a, __a, __a, __a}; }
__RZ_SSE __m128d _mm_set_pd(double __a, double __b) { return (__m128d)(__v2df){__b, __a}; }
__RZ_SSE __m128d _mm_setr_pd(double __a, double __b) { return (__m128d)(__v2df){__a, __b}; }
__RZ_SSE __m128d _mm_set1_pd(double __a) { return (__m128d)(__v2df){__a, __a}; }
#define _mm_set_ps1(a) _mm_set1_ps(a)
#define _mm_set_pd1(a) _mm_set1_pd(a)
__RZ_SSE __m128 _mm_set_ss(float __a) { return (__m128){__a, 0, 0, 0}; }
__RZ_SSE __m128d _mm_set_sd(double __a) { return (__m128d){__a, 0}; }
__RZ_SSE __m128i _mm_load_si128(const __m128i *__p) { return *__p; }
__RZ_SSE __m128i _mm_loadu_si128(const __m128i_u *__p) { return *__p; }
__RZ_SSE __m128i _mm_loadl_epi64(const __m128i_u *__p) { long long __x; __builtin_memcpy(&__x, __p, 8); return (__m128i){__x, 0}; }
__RZ_SSE void _mm_store_si128(__m128i *__p, __m128i __a) { *__p = __a; }
__RZ_SSE void _mm_storeu_si128(__m128i_u *__p, __m128i __a) { *__p = __a; }
__RZ_SSE void _mm_stream_si128(__m128i *__p, __m128i __a) { *__p = __a; }
__RZ_SSE void _mm_storel_epi64(__m128i_u *__p, __m128i __a) { long long __x = __a[0]; __builtin_memcpy(__p, &__x, 8); }
__RZ_SSE __m128 _mm_load_ps(const float *__p) { return *(const __m128 *)__p; }
__RZ_SSE __m128 _mm_loadu_ps(const float *__p) { return *(const __m128_u *)__p; }
__RZ_SSE void _mm_store_ps(float *__p, __m128 __a) { *(__m128 *)__p = __a; }
__RZ_SSE void _mm_storeu_ps(float *__p, __m128 __a) { *(__m128_u *)__p = __a; }
__RZ_SSE __m128d _mm_load_pd(const double *__p) { return *(const __m128d *)__p; }
__RZ_SSE __m128d _mm_loadu_pd(const double *__p) { return *(const __m128d_u *)__p; }
__RZ_SSE void _mm_store_pd(double *__p, __m128d __a) { *(__m128d *)__p = __a; }
__RZ_SSE void _mm_storeu_pd(double *__p, __m128d __a) { *(__m128d_u *)__p = __a; }
__RZ_SSE __m128 _mm_load_ss(const float *__p) { return (__m128){*__p, 0, 0, 0}; }
__RZ_SSE __m128d _mm_load_sd(const double *__p) { return (__m128d){*__p, 0}; }
#define _mm_load1_ps(p) _mm_set1_ps(*(p))
#define _mm_load1_pd(p) _mm_set1_pd(*(p))
__RZ_SSE void _mm_store_ss(float *__p, __m128 __a) { *__p = __a[0]; }
__RZ_SSE void _mm_store_sd(double *__p, __m128d __a) { *__p = __a[0]; }
__RZ_SSE float _mm_cvtss_f32(__m128 __a) { return __a[0]; }
__RZ_SSE double _mm_cvtsd_f64(__m128d __a) { return __a[0]; }
__RZ_SSE int _mm_cvtsi128_si32(__m128i __a) { return ((__v4si)__a)[0]; }
__RZ_SSE long long _mm_cvtsi128_si64(__m128i __a) { return __a[0]; }
__RZ_SSE __m128i _mm_cvtsi32_si128(int __a) { return (__m128i)(__v4si){__a, 0, 0, 0}; }
__RZ_SSE __m128i _mm_cvtsi64_si128(long long __a) { return (__m128i){__a, 0}; }
__RZ_SSE __m128 _mm_castsi128_ps(__m128i __a) { return (__m128)__a; }
__RZ_SSE __m128d _mm_castsi128_pd(__m128i __a) { return (__m128d)__a; }
__RZ_SSE __m128i _mm_castps_si128(__m128 __a) { return (__m128i)__a; }
__RZ_SSE __m128i _mm_castpd_si128(__m128d __a) { return (__m128i)__a; }
__RZ_SSE __m128d _mm_castps_pd(__m128 __a) { return (__m128d)__a; }
__RZ_SSE __m128 _mm_castpd_ps(__m128d __a) { return (__m128)__a; }

/* Arithmetic */
__RZ_SSE __m128i _mm_add_epi8(__m128i __a, __m128i __b) { return (__m128i)((__v16qu)__a + (__v16qu)__b); }
__RZ_SSE __m128i _mm_sub_epi8(__m128i __a, __m128i __b) { return (__m128i)((__v16qu)__a - (__v16qu)__b); }
__RZ_SSE __m128i _mm_add_epi16(__m128i __a, __m128i __b) { return (__m128i)((__v8hu)__a + (__v8hu)__b); }
__RZ_SSE __m128i _mm_sub_epi16(__m128i __a, __m128i __b) { return (__m128i)((__v8hu)__a - (__v8hu)__b); }
__RZ_SSE __m128i _mm_add_epi32(__m128i __a, __m128i __b) { return (__m128i)((__v4su)__a + (__v4su)__b); }
__RZ_SSE __m128i _mm_sub_epi32(__m128i __a, __m128i __b) { return (__m128i)((__v4su)__a - (__v4su)__b); }
__RZ_SSE __m128i _mm_add_epi64(__m128i __a, __m128i __b) { return (__m128i)((__v2du)__a + (__v2du)__b); }
__RZ_SSE __m128i _mm_sub_epi64(__m128i __a, __m128i __b) { return (__m128i)((__v2du)__a - (__v2du)__b); }
__RZ_SSE __m128i _mm_mullo_epi16(__m128i __a, __m128i __b) { return (__m128i)((__v8hu)__a * (__v8hu)__b); }
__RZ_SSE __m128 _mm_add_ps(__m128 __a, __m128 __b) { return (__m128)((__v4sf)__a + (__v4sf)__b); }
__RZ_SSE __m128 _mm_sub_ps(__m128 __a, __m128 __b) { return (__m128)((__v4sf)__a - (__v4sf)__b); }
__RZ_SSE __m128 _mm_mul_ps(__m128 __a, __m128 __b) { return (__m128)((__v4sf)__a * (__v4sf)__b); }
__RZ_SSE __m128 _mm_div_ps(__m128 __a, __m128 __b) { return (__m128)((__v4sf)__a / (__v4sf)__b); }
__RZ_SSE __m128d _mm_add_pd(__m128d __a, __m128d __b) { return (__m128d)((__v2df)__a + (__v2df)__b); }
__RZ_SSE __m128d _mm_sub_pd(__m128d __a, __m128d __b) { return (__m128d)((__v2df)__a - (__v2df)__b); }
__RZ_SSE __m128d _mm_mul_pd(__m128d __a, __m128d __b) { return (__m128d)((__v2df)__a * (__v2df)__b); }
__RZ_SSE __m128d _mm_div_pd(__m128d __a, __m128d __b) { return (__m128d)((__v2df)__a / (__v2df)__b); }
__RZ_SSE __m128 _mm_add_ss(__m128 __a, __m128 __b) { __a[0] = __a[0] + __b[0]; return __a; }
__RZ_SSE __m128d _mm_add_sd(__m128d __a, __m128d __b) { __a[0] = __a[0] + __b[0]; return __a; }
__RZ_SSE __m128 _mm_sub_ss(__m128 __a, __m128 __b) { __a[0] = __a[0] - __b[0]; return __a; }
__RZ_SSE __m128d _mm_sub_sd(__m128d __a, __m128d __b) { __a[0] = __a[0] - __b[0]; return __a; }
__RZ_SSE __m128 _mm_mul_ss(__m128 __a, __m128 __b) { __a[0] = __a[0] * __b[0]; return __a; }
__RZ_SSE __m128d _mm_mul_sd(__m128d __a, __m128d __b) { __a[0] = __a[0] * __b[0]; return __a; }
__RZ_SSE __m128 _mm_div_ss(__m128 __a, __m128 __b) { __a[0] = __a[0] / __b[0]; return __a; }
__RZ_SSE __m128d _mm_div_sd(__m128d __a, __m128d __b) { __a[0] = __a[0] / __b[0]; return __a; }
__RZ_SSE __m128i _mm_max_epi16(__m128i __p, __m128i __q) {
  __v8hi __a = (__v8hi)__p, __b = (__v8hi)__q, __r = {0};
  for (int __i = 0; __i < 8; __i++) __r[__i] = __a[__i] > __b[__i] ? __a[__i] : __b[__i];
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_min_epi16(__m128i __p, __m128i __q) {
  __v8hi __a = (__v8hi)__p, __b = (__v8hi)__q, __r = {0};
  for (int __i = 0; __i < 8; __i++) __r[__i] = __a[__i] < __b[__i] ? __a[__i] : __b[__i];
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_max_epu8(__m128i __p, __m128i __q) {
  __v16qu __a = (__v16qu)__p, __b = (__v16qu)__q, __r = {0};
  for (int __i = 0; __i < 16; __i++) __r[__i] = __a[__i] > __b[__i] ? __a[__i] : __b[__i];
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_min_epu8(__m128i __p, __m128i __q) {
  __v16qu __a = (__v16qu)__p, __b = (__v16qu)__q, __r = {0};
  for (int __i = 0; __i < 16; __i++) __r[__i] = __a[__i] < __b[__i] ? __a[__i] : __b[__i];
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_adds_epi8(__m128i __p, __m128i __q) {
  __v16qi __a = (__v16qi)__p, __b = (__v16qi)__q, __r = {0};
  for (int __i = 0; __i < 16; __i++) __r[__i] = (__a[__i] + __b[__i]) > 127 ? 127 : (__a[__i] + __b[__i]) < -128 ? -128 : (__a[__i] + __b[__i]);
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_subs_epi8(__m128i __p, __m128i __q) {
  __v16qi __a = (__v16qi)__p, __b = (__v16qi)__q, __r = {0};
  for (int __i = 0; __i < 16; __i++) __r[__i] = (__a[__i] - __b[__i]) > 127 ? 127 : (__a[__i] - __b[__i]) < -128 ? -128 : (__a[__i] - __b[__i]);
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_adds_epi16(__m128i __p, __m128i __q) {
  __v8hi __a = (__v8hi)__p, __b = (__v8hi)__q, __r = {0};
  for (int __i = 0; __i < 8; __i++) __r[__i] = (__a[__i] + __b[__i]) > 32767 ? 32767 : (__a[__i] + __b[__i]) < -32768 ? -32768 : (__a[__i] + __b[__i]);
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_subs_epi16(__m128i __p, __m128i __q) {
  __v8hi __a = (__v8hi)__p, __b = (__v8hi)__q, __r = {0};
  for (int __i = 0; __i < 8; __i++) __r[__i] = (__a[__i] - __b[__i]) > 32767 ? 32767 : (__a[__i] - __b[__i]) < -32768 ? -32768 : (__a[__i] - __b[__i]);
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_adds_epu8(__m128i __p, __m128i __q) {
  __v16qu __a = (__v16qu)__p, __b = (__v16qu)__q, __r = {0};
  for (int __i = 0; __i < 16; __i++) __r[__i] = (__a[__i] + __b[__i]) > 255 ? 255 : (__a[__i] + __b[__i]) < 0 ? 0 : (__a[__i] + __b[__i]);
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_subs_epu8(__m128i __p, __m128i __q) {
  __v16qu __a = (__v16qu)__p, __b = (__v16qu)__q, __r = {0};
  for (int __i = 0; __i < 16; __i++) __r[__i] = (__a[__i] - __b[__i]) > 255 ? 255 : (__a[__i] - __b[__i]) < 0 ? 0 : (__a[__i] - __b[__i]);
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_adds_epu16(__m128i __p, __m128i __q) {
  __v8hu __a = (__v8hu)__p, __b = (__v8hu)__q, __r = {0};
  for (int __i = 0; __i < 8; __i++) __r[__i] = (__a[__i] + __b[__i]) > 65535 ? 65535 : (__a[__i] + __b[__i]) < 0 ? 0 : (__a[__i] + __b[__i]);
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_subs_epu16(__m128i __p, __m128i __q) {
  __v8hu __a = (__v8hu)__p, __b = (__v8hu)__q, __r = {0};
  for (int __i = 0; __i < 8; __i++) __r[__i] = (__a[__i] - __b[__i]) > 65535 ? 65535 : (__a[__i] - __b[__i]) < 0 ? 0 : (__a[__i] - __b[__i]);
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_avg_epu8(__m128i __p, __m128i __q) {
  __v16qu __a = (__v16qu)__p, __b = (__v16qu)__q, __r = {0};
  for (int __i = 0; __i < 16; __i++) __r[__i] = (__a[__i] + __b[__i] + 1) >> 1;
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_avg_epu16(__m128i __p, __m128i __q) {
  __v8hu __a = (__v8hu)__p, __b = (__v8hu)__q, __r = {0};
  for (int __i = 0; __i < 8; __i++) __r[__i] = (__a[__i] + __b[__i] + 1) >> 1;
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_mulhi_epi16(__m128i __p, __m128i __q) {
  __v8hi __a = (__v8hi)__p, __b = (__v8hi)__q, __r = {0};
  for (int __i = 0; __i < 8; __i++) __r[__i] = (__a[__i] * __b[__i]) >> 16;
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_mulhi_epu16(__m128i __p, __m128i __q) {
  __v8hu __a = (__v8hu)__p, __b = (__v8hu)__q, __r = {0};
  for (int __i = 0; __i < 8; __i++) __r[__i] = ((unsigned)__a[__i] * __b[__i]) >> 16;
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_mul_epu32(__m128i __p, __m128i __q) {
  __v4su __a = (__v4su)__p, __b = (__v4su)__q;
  return (__m128i)(__v2du){(unsigned long long)__a[0] * __b[0], (unsigned long long)__a[2] * __b[2]};
}
__RZ_SSE __m128i _mm_madd_epi16(__m128i __p, __m128i __q) {
  __v8hi __a = (__v8hi)__p, __b = (__v8hi)__q;
  __v4si __r = {0};
  for (int __i = 0; __i < 8; __i += 2)
    __r[__i / 2] = (int)((unsigned)(__a[__i] * __b[__i]) + (unsigned)(__a[__i + 1] * __b[__i + 1]));
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_sad_epu8(__m128i __p, __m128i __q) {
  __v16qu __a = (__v16qu)__p, __b = (__v16qu)__q;
  __m128i __r = {0, 0};
  for (int __i = 0; __i < 16; __i++) __r[__i / 8] += __a[__i] > __b[__i] ? __a[__i] - __b[__i] : __b[__i] - __a[__i];
  return __r;
}
double sqrt(double);
float sqrtf(float);
__RZ_SSE __m128 _mm_sqrt_ps(__m128 __a) { return (__m128){sqrtf(__a[0]), sqrtf(__a[1]), sqrtf(__a[2]), sqrtf(__a[3])}; }
__RZ_SSE __m128d _mm_sqrt_pd(__m128d __a) { return (__m128d){sqrt(__a[0]), sqrt(__a[1])}; }
__RZ_SSE __m128 _mm_max_ps(__m128 __a, __m128 __b) {
  
  for (int __i = 0; __i < 4; __i++) __a[__i] = __a[__i] > __b[__i] ? __a[__i] : __b[__i];
  return __a;
}
__RZ_SSE __m128 _mm_min_ps(__m128 __a, __m128 __b) {
  
  for (int __i = 0; __i < 4; __i++) __a[__i] = __a[__i] < __b[__i] ? __a[__i] : __b[__i];
  return __a;
}
__RZ_SSE __m128d _mm_max_pd(__m128d __a, __m128d __b) {
  
  for (int __i = 0; __i < 2; __i++) __a[__i] = __a[__i] > __b[__i] ? __a[__i] : __b[__i];
  return __a;
}
__RZ_SSE __m128d _mm_min_pd(__m128d __a, __m128d __b) {
  
  for (int __i = 0; __i < 2; __i++) __a[__i] = __a[__i] < __b[__i] ? __a[__i] : __b[__i];
  return __a;
}

/* Logic and comparison */
__RZ_SSE __m128i _mm_and_si128(__m128i __a, __m128i __b) { return (__m128i)((__v2du)__a & (__v2du)__b); }
__RZ_SSE __m128i _mm_or_si128(__m128i __a, __m128i __b) { return (__m128i)((__v2du)__a | (__v2du)__b); }
__RZ_SSE __m128i _mm_xor_si128(__m128i __a, __m128i __b) { return (__m128i)((__v2du)__a ^ (__v2du)__b); }
__RZ_SSE __m128i _mm_andnot_si128(__m128i __a, __m128i __b) { return (__m128i)(~(__v2du)__a & (__v2du)__b); }
__RZ_SSE __m128 _mm_and_ps(__m128 __a, __m128 __b) { return (__m128)((__v2du)__a & (__v2du)__b); }
__RZ_SSE __m128 _mm_or_ps(__m128 __a, __m128 __b) { return (__m128)((__v2du)__a | (__v2du)__b); }
__RZ_SSE __m128 _mm_xor_ps(__m128 __a, __m128 __b) { return (__m128)((__v2du)__a ^ (__v2du)__b); }
__RZ_SSE __m128 _mm_andnot_ps(__m128 __a, __m128 __b) { return (__m128)(~(__v2du)__a & (__v2du)__b); }
__RZ_SSE __m128d _mm_and_pd(__m128d __a, __m128d __b) { return (__m128d)((__v2du)__a & (__v2du)__b); }
__RZ_SSE __m128d _mm_or_pd(__m128d __a, __m128d __b) { return (__m128d)((__v2du)__a | (__v2du)__b); }
__RZ_SSE __m128d _mm_xor_pd(__m128d __a, __m128d __b) { return (__m128d)((__v2du)__a ^ (__v2du)__b); }
__RZ_SSE __m128d _mm_andnot_pd(__m128d __a, __m128d __b) { return (__m128d)(~(__v2du)__a & (__v2du)__b); }
__RZ_SSE __m128i _mm_cmpeq_epi8(__m128i __a, __m128i __b) { return (__m128i)((__v16qi)__a == (__v16qi)__b); }
__RZ_SSE __m128i _mm_cmpgt_epi8(__m128i __a, __m128i __b) { return (__m128i)((__v16qi)__a > (__v16qi)__b); }
__RZ_SSE __m128i _mm_cmplt_epi8(__m128i __a, __m128i __b) { return (__m128i)((__v16qi)__a < (__v16qi)__b); }
__RZ_SSE __m128i _mm_cmpeq_epi16(__m128i __a, __m128i __b) { return (__m128i)((__v8hi)__a == (__v8hi)__b); }
__RZ_SSE __m128i _mm_cmpgt_epi16(__m128i __a, __m128i __b) { return (__m128i)((__v8hi)__a > (__v8hi)__b); }
__RZ_SSE __m128i _mm_cmplt_epi16(__m128i __a, __m128i __b) { return (__m128i)((__v8hi)__a < (__v8hi)__b); }
__RZ_SSE __m128i _mm_cmpeq_epi32(__m128i __a, __m128i __b) { return (__m128i)((__v4si)__a == (__v4si)__b); }
__RZ_SSE __m128i _mm_cmpgt_epi32(__m128i __a, __m128i __b) { return (__m128i)((__v4si)__a > (__v4si)__b); }
__RZ_SSE __m128i _mm_cmplt_epi32(__m128i __a, __m128i __b) { return (__m128i)((__v4si)__a < (__v4si)__b); }
__RZ_SSE __m128 _mm_cmpeq_ps(__m128 __a, __m128 __b) { return (__m128)((__v4sf)__a == (__v4sf)__b); }
__RZ_SSE __m128 _mm_cmpneq_ps(__m128 __a, __m128 __b) { return (__m128)((__v4sf)__a != (__v4sf)__b); }
__RZ_SSE __m128 _mm_cmpgt_ps(__m128 __a, __m128 __b) { return (__m128)((__v4sf)__a > (__v4sf)__b); }
__RZ_SSE __m128 _mm_cmpge_ps(__m128 __a, __m128 __b) { return (__m128)((__v4sf)__a >= (__v4sf)__b); }
__RZ_SSE __m128 _mm_cmplt_ps(__m128 __a, __m128 __b) { return (__m128)((__v4sf)__a < (__v4sf)__b); }
__RZ_SSE __m128 _mm_cmple_ps(__m128 __a, __m128 __b) { return (__m128)((__v4sf)__a <= (__v4sf)__b); }
__RZ_SSE __m128d _mm_cmpeq_pd(__m128d __a, __m128d __b) { return (__m128d)((__v2df)__a == (__v2df)__b); }
__RZ_SSE __m128d _mm_cmpneq_pd(__m128d __a, __m128d __b) { return (__m128d)((__v2df)__a != (__v2df)__b); }
__RZ_SSE __m128d _mm_cmpgt_pd(__m128d __a, __m128d __b) { return (__m128d)((__v2df)__a > (__v2df)__b); }
__RZ_SSE __m128d _mm_cmpge_pd(__m128d __a, __m128d __b) { return (__m128d)((__v2df)__a >= (__v2df)__b); }
__RZ_SSE __m128d _mm_cmplt_pd(__m128d __a, __m128d __b) { return (__m128d)((__v2df)__a < (__v2df)__b); }
__RZ_SSE __m128d _mm_cmple_pd(__m128d __a, __m128d __b) { return (__m128d)((__v2df)__a <= (__v2df)__b); }
__RZ_SSE int _mm_movemask_epi8(__m128i __p) {
  __v16qi __a = (__v16qi)__p;
  int __r = 0;
  for (int __i = 0; __i < 16; __i++) __r |= (__a[__i] < 0) << __i;
  return __r;
}
__RZ_SSE int _mm_movemask_ps(__m128 __p) {
  __v4si __a = (__v4si)__p;
  return (__a[0] < 0) | (__a[1] < 0) << 1 | (__a[2] < 0) << 2 | (__a[3] < 0) << 3;
}
__RZ_SSE int _mm_movemask_pd(__m128d __p) {
  __v2di __a = (__v2di)__p;
  return (__a[0] < 0) | (__a[1] < 0) << 1;
}

/* Shifts: of elements by a count that may be too large, and of the whole by bytes */
__RZ_SSE __m128i _mm_slli_epi16(__m128i __a, int __n) { return (unsigned)__n >= 16 ? _mm_setzero_si128() : (__m128i)((__v8hu)__a << __n); }
__RZ_SSE __m128i _mm_srli_epi16(__m128i __a, int __n) { return (unsigned)__n >= 16 ? _mm_setzero_si128() : (__m128i)((__v8hu)__a >> __n); }
__RZ_SSE __m128i _mm_srai_epi16(__m128i __a, int __n) { return (__m128i)((__v8hi)__a >> ((unsigned)__n >= 16 ? 15 : __n)); }
__RZ_SSE __m128i _mm_sll_epi16(__m128i __a, __m128i __n) { return _mm_slli_epi16(__a, (unsigned long long)__n[0] > 16 ? 16 : (int)__n[0]); }
__RZ_SSE __m128i _mm_srl_epi16(__m128i __a, __m128i __n) { return _mm_srli_epi16(__a, (unsigned long long)__n[0] > 16 ? 16 : (int)__n[0]); }
__RZ_SSE __m128i _mm_sra_epi16(__m128i __a, __m128i __n) { return _mm_srai_epi16(__a, (unsigned long long)__n[0] > 16 ? 16 : (int)__n[0]); }
__RZ_SSE __m128i _mm_slli_epi32(__m128i __a, int __n) { return (unsigned)__n >= 32 ? _mm_setzero_si128() : (__m128i)((__v4su)__a << __n); }
__RZ_SSE __m128i _mm_srli_epi32(__m128i __a, int __n) { return (unsigned)__n >= 32 ? _mm_setzero_si128() : (__m128i)((__v4su)__a >> __n); }
__RZ_SSE __m128i _mm_srai_epi32(__m128i __a, int __n) { return (__m128i)((__v4si)__a >> ((unsigned)__n >= 32 ? 31 : __n)); }
__RZ_SSE __m128i _mm_sll_epi32(__m128i __a, __m128i __n) { return _mm_slli_epi32(__a, (unsigned long long)__n[0] > 32 ? 32 : (int)__n[0]); }
__RZ_SSE __m128i _mm_srl_epi32(__m128i __a, __m128i __n) { return _mm_srli_epi32(__a, (unsigned long long)__n[0] > 32 ? 32 : (int)__n[0]); }
__RZ_SSE __m128i _mm_sra_epi32(__m128i __a, __m128i __n) { return _mm_srai_epi32(__a, (unsigned long long)__n[0] > 32 ? 32 : (int)__n[0]); }
__RZ_SSE __m128i _mm_slli_epi64(__m128i __a, int __n) { return (unsigned)__n >= 64 ? _mm_setzero_si128() : (__m128i)((__v2du)__a << __n); }
__RZ_SSE __m128i _mm_srli_epi64(__m128i __a, int __n) { return (unsigned)__n >= 64 ? _mm_setzero_si128() : (__m128i)((__v2du)__a >> __n); }
__RZ_SSE __m128i _mm_sll_epi64(__m128i __a, __m128i __n) { return _mm_slli_epi64(__a, (unsigned long long)__n[0] > 64 ? 64 : (int)__n[0]); }
__RZ_SSE __m128i _mm_srl_epi64(__m128i __a, __m128i __n) { return _mm_srli_epi64(__a, (unsigned long long)__n[0] > 64 ? 64 : (int)__n[0]); }
__RZ_SSE __m128i _mm_srli_si128(__m128i __p, int __n) {
  __v16qi __a = (__v16qi)__p, __r = (__v16qi)_mm_setzero_si128();
  for (int __i = 0; __i + (__n & 255) < 16; __i++) __r[__i] = __a[__i + (__n & 255)];
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_slli_si128(__m128i __p, int __n) {
  __v16qi __a = (__v16qi)__p, __r = (__v16qi)_mm_setzero_si128();
  for (int __i = __n & 255; __i < 16; __i++) __r[__i] = __a[__i - (__n & 255)];
  return (__m128i)__r;
}
#define _mm_bsrli_si128(a, n) _mm_srli_si128(a, n)
#define _mm_bslli_si128(a, n) _mm_slli_si128(a, n)

/* Elements in another order */
__RZ_SSE __m128i _mm_shuffle_epi32(__m128i __p, int __o) {
  __v4si __a = (__v4si)__p;
  return (__m128i)(__v4si){__a[__o & 3], __a[__o >> 2 & 3], __a[__o >> 4 & 3], __a[__o >> 6 & 3]};
}
__RZ_SSE __m128i _mm_shufflelo_epi16(__m128i __p, int __o) {
  __v8hi __a = (__v8hi)__p, __r = __a;
  for (int __i = 0; __i < 4; __i++) __r[__i] = __a[__o >> 2 * __i & 3];
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_shufflehi_epi16(__m128i __p, int __o) {
  __v8hi __a = (__v8hi)__p, __r = __a;
  for (int __i = 0; __i < 4; __i++) __r[4 + __i] = __a[4 + (__o >> 2 * __i & 3)];
  return (__m128i)__r;
}
__RZ_SSE __m128 _mm_shuffle_ps(__m128 __a, __m128 __b, int __o) {
  return (__m128){__a[__o & 3], __a[__o >> 2 & 3], __b[__o >> 4 & 3], __b[__o >> 6 & 3]};
}
__RZ_SSE __m128d _mm_shuffle_pd(__m128d __a, __m128d __b, int __o) { return (__m128d){__a[__o & 1], __b[__o >> 1 & 1]}; }
__RZ_SSE __m128 _mm_movehl_ps(__m128 __a, __m128 __b) { return (__m128){__b[2], __b[3], __a[2], __a[3]}; }
__RZ_SSE __m128 _mm_movelh_ps(__m128 __a, __m128 __b) { return (__m128){__a[0], __a[1], __b[0], __b[1]}; }
__RZ_SSE int _mm_extract_epi16(__m128i __a, int __i) { return ((__v8hu)__a)[__i & 7]; }
__RZ_SSE __m128i _mm_insert_epi16(__m128i __p, int __x, int __i) {
  __v8hi __a = (__v8hi)__p;
  __a[__i & 7] = (short)__x;
  return (__m128i)__a;
}
__RZ_SSE __m128i _mm_unpacklo_epi8(__m128i __p, __m128i __q) {
  __v16qi __a = (__v16qi)__p, __b = (__v16qi)__q;
  return (__m128i)(__v16qi){__a[0], __b[0], __a[1], __b[1], __a[2], __b[2], __a[3], __b[3], __a[4], __b[4], __a[5], __b[5], __a[6], __b[6], __a[7], __b[7]};
}
__RZ_SSE __m128i _mm_unpackhi_epi8(__m128i __p, __m128i __q) {
  __v16qi __a = (__v16qi)__p, __b = (__v16qi)__q;
  return (__m128i)(__v16qi){__a[8], __b[8], __a[9], __b[9], __a[10], __b[10], __a[11], __b[11], __a[12], __b[12], __a[13], __b[13], __a[14], __b[14], __a[15], __b[15]};
}
__RZ_SSE __m128i _mm_unpacklo_epi16(__m128i __p, __m128i __q) {
  __v8hi __a = (__v8hi)__p, __b = (__v8hi)__q;
  return (__m128i)(__v8hi){__a[0], __b[0], __a[1], __b[1], __a[2], __b[2], __a[3], __b[3]};
}
__RZ_SSE __m128i _mm_unpackhi_epi16(__m128i __p, __m128i __q) {
  __v8hi __a = (__v8hi)__p, __b = (__v8hi)__q;
  return (__m128i)(__v8hi){__a[4], __b[4], __a[5], __b[5], __a[6], __b[6], __a[7], __b[7]};
}
__RZ_SSE __m128i _mm_unpacklo_epi32(__m128i __p, __m128i __q) {
  __v4si __a = (__v4si)__p, __b = (__v4si)__q;
  return (__m128i)(__v4si){__a[0], __b[0], __a[1], __b[1]};
}
__RZ_SSE __m128i _mm_unpackhi_epi32(__m128i __p, __m128i __q) {
  __v4si __a = (__v4si)__p, __b = (__v4si)__q;
  return (__m128i)(__v4si){__a[2], __b[2], __a[3], __b[3]};
}
__RZ_SSE __m128i _mm_unpacklo_epi64(__m128i __p, __m128i __q) {
  __v2di __a = (__v2di)__p, __b = (__v2di)__q;
  return (__m128i)(__v2di){__a[0], __b[0]};
}
__RZ_SSE __m128i _mm_unpackhi_epi64(__m128i __p, __m128i __q) {
  __v2di __a = (__v2di)__p, __b = (__v2di)__q;
  return (__m128i)(__v2di){__a[1], __b[1]};
}
__RZ_SSE __m128 _mm_unpacklo_ps(__m128 __p, __m128 __q) {
  __v4sf __a = (__v4sf)__p, __b = (__v4sf)__q;
  return (__m128)(__v4sf){__a[0], __b[0], __a[1], __b[1]};
}
__RZ_SSE __m128 _mm_unpackhi_ps(__m128 __p, __m128 __q) {
  __v4sf __a = (__v4sf)__p, __b = (__v4sf)__q;
  return (__m128)(__v4sf){__a[2], __b[2], __a[3], __b[3]};
}
__RZ_SSE __m128d _mm_unpacklo_pd(__m128d __p, __m128d __q) {
  __v2df __a = (__v2df)__p, __b = (__v2df)__q;
  return (__m128d)(__v2df){__a[0], __b[0]};
}
__RZ_SSE __m128d _mm_unpackhi_pd(__m128d __p, __m128d __q) {
  __v2df __a = (__v2df)__p, __b = (__v2df)__q;
  return (__m128d)(__v2df){__a[1], __b[1]};
}
__RZ_SSE __m128i _mm_packs_epi16(__m128i __p, __m128i __q) {
  __v8hi __a = (__v8hi)__p, __b = (__v8hi)__q;
  __v16qi __r = {0};
  for (int __i = 0; __i < 8; __i++) {
    __r[__i] = __a[__i] > 127 ? 127 : __a[__i] < -128 ? -128 : __a[__i];
    __r[8 + __i] = __b[__i] > 127 ? 127 : __b[__i] < -128 ? -128 : __b[__i];
  }
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_packus_epi16(__m128i __p, __m128i __q) {
  __v8hi __a = (__v8hi)__p, __b = (__v8hi)__q;
  __v16qu __r = {0};
  for (int __i = 0; __i < 8; __i++) {
    __r[__i] = __a[__i] > 255 ? 255 : __a[__i] < 0 ? 0 : __a[__i];
    __r[8 + __i] = __b[__i] > 255 ? 255 : __b[__i] < 0 ? 0 : __b[__i];
  }
  return (__m128i)__r;
}
__RZ_SSE __m128i _mm_packs_epi32(__m128i __p, __m128i __q) {
  __v4si __a = (__v4si)__p, __b = (__v4si)__q;
  __v8hi __r = {0};
  for (int __i = 0; __i < 4; __i++) {
    __r[__i] = __a[__i] > 32767 ? 32767 : __a[__i] < -32768 ? -32768 : __a[__i];
    __r[4 + __i] = __b[__i] > 32767 ? 32767 : __b[__i] < -32768 ? -32768 : __b[__i];
  }
  return (__m128i)__r;
}

/* Conversions */
__RZ_SSE __m128 _mm_cvtepi32_ps(__m128i __p) {
  __v4si __a = (__v4si)__p;
  return (__m128){(float)__a[0], (float)__a[1], (float)__a[2], (float)__a[3]};
}
__RZ_SSE __m128d _mm_cvtepi32_pd(__m128i __p) {
  __v4si __a = (__v4si)__p;
  return (__m128d){__a[0], __a[1]};
}
__RZ_SSE __m128d _mm_cvtps_pd(__m128 __a) { return (__m128d){__a[0], __a[1]}; }
__RZ_SSE __m128 _mm_cvtpd_ps(__m128d __a) { return (__m128){(float)__a[0], (float)__a[1], 0, 0}; }
/* What does not fit is the smallest number, as the instruction has it. */
__RZ_SSE int __rz_truncated(double __x) { return __x > -2147483649.0 && __x < 2147483648.0 ? (int)__x : -2147483647 - 1; }
__RZ_SSE __m128i _mm_cvttps_epi32(__m128 __a) {
  return (__m128i)(__v4si){__rz_truncated(__a[0]), __rz_truncated(__a[1]), __rz_truncated(__a[2]), __rz_truncated(__a[3])};
}
double rint(double);
__RZ_SSE __m128i _mm_cvtps_epi32(__m128 __a) {
  return (__m128i)(__v4si){__rz_truncated(rint(__a[0])), __rz_truncated(rint(__a[1])), __rz_truncated(rint(__a[2])),
                       __rz_truncated(rint(__a[3]))};
}
__RZ_SSE int _mm_cvttss_si32(__m128 __a) { return __rz_truncated(__a[0]); }
__RZ_SSE int _mm_cvtss_si32(__m128 __a) { return __rz_truncated(rint(__a[0])); }
__RZ_SSE int _mm_cvttsd_si32(__m128d __a) { return __rz_truncated(__a[0]); }
__RZ_SSE int _mm_cvtsd_si32(__m128d __a) { return __rz_truncated(rint(__a[0])); }
__RZ_SSE __m128 _mm_cvtsi32_ss(__m128 __a, int __b) { __a[0] = (float)__b; return __a; }
__RZ_SSE __m128d _mm_cvtsi32_sd(__m128d __a, int __b) { __a[0] = __b; return __a; }

#endif
