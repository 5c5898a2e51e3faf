/* What the program was started with, as start/start.c found it. */
#ifndef RZ_PROGRAM_H
#define RZ_PROGRAM_H

extern int __rz_argc;
extern char **__rz_argv;
extern char **environ;

#endif
