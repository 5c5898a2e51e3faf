/**
 * Detects infinite loops under `check`. The explorer re-executes a long run with the recorded
 * results of its host calls and notices when a state repeats (`explore/state/loop-watch.ts`).
 *
 *     worker   | the program, as WebAssembly ─────────────────────────────────▶ … |
 *     worker             after 2 s: | link | the same program, watched |──▶ the loop: the run is ended
 *
 * So both engines share the detection and the report of loops, and the WebAssembly code, whose
 * locals are not visible from outside, needs no changes. A run that ends within two seconds only
 * pays for recording the host's results. For a longer run the search works for one second and then
 * for a twentieth of the time, so that a loop near the beginning is found at once and a long run is
 * hardly slowed down. With `--detect-loops` the search does not pause.
 *
 * The explorer repeats the recorded run; where a call differs from the log, nothing is reported.
 * Threads took turns in the run, and the explorer executes each to its end when it is created.
 * This is a possible order, and as the log has all calls of the host with their arguments, the
 * loop is one of a possible run. It is reported when the other threads of the actual run have ended
 * as well. Programs with thread-local variables are left out, since the threads share them.
 *
 * The explorer reuses freed memory at once, so that loops that allocate return to the same state.
 */
import { Explorer } from '../explore/search/explorer.js';
import { OFTEN } from '../explore/state/loop-watch.js';
import { InputError } from '../findings/diagnostic.js';
import type { Finding } from '../findings/finding.js';
import { environmentList } from '../host/host.js';
import { BeyondLog, LoggedHost } from '../host/host-log.js';
import type { Module } from '../ir/model.js';
import { defaultChecks, silenced } from '../monitor/check-kinds.js';
import { exploreOptions } from '../options/explore-options.js';
import { settingsOf } from '../options/settings.js';
import { isHeapNearlyFull } from '../platform/process-memory.js';
import type { CheckOptions } from './check.js';
import type { ExploreSettings } from './explore.js';
import { linkedProgram } from './explore-program.js';

/** How long the search runs before it checks its memory use and pauses. */
const sliceMs = 100;

/** The work after which a search begins to pause. */
const firstWorkMs = 1000;

/** Pauses per slice of work, each as long as a slice. */
const restsPerSlice = 19;

/** How long a search that has caught up with the run waits for the next result of the host. */
const pauseMs = 50;

/** The search gives up after this time. */
const longestSearchMs = 120_000;

/** The run to be searched: the program, how it was started, and the results of its host calls. */
export interface LoopSearchRequest {
  readonly program: Pick<CheckOptions, 'inputs' | 'clangFlags' | 'checks' | 'entryPoint' | 'clang'>;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly hostLog: SharedArrayBuffer;
  /** Whether the search pauses, which leaves most of a core to other work. */
  readonly rests: boolean;
}

export interface LoopSearchResult {
  /** The loop of the run; undefined if the search ends without one. */
  readonly found: Finding | undefined;
}

export async function searchLoop(request: LoopSearchRequest): Promise<LoopSearchResult> {
  const { checks = defaultChecks } = request.program;
  const settings: ExploreSettings = settingsOf(exploreOptions, request.program);
  try {
    const { module } = await linkedProgram(settings, {});
    if (module.variables.some(({ threadLocal }) => threadLocal !== undefined) && hasThreads(module))
      return { found: undefined };
    const found: Finding[] = [];
    const explorer = await Explorer.create(
      module,
      {
        host: new LoggedHost(request.hostLog, {
          arguments: request.arguments,
          environment: environmentList(request),
        }),
        symbolic: { isConcrete: true },
        allocator: { kind: 'kdalloc', quarantine: 0 },
        watching: OFTEN,
        unchecked: new Set(silenced(new Set(checks)).map(({ code }) => code)),
        limits: { milliseconds: longestSearchMs },
      },
      {
        onPath: ({ ending }) => {
          if (ending.kind === 'finding' && ending.finding.loop !== undefined) found.push(ending.finding);
        },
      },
    );
    await runToEnd(explorer, request.rests);
    return { found: found[0] };
  } catch (error) {
    // The explorer does not support every program.
    if (error instanceof InputError) return { found: undefined };
    throw error;
  }
}

function hasThreads({ functions }: Module): boolean {
  return functions.some(({ name }) => name === 'pthread_create');
}

async function runToEnd(explorer: Explorer, rests: boolean): Promise<void> {
  for (let worked = 0; !isHeapNearlyFull(); ) {
    const start = performance.now();
    try {
      if (explorer.runFor(sliceMs)) return;
    } catch (error) {
      if (!(error instanceof BeyondLog)) throw error;
      if (error.isFinal) return;
      await pause(pauseMs);
    }
    const slice = performance.now() - start;
    worked += slice;
    if (rests && worked > firstWorkMs) await pause(slice * restsPerSlice);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds));
}
