/*
 * `exits`: conditions that must hold if the program is ended while a call or a statement is active.
 * They are kept in a list, innermost last; the C library calls `check_all` when exit() begins.
 */
#include "../acsl/acsl.h"

#include "calls.h"

extern void (*__rz_watch_exit)(int status);

#define MOST_WATCHES 4096u
static struct {
  void (*check)(int status);
  /*
   * The stack position of the condition: entries below a new one, or below the target of longjmp,
   * have ended.
   */
  u32 at;
} watches[MOST_WATCHES];
static u32 watch_count;

static void check_all(int status) {
  while (watch_count) watches[--watch_count].check(status);
}

void __rz_exits_abandon(const void *stack) {
  while (watch_count && watches[watch_count - 1].at < address_of(stack)) watch_count--;
}

void __rz_exit_watch(char *watch, void (*check)(int status)) {
  __rz_watch_exit = check_all;
  __rz_exits_abandon(watch);
  if (watch_count < MOST_WATCHES) watches[watch_count].check = check, watches[watch_count++].at = address_of(watch);
}

void __rz_exit_unwatch(char *watch) {
  while (watch_count && watches[watch_count - 1].at <= address_of(watch)) watch_count--;
}
