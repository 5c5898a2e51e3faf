/* The labels of <redzone.h>, and the same under the names of DataFlowSanitizer. */
#include "engine.h"

#include <redzone.h>

static void add(const void *object, size_t bytes, unsigned names) {
  __rz_range_read(object, bytes);
  __rz_label_add(object, bytes, names, __rz_label_given(names));
}

void redzone_label(const void *object, size_t bytes, const char *name) { add(object, bytes, __rz_label_named(name)); }

void redzone_secret(const void *object, size_t bytes) { add(object, bytes, __rz_label_named("secret")); }

void redzone_unlabel(const void *object, size_t bytes) { __rz_label_sanitize(object, bytes); }

int redzone_has_label(const void *object, size_t bytes, const char *name) {
  return (__rz_label_names(object, bytes) & __rz_label_named(name)) != 0;
}

const char *redzone_labels_of(const void *object, size_t bytes) {
  static char text[1024];
  size_t length = __rz_label_text(__rz_label_names(object, bytes), text, sizeof text);
  __rz_range_write(text, length + 1);
  return text;
}

void redzone_expect_no_label(const void *object, size_t bytes, const char *name) {
  __rz_label_expect_none(object, bytes, __rz_label_named(name));
}

dfsan_label dfsan_create_label(const char *name, void *data) {
  (void)data;
  return __rz_label_named(name);
}

void dfsan_set_label(dfsan_label label, void *object, size_t bytes) {
  __rz_label_sanitize(object, bytes);
  add(object, bytes, label);
}

void dfsan_add_label(dfsan_label label, void *object, size_t bytes) { add(object, bytes, label); }

dfsan_label dfsan_read_label(const void *object, size_t bytes) { return __rz_label_names(object, bytes); }

/* The argument has the label of what the caller passes. */
dfsan_label dfsan_get_label(long value) { return __rz_label_names(&value, sizeof value); }

dfsan_label dfsan_union(dfsan_label a, dfsan_label b) { return a | b; }

int dfsan_has_label(dfsan_label label, dfsan_label part) { return (label & part) == part; }
