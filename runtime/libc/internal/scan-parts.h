/* What the files of scanf's engine share; scan.h is its outside. */
#ifndef RZ_SCAN_PARTS_H
#define RZ_SCAN_PARTS_H

#include <stdarg.h>
#include <stddef.h>
#include <wchar.h>

#include "scan.h"

enum { SCAN_INT, SCAN_CHAR, SCAN_SHORT, SCAN_LONG, SCAN_LONG_DOUBLE };

struct __rz_scan_spec {
  int is_suppressed; /* * */
  int allocates;     /* m */
  long width;        /* LONG_MAX if not given */
  int length;
  char conversion;
  const char *set;     /* of [: between the brackets, without the ^ */
  const char *set_end;
  int is_negated;
};

enum { SCAN_STORED, SCAN_MISMATCH, SCAN_END_OF_INPUT, SCAN_NO_MEMORY };

/* The next byte, counted; and the way back. */
int __rz_scan_get(struct __rz_source *source);
void __rz_scan_unget(struct __rz_source *source, int c);

/*
 * Each takes what the spec says from the source and stores it at `to`, unless suppressed. One of
 * SCAN_*.
 */
int __rz_scan_integer(struct __rz_source *source, const struct __rz_scan_spec *spec, void *to);
int __rz_scan_float(struct __rz_source *source, const struct __rz_scan_spec *spec, void *to);
int __rz_scan_text(struct __rz_source *source, const struct __rz_scan_spec *spec, void *to);

/* The text of a number, gathered before it is converted. */
struct __rz_number_text {
  char *text;
  size_t count;
  size_t capacity;
  char small[64];
};

void __rz_number_begin(struct __rz_number_text *number);
int __rz_number_add(struct __rz_number_text *number, int c); /* 0, or -1 without memory */
const char *__rz_number_text(struct __rz_number_text *number);
void __rz_number_end(struct __rz_number_text *number);

#endif
