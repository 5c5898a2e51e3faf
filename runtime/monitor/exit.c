/*
 * Ends a run that a finding cuts short: flushes the output that is still in the buffers of stdio.
 */

/* A hook of the C library; set once there is a stream to flush. */
extern void (*__rz_flush_streams)(void);

void __rz_flush(void) {
  if (__rz_flush_streams) __rz_flush_streams();
}
