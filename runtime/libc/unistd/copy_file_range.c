#include <unistd.h>

ssize_t copy_file_range(int in, off_t *in_offset, int out, off_t *out_offset, size_t n, unsigned flags) {
  char block[4096];
  size_t total = 0;
  (void)flags;
  while (total < n) {
    size_t wanted = n - total < sizeof block ? n - total : sizeof block;
    ssize_t got = in_offset ? pread(in, block, wanted, *in_offset) : read(in, block, wanted);
    if (got <= 0) return total > 0 ? (ssize_t)total : got;
    ssize_t put = out_offset ? pwrite(out, block, (size_t)got, *out_offset) : write(out, block, (size_t)got);
    if (put < 0) return total > 0 ? (ssize_t)total : -1;
    if (in_offset) *in_offset += put;
    if (out_offset) *out_offset += put;
    total += (size_t)put;
  }
  return (ssize_t)total;
}
