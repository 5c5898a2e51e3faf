/* Other programs, which run to their end before the call that starts them returns. */
#ifndef RZ_CHILDREN_H
#define RZ_CHILDREN_H

#include <sys/types.h>

/*
 * Runs `path` with the descriptors as its standard streams. Returns the status as for wait, or -1
 * with errno. If no programs may be started, the run ends as unsupported and names the `call`.
 */
int __rz_run_program(const char *call, const char *path, char *const arguments[], char *const environment[],
                     const int descriptors[3]);
#define RUN_SHELL(call, command, descriptors) \
  __rz_run_program(call, "/bin/sh", (char *[]){"sh", "-c", (char *)(command), 0}, environ, descriptors)

/* Records a child that has ended, for wait. Returns its number, or -1 with errno. */
pid_t __rz_add_child(int status);

#endif
