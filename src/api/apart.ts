/**
 * Runs calls in a separate thread, so that they can be stopped at any time: while they read the IR
 * of a large source, instrument it, or wait for the solver.
 *
 *     main thread    | apart('explore', options, control) ···· time limit, Ctrl-C ─▶ flag, then terminate
 *     worker         | explore(options, control)               sees the flag, reports what it knows
 *
 * Only the command line uses it (`ownsProcess`), because its process makes one call. A program that
 * imports Redzone shares one tool chain between all of its calls. A cached program runs without the
 * thread, which would delay its start (docs/decisions/0105).
 */
import { type Diagnostic, InputError } from '../findings/diagnostic.js';
import { ownsProcess } from '../platform/node.js';
import { startTask } from '../platform/task.js';
import { type RunControl, type RunEvent, TimeLimit } from './run-control.js';

/** The calls that `apart-worker.ts` has. */
export type ApartName = 'build' | 'explore' | 'ir';

export interface ApartRequest<Options> {
  readonly name: ApartName;
  readonly options: Options;
  /** One word of `StopWord`. */
  readonly stop: SharedArrayBuffer;
}

/** Messages of a worker before it returns. */
export type ApartEvent<Known> =
  | { readonly kind: 'event'; readonly event: RunEvent }
  | { readonly kind: 'known'; readonly known: Known | undefined }
  /** The worker has seen the request to stop. */
  | { readonly kind: 'stopping' };

export type ApartResult<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'bad input'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'stopped' };

export const StopWord = { GoOn: 0, TimeIsUp: 1, Interrupted: 2 } as const;

/**
 * How long a worker with partial results may take to notice a request to stop. It polls at least
 * every 40 ms; the rest is a margin for busy machines, on which no results may be lost.
 */
const noticeMs = 5000;
/** How long the worker may take to write its partial results. */
const closingMs = 30_000;

export interface ApartControl<Known> extends RunControl {
  /**
   * Called once there are partial results: from then on the call is given time to stop by itself. A
   * value, if given, is the result in case the call is terminated nevertheless.
   */
  readonly onKnown?: (known: Known | undefined) => void;
}

/** Whether a call is made in a separate thread. */
export function isApart(): boolean {
  return ownsProcess();
}

/**
 * The result of the call; undefined when it was stopped. A call that is stopped before it has
 * called `onKnown` is terminated at once, because it has no partial results.
 */
export async function apart<Options, Value, Known = never>(
  name: ApartName,
  options: Options,
  { signal, onEvent, onKnown }: ApartControl<Known>,
): Promise<Value | undefined> {
  const stop = new SharedArrayBuffer(4);
  let isSomethingKnown = false;
  let timer: NodeJS.Timeout | undefined;
  const endAfter = (milliseconds: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => task.stop(), milliseconds);
  };
  const task = startTask<ApartRequest<Options>, ApartEvent<Known>, ApartResult<Value>>(
    'api/apart-worker',
    { name, options, stop },
    {
      onEvent: event => {
        if (event.kind === 'event') onEvent?.(event.event);
        else if (event.kind === 'stopping') endAfter(closingMs);
        else {
          isSomethingKnown = true;
          onKnown?.(event.known);
        }
      },
    },
  );
  const onAbort = (): void => {
    const word = signal?.reason instanceof TimeLimit ? StopWord.TimeIsUp : StopWord.Interrupted;
    Atomics.store(new Int32Array(stop), 0, word);
    if (isSomethingKnown) endAfter(noticeMs);
    else task.stop();
  };
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const result = await task.result;
    if (result?.kind === 'bad input') throw new InputError(...result.diagnostics);
    return result?.kind === 'value' ? result.value : undefined;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    task.stop();
  }
}
