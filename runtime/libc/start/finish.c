#include "finish.h"

#include "engine.h"

void (*__rz_flush_streams)(void);
void (*__rz_flush_mappings)(void);

_Noreturn void __rz_finish(int status) {
  if (__rz_flush_streams) __rz_flush_streams();
  if (__rz_flush_mappings) __rz_flush_mappings();
  __rz_exit(status);
}
