/*
 * The end of a run that a finding cuts short: what the program has printed so far is still in the
 * buffers of stdio.
 */

/* The C library's; set once there is a stream to flush. */
extern void (*__rz_flush_streams)(void);

void __rz_flush(void) {
  if (__rz_flush_streams) __rz_flush_streams();
}
