/*
 * Checks the arguments of functions that fail, or do nothing, without using them: an invalid
 * pointer is an error nevertheless, which shows on a machine that has the service.
 */
#ifndef RZ_GIVEN_H
#define RZ_GIVEN_H

#include <string.h>

#include "engine.h"

static inline void __rz_given_text(const char *text) {
  volatile size_t length = strlen(text); /* volatile, so that the call is not removed */
  (void)length;
}

static inline void __rz_given_optional_text(const char *text) {
  if (text) __rz_given_text(text);
}

static inline void __rz_given_object(const void *object, size_t bytes) { __rz_range_output(object, bytes); }

#endif
