/** The worker's half of `apart.ts`: the calls that can run in it, and how they are stopped. */
import { InputError } from '../findings/diagnostic.js';
import type { ExploreReport } from '../findings/report.js';
import { keepCompiledCode } from '../platform/compiled-code.js';
import { runTask } from '../platform/task.js';
import { setStopFlag } from '../support/stop-flag.js';
import {
  type ApartControl,
  type ApartEvent,
  type ApartName,
  type ApartRequest,
  type ApartResult,
  StopWord,
} from './apart.js';
import type { BuildRequest } from './check-pipeline.js';
import type { ExploreOptions } from './explore.js';
import type { IrOptions, IrResult } from './ir.js';
import type { BuiltProgram } from './kept-programs.js';
import { type RunControl, TimeLimit } from './run-control.js';

/** Each entry loads its modules when it is called. */
const calls = {
  build: async (request: BuildRequest, control: RunControl): Promise<BuiltProgram> =>
    (await import('./check-pipeline.js')).buildProgram(request, control),
  explore: async (options: ExploreOptions, control: ApartControl<ExploreReport>): Promise<ExploreReport> =>
    (await import('./explore.js')).exploreHere(options, control),
  ir: async (options: IrOptions, control: RunControl): Promise<IrResult> =>
    (await import('./ir.js')).compileToIr(options, control),
} satisfies Record<ApartName, unknown>;

/** How often a waiting thread polls the stop flag. */
const lookMs = 20;

type Call = (options: unknown, control: ApartControl<unknown>) => Promise<unknown>;

runTask<ApartRequest<unknown>, ApartEvent<unknown>, ApartResult<unknown>>(
  async ({ name, options, stop }, emit) => {
    setStopFlag(stop);
    const controller = new AbortController();
    const { signal } = controller;
    const flag = new Int32Array(stop);
    const look = setInterval(() => {
      const word = Atomics.load(flag, 0);
      if (word === StopWord.GoOn) return;
      clearInterval(look);
      emit({ kind: 'stopping' });
      const { maxTimeMs = 0 } = options as { readonly maxTimeMs?: number };
      controller.abort(word === StopWord.TimeIsUp ? new TimeLimit(maxTimeMs) : undefined);
    }, lookMs);
    const control: ApartControl<unknown> = {
      signal,
      onEvent: event => emit({ kind: 'event', event }),
      onKnown: known => emit({ kind: 'known', known }),
    };
    try {
      return { kind: 'value', value: await (calls[name] as Call)(options, control) };
    } catch (error) {
      if (error instanceof InputError) return { kind: 'bad input', diagnostics: error.diagnostics };
      if (signal.aborted && error === signal.reason) return { kind: 'stopped' };
      throw error;
    } finally {
      clearInterval(look);
      // The main thread terminates this one when it has the result.
      keepCompiledCode();
    }
  },
);
