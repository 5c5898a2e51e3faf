/* The slow paths that instrumented code calls when a tag word is not the expected one. */
#ifndef RZ_CHECK_H
#define RZ_CHECK_H

#include "shadow.h"

/* Bit i of the result: byte i of the access was never written. At most 32 bytes. */
u64 __rz_load_slow(const void *p, u32 bytes, u32 site);
/* The value is needed: undefined bytes are an error. */
void __rz_load_strict(const void *p, u32 bytes, u32 site);
void __rz_store_slow(void *p, u32 bytes, u32 site);
/* A store of a value some of whose bytes are undefined. */
void __rz_store_mixed(void *p, u32 bytes, u32 site, u64 undefined);

#endif
