/* Calls of Linux that copy from one descriptor to another. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/sendfile.h>
#include <unistd.h>

/* Stops early where one of the two does: a pipe or a socket has fewer bytes or less room. */
static ssize_t copy(int in, off_t *in_offset, int out, off_t *out_offset, size_t n) {
  char block[4096];
  size_t total = 0;
  while (total < n) {
    size_t wanted = n - total < sizeof block ? n - total : sizeof block;
    ssize_t got = in_offset ? pread(in, block, wanted, *in_offset) : read(in, block, wanted);
    if (got <= 0) return total > 0 ? (ssize_t)total : got;
    ssize_t put = out_offset ? pwrite(out, block, (size_t)got, *out_offset) : write(out, block, (size_t)got);
    if (put < 0) return total > 0 ? (ssize_t)total : -1;
    if (in_offset) *in_offset += put;
    if (out_offset) *out_offset += put;
    total += (size_t)put;
    if (put < got || (size_t)got < wanted) break;
  }
  return (ssize_t)total;
}

ssize_t copy_file_range(int in, off_t *in_offset, int out, off_t *out_offset, size_t n, unsigned flags) {
  (void)flags;
  return copy(in, in_offset, out, out_offset, n);
}

ssize_t splice(int in, off_t *in_offset, int out, off_t *out_offset, size_t n, unsigned flags) {
  (void)flags;
  return copy(in, in_offset, out, out_offset, n);
}

ssize_t sendfile(int out, int in, off_t *offset, size_t n) { return copy(in, offset, out, NULL, n); }
