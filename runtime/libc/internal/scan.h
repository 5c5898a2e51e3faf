/*
 * scanf, taken apart. One engine serves all its forms; it takes bytes from a source one at a time
 * and can put the last one back. The wide forms turn their format into UTF-8 and read through a
 * source that encodes; such a source counts characters, and so do widths.
 */
#ifndef RZ_SCAN_H
#define RZ_SCAN_H

#include <stdarg.h>
#include <stddef.h>

/* A source may be a local of raw code (raw.h); then its functions are raw, too. */
struct __rz_source {
  int (*get)(struct __rz_source *source);           /* a byte, or EOF */
  void (*unget)(struct __rz_source *source, int c); /* the byte that was got last */
  long taken; /* bytes or characters so far */
  int counts_characters;
};

/* The number of conversions stored, or EOF. */
int __rz_scan(struct __rz_source *source, const char *format, va_list arguments);

#endif
