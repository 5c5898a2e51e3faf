/*
 * Where a program begins: the engine calls __rz_start, once.
 *
 * Arguments and environment come from the host as one string of zero-terminated pieces each.
 *
 *     "prog\0-v\0a.txt\0"          argv ──▶ [ & "prog" | & "-v" | & "a.txt" | NULL ]
 *
 * For an engine each piece becomes a block of its own, so that a step beyond the end of an argument
 * is a step out of its block; it is the library's, and the program must not free it. Without one
 * they lie above the frames of main, as on other machines: the heap is empty when the program
 * begins, whatever its environment.
 *
 * main has three forms, and clang gives each another name on wasm. The functions below chain them:
 * each is a file of its own, linked only if the program does not define that name itself.
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

#ifdef RZ_NO_ENGINE

#define ROOM(size) __builtin_alloca(size)

static char *apart(char *text) { return text; }
static void release(char *room) { (void)room; }

#else

#define ROOM(size) __rz_library_block(size)

static char *apart(char *text) {
  size_t size = strlen(text) + 1;
  char *block = __rz_library_block(size);
  return block ? memcpy(block, text, size) : NULL;
}
static void release(char *room) { __rz_library_free(room); }

#endif

static size_t size_of(int which) { return (size_t)__host_strings(which, NULL, 0); }

/* Gets the strings of the host, which take `size` bytes, and says how many they are. */
static int fetch(int which, char *all, size_t size) {
  if (!all) return 0;
  __host_strings(which, all, size);
  __rz_range_write(all, size);
  int count = 0;
  for (size_t i = 0; i < size; i++) count += all[i] == 0;
  return count;
}

/* Fills the list, which ends with NULL. The strings live as long as the program. */
static char **fill(char **list, int count, char *all) {
  if (!list) return NULL;
  char *text = all;
  for (int i = 0; i < count; i++) {
    list[i] = apart(text);
    text += strlen(text) + 1;
  }
  list[count] = NULL;
  return list;
}

static void set_program_name(char *path) {
  char *slash = strrchr(path, '/');
  program_invocation_name = path;
  program_invocation_short_name = slash ? slash + 1 : path;
}

__attribute__((export_name("__rz_start"))) _Noreturn void __rz_start(void) {
  size_t size = size_of(__HOST_ARGUMENTS);
  char *all = ROOM(size + 1);
  __rz_argc = fetch(__HOST_ARGUMENTS, all, size);
  __rz_argv = fill(ROOM((__rz_argc + 1) * sizeof *__rz_argv), __rz_argc, all);
  release(all);
  size = size_of(__HOST_ENVIRONMENT);
  all = ROOM(size + 1);
  int count = fetch(__HOST_ENVIRONMENT, all, size);
  if (count > 0) environ = fill(ROOM((count + 1) * sizeof *environ), count, all);
  release(all);
  if (__rz_argv && __rz_argc > 0) set_program_name(__rz_argv[0]);
  __wasm_call_ctors();
  exit(__main_void());
}
