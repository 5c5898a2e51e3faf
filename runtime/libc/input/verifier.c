/* The names of SV-COMP for assumptions and errors. */
#include "engine.h"
#include "input.h"

#include <redzone.h>

void __VERIFIER_assume(int condition) {
  if (!condition) __rz_unwanted_run();
}

void __VERIFIER_assert(int condition) {
  if (!condition) __rz_abort("assertion-failure", "__VERIFIER_assert: the condition does not hold");
}

void __VERIFIER_error(void) { __rz_abort("assertion-failure", "__VERIFIER_error was called"); }

void __VERIFIER_atomic_begin(void) {}
void __VERIFIER_atomic_end(void) {}
