/*
 * Where a program begins: the engine calls __rz_start, once.
 *
 * Arguments and environment come from the host as one string of zero-terminated pieces each; each piece becomes a block
 * of its own, so that a step beyond the end of an argument is a step out of its block.
 *
 *     "prog\0-v\0a.txt\0"          argv ──▶ [ & "prog" | & "-v" | & "a.txt" | NULL ]
 *
 * main has three forms, and clang gives each another name on wasm. The functions below chain them: each is
 * a file of its own, linked only if the program does not define that name itself.
 *
 *     int main(void)                     __main_void        called from here
 *     int main(int, char **)             __main_argc_argv   called by main-arguments.c
 *     int main(int, char **, char **)    main               called by main-environment.c
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "host.h"
#include "program.h"

int __rz_argc;
char **__rz_argv;

int __main_void(void);
void __wasm_call_ctors(void);

/* The strings of the host as a list that ends with NULL, each a block of its own. They live as long as the program. */
static char **strings_of_host(int which, int *count) {
  size_t size = (size_t)__host_strings(which, NULL, 0);
  char *all = malloc(size + 1);
  *count = 0;
  if (!all) return NULL;
  __host_strings(which, all, size);
  __rz_range_write(all, size);
  for (size_t i = 0; i < size; i++) *count += all[i] == 0;
  char **list = malloc(((size_t)*count + 1) * sizeof *list), *text = all;
  if (!list) return NULL;
  for (int i = 0; i < *count; i++) {
    list[i] = strdup(text);
    text += strlen(text) + 1;
  }
  list[*count] = NULL;
  free(all);
  return list;
}

static void set_program_name(char *path) {
  char *slash = strrchr(path, '/');
  program_invocation_name = path;
  program_invocation_short_name = slash ? slash + 1 : path;
}

__attribute__((export_name("__rz_start"))) _Noreturn void __rz_start(void) {
  int environment_count;
  __rz_argv = strings_of_host(__HOST_ARGUMENTS, &__rz_argc);
  char **environment = strings_of_host(__HOST_ENVIRONMENT, &environment_count);
  if (environment_count > 0) environ = environment;
  if (__rz_argc > 0) set_program_name(__rz_argv[0]);
  __wasm_call_ctors();
  exit(__main_void());
}
