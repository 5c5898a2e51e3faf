/**
 * Ctrl-C, or `timeout`: the first one asks the work to stop and tell what it knows, the second ends the process. `timeout` and some shells
 * send a signal twice, to the process and to its group: that counts as one.
 */
import type { Io } from './io.js';

/** The status that shells give to a process ended by SIGINT. */
const killedByInterrupt = 130;

const sameInterruptMs = 200;

export async function interruptible<T>(io: Io, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let first = 0;
  const stop = io.onInterrupt(() => {
    if (controller.signal.aborted) {
      if (performance.now() - first > sameInterruptMs) io.kill(killedByInterrupt);
    } else {
      first = performance.now();
      io.stderr.write('\ninterrupted: stopping; press Ctrl-C again to end at once\n');
      controller.abort();
    }
  });
  try {
    return await work(controller.signal);
  } finally {
    stop();
  }
}
