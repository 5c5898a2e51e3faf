/* Inputs of a program under test, for the interfaces of KLEE, SV-COMP and Redzone. */
#ifndef RZ_INPUT_H
#define RZ_INPUT_H

#include <stddef.h>

/*
 * Fills the object with the next bytes of the input called `name`; zero bytes where the test has
 * none.
 */
void __rz_input(void *object, size_t bytes, const char *name);

/* An assumption does not hold: the run ends without a verdict. */
_Noreturn void __rz_unwanted_run(void);

#endif
