/**
 * The time limit of a command, and Ctrl-C or `timeout`. The first signal aborts the work, which
 * then reports its partial results; the second one ends the process. `timeout` and some shells send
 * a signal twice, to the process and to its group; the two count as one.
 */
import { TimeLimit } from '../index.js';
import type { Io } from './io.js';

/** The longest delay that Node's timers accept. */
const longestTimer = 2 ** 31 - 1;

/** The status that shells give to a process that SIGINT ended. */
const killedByInterrupt = 130;

const sameInterruptMs = 200;

/** `maxTimeMs` limits the whole command, measured from the start of its process. */
export async function interruptible<T>(
  io: Io,
  maxTimeMs: number | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer =
    maxTimeMs === undefined
      ? undefined
      : setTimeout(
          () => controller.abort(new TimeLimit(maxTimeMs)),
          Math.min(io.startedAt + maxTimeMs - performance.now(), longestTimer),
        );
  let first = 0;
  const stop = io.onInterrupt(() => {
    if (first > 0) {
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
    clearTimeout(timer);
    stop();
  }
}
