/*
 * The parts of scanf. One engine serves all its forms; it reads bytes from a source one at a time
 * and can push the last one back. The wide forms convert their format to UTF-8 and read through a
 * source that encodes; such a source counts characters, and so do widths.
 */
#ifndef RZ_SCAN_H
#define RZ_SCAN_H

#include <stdarg.h>
#include <stddef.h>

/* A source may be a local of raw code (raw.h); then its functions are raw, too. */
struct __rz_source {
  int (*get)(struct __rz_source *source);           /* a byte, or EOF */
  void (*unget)(struct __rz_source *source, int c); /* pushes the last byte back */
  long taken; /* bytes or characters so far */
  int counts_characters;
  /* A source of bytes in memory: the next byte, which is valid if it is before `known`. */
  const char *at;
  const char *known;
};

/* The number of conversions stored, or EOF. */
int __rz_scan(struct __rz_source *source, const char *format, va_list arguments);

#endif
