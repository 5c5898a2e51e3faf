/*
 * exit, atexit, on_exit, and __cxa_atexit, which the compiler calls for destructors.
 *
 * Handlers are stored in blocks of 32, the newest block first; the first block is static. They run
 * in reverse order, and a handler that is registered meanwhile runs next.
 */
#include <stdlib.h>

#include "exit.h"

#define BLOCK_SIZE 32

typedef struct {
  enum { PLAIN, WITH_STATUS, WITH_ARGUMENT } kind;
  union {
    void (*plain)(void);
    void (*with_status)(int status, void *argument);
    void (*with_argument)(void *argument);
  } call;
  void *argument;
} Handler;

typedef struct Block {
  struct Block *older;
  int count;
  Handler handlers[BLOCK_SIZE];
} Block;

static Block first_block;
static Block *newest = &first_block;

void (*__rz_watch_exit)(int status);
void (*__rz_exit_as_thread)(int status);
void (*__rz_flush_streams)(void);
void (*__rz_flush_mappings)(void);

static int add(Handler handler) {
  if (newest->count == BLOCK_SIZE) {
    Block *block = malloc(sizeof *block);
    if (!block) return -1;
    block->older = newest;
    block->count = 0;
    newest = block;
  }
  newest->handlers[newest->count++] = handler;
  return 0;
}

int atexit(void (*function)(void)) { return add((Handler){PLAIN, {.plain = function}, NULL}); }

int on_exit(void (*function)(int status, void *argument), void *argument) {
  return add((Handler){WITH_STATUS, {.with_status = function}, argument});
}

int __cxa_atexit(void (*function)(void *argument), void *argument, void *module) {
  (void)module;
  return add((Handler){WITH_ARGUMENT, {.with_argument = function}, argument});
}

static void run(const Handler *handler, int status) {
  switch (handler->kind) {
    case PLAIN: handler->call.plain(); break;
    case WITH_STATUS: handler->call.with_status(status, handler->argument); break;
    case WITH_ARGUMENT: handler->call.with_argument(handler->argument); break;
  }
}

_Noreturn void exit(int status) {
  if (__rz_exit_as_thread) __rz_exit_as_thread(status);
  if (__rz_watch_exit) __rz_watch_exit(status);
  for (;;) {
    if (newest->count != 0) {
      Handler handler = newest->handlers[--newest->count];
      run(&handler, status);
    } else if (newest != &first_block) {
      Block *empty = newest;
      newest = empty->older;
      free(empty);
    } else {
      break;
    }
  }
  if (__rz_flush_streams) __rz_flush_streams();
  if (__rz_flush_mappings) __rz_flush_mappings();
  _Exit(status);
}
