/*
 * mmap over ordinary memory.
 *
 * A mapping is a block of the allocator, aligned to a page, so that an engine checks it like any
 * other: touching it after munmap is a use after free. A file is read in when it is mapped. A
 * shared mapping of a file is kept equal to it in both directions, as far as one process can tell:
 *
 *     write(), pwrite() ───▶ the file, and every shared mapping of it at once      (__rz_file_written)
 *     stores through a mapping ───▶ the file, at msync, munmap and exit
 *
 * Invariants
 *   - The list holds every mapping; ranges do not overlap.
 *   - A shared mapping of a file holds a reference to the open file, so closing the descriptor
 *     leaves it alone.
 *
 * Protection is not enforced, and unmapping a part of a mapping other than its end keeps the memory
 * until the rest goes.
 */
#include <sys/mman.h>

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "engine.h"
#include "exit.h"
#include "fd.h"
#include "host.h"
#include "result.h"
#include "unsupported.h"

#define PAGE 4096UL

struct mapping {
  struct mapping *next;
  char *start;
  size_t size; /* a multiple of PAGE */
  struct __rz_open_file *file; /* of a shared mapping of a file, else NULL */
  off_t offset;
  uint64_t device, inode;
  int is_writable;
};

static struct mapping *mappings;

static size_t round_up(size_t n) { return (n + PAGE - 1) & ~(PAGE - 1); }

static int contains(const struct mapping *mapping, const char *at) {
  uintptr_t start = (uintptr_t)mapping->start;
  return (uintptr_t)at >= start && (uintptr_t)at < start + mapping->size;
}

static struct mapping *find(const char *at) {
  for (struct mapping *mapping = mappings; mapping; mapping = mapping->next) {
    if (contains(mapping, at)) return mapping;
  }
  return NULL;
}

/*
 * Fills memory with the file's bytes from the offset on; what lies after its end stays as it is.
 */
static int read_in(struct __rz_open_file *file, off_t offset, char *to, size_t n) {
  while (n > 0) {
    ssize_t count = __host_read(file->handle, to, n, offset);
    if (count < 0) return __rz_error((int)-count);
    if (count == 0) break;
    __rz_range_write(to, (size_t)count);
    to += count;
    offset += count;
    n -= (size_t)count;
  }
  return 0;
}

/* Writes the bytes that lie inside the file back to it. */
static int write_back(const struct mapping *mapping) {
  struct __host_stat stat = {0};
  if (!mapping->file || !mapping->is_writable) return 0;
  int result = __host_fstat(mapping->file->handle, &stat);
  if (result < 0) return __rz_error(-result);
  off_t left = stat.size - mapping->offset;
  if (left > (off_t)mapping->size) left = (off_t)mapping->size;
  const char *from = mapping->start;
  for (off_t at = mapping->offset; left > 0;) {
    ssize_t count = __host_write(mapping->file->handle, from, (size_t)left, at);
    if (count <= 0) return __rz_error(count < 0 ? (int)-count : EIO);
    from += count;
    at += count;
    left -= count;
  }
  return 0;
}

static void write_all_back(void) {
  for (struct mapping *mapping = mappings; mapping; mapping = mapping->next) write_back(mapping);
}

/* Shows bytes that were written to a file in the shared mappings of the same file. */
static void show_written(struct __rz_open_file *file, off_t offset, const void *from, size_t n) {
  struct __host_stat stat = {0};
  if (!mappings || __host_fstat(file->handle, &stat) < 0) return;
  for (struct mapping *mapping = mappings; mapping; mapping = mapping->next) {
    if (!mapping->file || mapping->device != stat.device || mapping->inode != stat.inode) continue;
    off_t start = offset > mapping->offset ? offset : mapping->offset;
    off_t end = offset + (off_t)n;
    off_t mapped_end = mapping->offset + (off_t)mapping->size;
    if (end > mapped_end) end = mapped_end;
    if (start >= end) continue;
    char *to = mapping->start + (start - mapping->offset);
    const char *source = (const char *)from + (start - offset);
    memmove(to, source, (size_t)(end - start));
  }
}

/* Makes a mapping follow its file. */
static int share(struct mapping *mapping, struct __rz_open_file *file, off_t offset, int protection) {
  struct __host_stat stat = {0};
  int result = __host_fstat(file->handle, &stat);
  if (result < 0) return __rz_error(-result);
  mapping->file = file;
  mapping->offset = offset;
  mapping->device = stat.device;
  mapping->inode = stat.inode;
  mapping->is_writable = (protection & PROT_WRITE) && (file->flags & O_ACCMODE) != O_RDONLY;
  file->references++;
  __rz_file_written = show_written;
  __rz_flush_mappings = write_all_back;
  return 0;
}

/*
 * Whether the file can be mapped. Devices without memory are known; others may have registers or a
 * picture, of which the program would see a copy.
 */
static int has_memory(const struct __rz_open_file *file) {
  struct __host_stat stat = {0};
  if (file->functions || __host_fstat(file->handle, &stat) < 0 || __host_isatty(file->handle) == 1) return 0;
  if (S_ISREG(stat.mode) || stat.special == makedev(1, 5)) return 1; /* /dev/zero */
  int is_device = S_ISCHR(stat.mode) || S_ISBLK(stat.mode);
  if (is_device && (major(stat.special) != 1 || minor(stat.special) < 3))
    UNSUPPORTED("mmap", "under Redzone no device but /dev/zero can be mapped");
  return 0;
}

/* The file to map, checked; NULL with errno. */
static struct __rz_open_file *file_to_map(int fd, int protection, int flags, off_t offset) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file) return NULL;
  int access = file->flags & O_ACCMODE;
  int wants_write = (protection & PROT_WRITE) && (flags & MAP_TYPE) != MAP_PRIVATE;
  if (offset < 0 || (offset & (PAGE - 1))) errno = EINVAL;
  else if (!has_memory(file)) errno = ENODEV;
  else if (access == O_WRONLY || (wants_write && access != O_RDWR)) errno = EACCES;
  else return file;
  return NULL;
}

static void *fail(int number) {
  errno = number;
  return MAP_FAILED;
}

/* MAP_FIXED inside a mapping: its memory starts anew, as zeros or as bytes of the file. */
static void *map_inside(struct mapping *mapping, char *start, size_t size, struct __rz_open_file *file, off_t offset) {
  if ((uintptr_t)start + size > (uintptr_t)mapping->start + mapping->size) return fail(ENOMEM);
  memset(start, 0, size);
  return file && read_in(file, offset, start, size) < 0 ? MAP_FAILED : start;
}

static void release(struct mapping *mapping) {
  if (mapping->file) __rz_drop_open_file(mapping->file);
  free(mapping->start);
  free(mapping);
}

void *mmap(void *hint, size_t size, int protection, int flags, int fd, off_t offset) {
  struct __rz_open_file *file = NULL;
  int type = flags & MAP_TYPE;
  if (size == 0 || (type != MAP_SHARED && type != MAP_PRIVATE && type != MAP_SHARED_VALIDATE)) return fail(EINVAL);
  if (!(flags & MAP_ANONYMOUS)) {
    file = file_to_map(fd, protection, flags, offset);
    if (!file) return MAP_FAILED;
  }
  if (flags & MAP_FIXED) {
    struct mapping *inside = hint ? find(hint) : NULL;
    return inside ? map_inside(inside, hint, size, file, offset) : fail(ENOMEM);
  }
  struct mapping *mapping = calloc(1, sizeof *mapping);
  if (!mapping) return fail(ENOMEM);
  mapping->size = round_up(size);
  mapping->start = mapping->size >= size ? aligned_alloc(PAGE, mapping->size) : NULL;
  if (!mapping->start) {
    release(mapping);
    return fail(ENOMEM);
  }
  memset(mapping->start, 0, mapping->size);
  int is_shared_file = file && type != MAP_PRIVATE;
  if ((file && read_in(file, offset, mapping->start, mapping->size) < 0) ||
      (is_shared_file && share(mapping, file, offset, protection) < 0)) {
    release(mapping);
    return MAP_FAILED;
  }
  mapping->next = mappings;
  mappings = mapping;
  return mapping->start;
}

int munmap(void *start, size_t size) {
  if (size == 0 || ((uintptr_t)start & (PAGE - 1))) return __rz_error(EINVAL);
  size = round_up(size);
  for (struct mapping **link = &mappings; *link; link = &(*link)->next) {
    struct mapping *mapping = *link;
    if (!contains(mapping, start)) continue;
    int result = write_back(mapping);
    size_t before = (size_t)((char *)start - mapping->start);
    if (before == 0 && size >= mapping->size) {
      *link = mapping->next;
      release(mapping);
    } else if (before + size >= mapping->size) {
      mapping->size = before;
    }
    return result;
  }
  return 0;
}

int msync(void *start, size_t size, int flags) {
  (void)size, (void)flags;
  struct mapping *mapping = find(start);
  return mapping ? write_back(mapping) : __rz_error(ENOMEM);
}

int mprotect(void *start, size_t size, int protection) {
  (void)size;
  struct mapping *mapping = find(start);
  if (mapping && mapping->file && (protection & PROT_WRITE)) {
    if ((mapping->file->flags & O_ACCMODE) == O_RDONLY) return __rz_error(EACCES);
    mapping->is_writable = 1;
  }
  return 0;
}

void *mremap(void *start, size_t old_size, size_t new_size, int flags, ...) {
  struct mapping *mapping = find(start);
  if (!mapping || start != mapping->start || new_size == 0 || (flags & MREMAP_FIXED)) return fail(EINVAL);
  size_t size = round_up(new_size);
  if (size <= mapping->size) return start;
  if (!(flags & MREMAP_MAYMOVE)) return fail(ENOMEM);
  char *larger = aligned_alloc(PAGE, size);
  if (!larger) return fail(ENOMEM);
  (void)old_size;
  memcpy(larger, mapping->start, mapping->size);
  memset(larger + mapping->size, 0, size - mapping->size);
  if (mapping->file) {
    off_t behind = mapping->offset + (off_t)mapping->size;
    if (read_in(mapping->file, behind, larger + mapping->size, size - mapping->size) < 0) {
      free(larger);
      return MAP_FAILED;
    }
  }
  free(mapping->start);
  mapping->start = larger;
  mapping->size = size;
  return larger;
}
