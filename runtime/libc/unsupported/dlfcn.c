/* dlfcn.h: see unsupported.h. */
#include <dlfcn.h>

#include "unsupported.h"

void *dlopen(const char *file, int mode) {
  (void)file, (void)mode;
  UNSUPPORTED("dlopen", "libraries are linked before the program runs");
}

void *dlsym(void *restrict handle, const char *restrict name) {
  (void)handle, (void)name;
  UNSUPPORTED("dlsym", "libraries are linked before the program runs");
}

int dlclose(void *handle) {
  (void)handle;
  UNSUPPORTED("dlclose", "libraries are linked before the program runs");
}

char *dlerror(void) {
  UNSUPPORTED("dlerror", "libraries are linked before the program runs");
}

int dladdr(const void *address, Dl_info *info) {
  (void)address, (void)info;
  UNSUPPORTED("dladdr", "libraries are linked before the program runs");
}
