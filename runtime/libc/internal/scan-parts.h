/* Declarations that the files of scanf's engine share; scan.h is its interface. */
#ifndef RZ_SCAN_PARTS_H
#define RZ_SCAN_PARTS_H

#include <stdarg.h>
#include <stddef.h>
#include <wchar.h>

#include "raw.h"
#include "scan.h"

enum { SCAN_INT, SCAN_CHAR, SCAN_SHORT, SCAN_LONG, SCAN_LONG_DOUBLE };

struct __rz_scan_spec {
  int is_suppressed; /* the flag * */
  int allocates;     /* the flag m */
  long width;        /* LONG_MAX if not given */
  int length;
  char conversion;
  const char *set;     /* for [: between the brackets, without the ^ */
  const char *set_end;
  int is_negated;
};

enum { SCAN_STORED, SCAN_MISMATCH, SCAN_END_OF_INPUT, SCAN_NO_MEMORY };

/* Gets the next byte, counted, and pushes it back. */
int __rz_scan_get(struct __rz_source *source);
void __rz_scan_unget(struct __rz_source *source, int c);

/*
 * Raw code (raw.h). Each consumes the input that the spec describes and stores the result at `to`,
 * unless suppressed. Returns one of SCAN_*.
 */
int __rz_scan_integer(struct __rz_source *source, const struct __rz_scan_spec *spec, void *to);
int __rz_scan_float(struct __rz_source *source, const struct __rz_scan_spec *spec, void *to);
int __rz_scan_text(struct __rz_source *source, const struct __rz_scan_spec *spec, void *to);

/* Raw code: strtol, or strtoul, for text of raw code, which the engine does not know. */
unsigned long __rz_own_integer(const char *text, int base, int is_signed);

RZ_RAW_BEGIN
/* isspace of the C locale, for c >= 0. */
static inline int __rz_scan_is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
RZ_RAW_END

#endif
