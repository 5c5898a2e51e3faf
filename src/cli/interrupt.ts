/** Ctrl-C: the first one asks the work to stop and tell what it knows, the second ends the process. */
import type { Io } from './io.js';

/** The status that shells give to a process ended by SIGINT. */
const killedByInterrupt = 130;

export async function interruptible<T>(io: Io, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = io.onInterrupt(() => {
    if (controller.signal.aborted) {
      io.kill(killedByInterrupt);
    } else {
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
