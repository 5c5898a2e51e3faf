/*
 * Constants and helpers that the long double functions share. A constant is split in two parts, of
 * which the first is so short that its product with an exponent or a small multiple is
 * exact.
 */
#ifndef RZ_QUAD_MATH_H
#define RZ_QUAD_MATH_H

#define __RZ_LN2_HIGH 0x162e42fefa39ef35793c7673p-93L
#define __RZ_LN2_LOW 0x7e5ed5e81e6864ce5316c5b141a3p-213L
#define __RZ_LOG10_2_HIGH 0x268826a13ef3fde623e2566bp-95L
#define __RZ_LOG10_2_LOW 0xb7c917826ad30c543d1f3498a5e7p-213L

/* pi - M_PIl */
#define __RZ_PI_LOW 0x7344a4093822299f31d0082efa99p-224L

/* e^r - 1 for |r| <= ln 2 / 2 */
long double __rz_expm1_reduced(long double r);

/* log(1 + x) for |x| <= 0.3 */
long double __rz_log1p_reduced(long double x);

/* The sine and cosine of r for |r| slightly above pi / 4 or less. */
void __rz_sincos_reduced(long double r, long double *sine, long double *cosine);

/*
 * x = (4 i + n) pi/2 + rest for some i, with |rest| <= pi/4 and n from 0 to 3, which is returned.
 * 2^52 <= |x| < infinity.
 */
int __rz_reduce_large(long double x, long double *rest);

/* sin(pi x), exactly reduced */
long double __rz_sin_pi(long double x);

#endif
