/* Duktape: the input is compiled as JavaScript, and not run. */
#include <stddef.h>
#include <stdint.h>

#include "duktape.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  duk_context *context = duk_create_heap_default();
  if (!context) return 0;
  duk_push_string(context, "input.js");
  if (duk_pcompile_lstring_filename(context, 0, (const char *)data, size) == 0) duk_is_callable(context, -1);
  duk_destroy_heap(context);
  return 0;
}
