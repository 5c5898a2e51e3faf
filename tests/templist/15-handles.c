// engines: check
// Two handles to one resource: one is closed, its memory serves the next, the other handle is used and closed.
#include "../golden/cases.h"

struct resource {
  int uses;
  char name[12];
};

static struct resource *open_resource(const char *name) {
  struct resource *made = malloc(sizeof *made);
  made->uses = 1;
  strcpy(made->name, name);
  return made;
}

int main(void) {
  struct resource *handle = open_resource("first"), *shared = handle;
  free(handle);
  struct resource *next = open_resource("second");
  BUGGY(, shared = next);
  shared->uses++; //~ ERROR use-after-free
  BUGGY(free(shared), ); //~ ERROR double-free
  int uses = next->uses;
  free(next);
  return uses == 0;
}
