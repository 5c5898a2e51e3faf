/* The hooks of the end of a program. */
#ifndef RZ_EXIT_H
#define RZ_EXIT_H

/* Set by code that must run when exit() begins, before the program's own handlers. */
extern void (*__rz_watch_exit)(int status);

/* Set by pthread_create: the running thread is about to end all others. */
extern void (*__rz_exit_as_thread)(int status);

/*
 * Set by stdio once there is a stream to flush; exit() calls it after the program's own handlers.
 * It is a pointer, so that a program that prints nothing does not link
 * stdio.
 */
extern void (*__rz_flush_streams)(void);

/* The same for mmap: set once a file is mapped shared, and called after the streams. */
extern void (*__rz_flush_mappings)(void);

/*
 * The end of abort() and of a failed assertion: runs the program's handler of SIGABRT and then
 * calls the engine.
 */
_Noreturn void __rz_abort_program(const char *kind, const char *message);

#endif
