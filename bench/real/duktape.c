#include <stdio.h>

#include "duktape.h"

static const char script[] =
  "function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
  "var words = [], counts = {};\n"
  "for (var i = 0; i < 6000; i++) { var w = 'w' + (i * 7919 % 500); words.push(w); counts[w] = (counts[w] || 0) + 1; }\n"
  "words.sort();\n"
  "var text = words.join(' ').replace(/w1(\\d+)/g, '<$1>');\n"
  "fib(20) + ' ' + text.length + ' ' + JSON.stringify(JSON.parse(JSON.stringify(counts))).length;\n";

int main(void) {
  duk_context *context = duk_create_heap_default();
  if (duk_peval_string(context, script) != 0) return 1;
  printf("%s\n", duk_safe_to_string(context, -1));
  duk_destroy_heap(context);
  return 0;
}
