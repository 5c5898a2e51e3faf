/**
 * Stops the work of every function of the library: by the caller's AbortSignal or by the time
 * limit, whichever comes first, in any phase. The limit covers compiling as well as running.
 *
 *     const { value, stopped } = await supervise(control, options.maxTimeMs, async signal => …);
 *
 * The work gets one signal for both. It may return partial results when the signal aborts, or
 * reject with the signal's reason. `supervise` returns a text that says why the work was stopped.
 */
import type { Task } from '../platform/task.js';
import { type RunControl, TimeLimit } from './run-control.js';

export interface Supervised<Value> {
  /** Undefined if the work rejected. */
  readonly value?: Value;
  /** Why the work was stopped; undefined if it ran to its end. */
  readonly stopped?: string;
}

export async function supervise<Value>(
  { signal }: RunControl,
  maxTimeMs: number | undefined,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Supervised<Value>> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer =
    maxTimeMs === undefined
      ? undefined
      : setTimeout(() => controller.abort(new TimeLimit(maxTimeMs)), Math.min(maxTimeMs, longestTimer));
  const told = (): { stopped?: string } =>
    controller.signal.aborted ? { stopped: whyStopped(controller.signal) } : {};
  try {
    const value = await work(controller.signal);
    return { value, ...told() };
  } catch (error) {
    if (!controller.signal.aborted || error !== controller.signal.reason) throw error;
    return told();
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** The reason that is reported when the user stops the work. */
export const INTERRUPTED = 'interrupted';

/** For work without partial results: rejects with the reason when it is stopped. */
export async function orRejected<Value>(
  control: RunControl,
  maxTimeMs: number | undefined,
  work: (signal: AbortSignal) => Promise<Value | undefined>,
): Promise<Value> {
  const { value } = await supervise(control, maxTimeMs, work);
  if (value !== undefined) return value;
  throw control.signal?.aborted ? control.signal.reason : new TimeLimit(maxTimeMs ?? 0);
}

/** The longest delay that Node's timers accept. */
const longestTimer = 2 ** 31 - 1;

/** Why work with this signal was stopped. */
export function whyStopped({ reason }: AbortSignal): string {
  return reason instanceof TimeLimit ? reason.message : INTERRUPTED;
}

/** The result of a task; undefined if the signal aborts, which terminates its worker. */
export async function resultOf<Result>(task: Task<Result>, signal: AbortSignal): Promise<Result | undefined> {
  const stop = (): void => task.stop();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await task.result;
  } finally {
    signal.removeEventListener('abort', stop);
    task.stop();
  }
}

export const neverAborted: AbortSignal = new AbortController().signal;
