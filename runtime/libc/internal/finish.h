/*
 * The end of a program. Parts of the library that hold something back (bytes in a stream's buffer, a mapped
 * file) put a function here when they first do; a program that uses none of them links none of them.
 */
#ifndef RZ_FINISH_H
#define RZ_FINISH_H

extern void (*__rz_flush_streams)(void);
extern void (*__rz_flush_mappings)(void);

/* What exit() does after the handlers of atexit: writes what was held back and ends the program. */
_Noreturn void __rz_finish(int status);

#endif
