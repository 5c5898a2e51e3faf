/* Makes libFuzzer execute the files of the folder $FIXED_CORPUS repeatedly, and no mutations. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct entry {
  uint8_t *bytes;
  size_t size;
} *entries;
static size_t count, next;

static void load(void) {
  const char *folder = getenv("FIXED_CORPUS");
  DIR *dir = opendir(folder);
  if (!dir) abort();
  for (struct dirent *file; (file = readdir(dir));) {
    if (file->d_name[0] == '.') continue;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
    FILE *f = fopen(path, "rb");
    if (!f) abort();
    fseek(f, 0, SEEK_END);
    size_t size = (size_t)ftell(f);
    rewind(f);
    entries = realloc(entries, (count + 1) * sizeof *entries);
    entries[count] = (struct entry){malloc(size + 1), size};
    if (fread(entries[count++].bytes, 1, size, f) != size) abort();
    fclose(f);
  }
  closedir(dir);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  (void)size, (void)seed;
  if (!entries) load();
  struct entry *entry = &entries[next++ % count];
  if (entry->size > most) abort();
  memcpy(data, entry->bytes, entry->size);
  return entry->size;
}
