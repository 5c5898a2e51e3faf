/**
 * Calls in a thread of their own, so that they end when they are stopped, whatever they are doing:
 * reading the IR of a large source, instrumenting it, waiting for the solver.
 *
 *     main thread    | apart('explore', options, control) ···· time limit, Ctrl-C ─▶ flag, then terminate
 *     worker         | explore(options, control)               sees the flag, reports what it knows
 *
 * Only a process that makes one call does so, which is the command line's (`ownsProcess`): a
 * program that imports Redzone keeps one tool chain for all of its calls. A program in the cache is
 * run without this, so its start is not slower (docs/decisions/0105).
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

/** What a worker tells before it returns. */
export type ApartEvent<Known> =
  | { readonly kind: 'event'; readonly event: RunEvent }
  | { readonly kind: 'known'; readonly known: Known | undefined }
  /** It has seen that it is to stop. */
  | { readonly kind: 'stopping' };

export type ApartResult<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'bad input'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'stopped' };

export const StopWord = { GoOn: 0, TimeIsUp: 1, Interrupted: 2 } as const;

/**
 * How long a worker that knows something may take to see that it is to stop. It looks every 40 ms
 * at least; more is for a busy machine, on which nothing must be lost.
 */
const noticeMs = 5000;
/** How long it may take to write what it knows. */
const closingMs = 30_000;

export interface ApartControl<Known> extends RunControl {
  /**
   * Called when there is something to lose: from now on the call is given time to stop by itself.
   * With a value: it is the result if the call is ended nevertheless.
   */
  readonly onKnown?: (known: Known | undefined) => void;
}

/** Is a call to be made apart? */
export function isApart(): boolean {
  return ownsProcess();
}

/**
 * What the call returns; undefined when it was stopped. It is ended at once when it is stopped
 * before it has called `onKnown`: nothing is lost then.
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
