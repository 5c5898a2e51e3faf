/*
 * Text in columns for the messages of <argp.h>: lines are broken at a blank before column 79, and
 * continued at `margin`.
 */
#ifndef RZ_ARGP_TEXT_H
#define RZ_ARGP_TEXT_H

#include <stdio.h>

#define RIGHT_MARGIN 79

struct __rz_argp_text {
  FILE *stream;
  size_t margin; /* of lines that begin with text */
  size_t continued; /* of the rest of a broken line */
  size_t length;
  char *line; /* what of the current line is not written yet: all of it */
  size_t capacity;
};

void __rz_argp_put(struct __rz_argp_text *text, const char *part);
void __rz_argp_indent(struct __rz_argp_text *text, size_t column);
void __rz_argp_space(struct __rz_argp_text *text, size_t wanted);
void __rz_argp_flush(struct __rz_argp_text *text);

#endif
