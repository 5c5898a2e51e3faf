/* The arguments and environment of the program, as start/start.c found them. */
#ifndef RZ_PROGRAM_H
#define RZ_PROGRAM_H

extern int __rz_argc;
extern char **__rz_argv;
extern char **environ;

#endif
