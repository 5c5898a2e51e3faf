/**
 * Infinite loops under `check`: a run that lasts is repeated by the explorer, on the answers that
 * the host gave it, and the explorer notices a state that comes back
 * (`explore/state/loop-watch.ts`).
 *
 *     worker   | the program, as WebAssembly ─────────────────────────────────▶ … |
 *     worker             after 2 s: | link | the same program, watched |──▶ the loop: the run is ended
 *
 * So both engines have one way to find a loop and to tell of it, and WebAssembly, whose locals are
 * not visible from outside, runs as fast as before. A run that ends within two seconds pays for the
 * records of the host's answers only. A longer one has the search beside it, which works for a
 * second, then a twentieth of the time: a loop near the beginning is found at once, and a long run
 * does not pay for two. With `--detect-loops` the search does not rest.
 *
 * The explorer sees the run as it was: what the log does not tell it does not know, and then there
 * is nothing to report. It reuses freed memory at once, so that loops that allocate come back.
 */
import { Explorer } from '../explore/search/explorer.js';
import { OFTEN } from '../explore/state/loop-watch.js';
import { InputError } from '../findings/diagnostic.js';
import type { Finding } from '../findings/finding.js';
import { environmentList } from '../host/host.js';
import { BeyondLog, LoggedHost } from '../host/host-log.js';
import { defaultChecks, silenced } from '../monitor/check-kinds.js';
import { exploreOptions } from '../options/explore-options.js';
import { settingsOf } from '../options/settings.js';
import { isHeapNearlyFull } from '../platform/process-memory.js';
import type { CheckOptions } from './check.js';
import type { ExploreSettings } from './explore.js';
import { linkedProgram } from './explore-program.js';

/** How long the search runs before it looks at its memory, and rests. */
const sliceMs = 100;

/** A search that rests begins to do so when it has worked so long. */
const firstWorkMs = 1000;

/** For each slice of work, so many of rest. */
const restsPerSlice = 19;

/** The search has caught up with the run: so long it waits for the next answer of the host. */
const pauseMs = 50;

/** What was not found by then is not looked for any longer. */
const longestSearchMs = 120_000;

/** The run to be searched: the program, how it was started, and what the host answers. */
export interface LoopSearchRequest {
  readonly program: Pick<CheckOptions, 'inputs' | 'clangFlags' | 'checks' | 'entryPoint' | 'clang'>;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly hostLog: SharedArrayBuffer;
  /** Leaves most of the time of a core to others. */
  readonly rests: boolean;
}

export interface LoopSearchResult {
  /** The loop that the run is in; undefined if the search ends before it is known. */
  readonly found: Finding | undefined;
}

export async function searchLoop(request: LoopSearchRequest): Promise<LoopSearchResult> {
  const { checks = defaultChecks } = request.program;
  const settings: ExploreSettings = settingsOf(exploreOptions, request.program);
  try {
    const { module } = await linkedProgram(settings, {});
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
    // The explorer cannot run every program.
    if (error instanceof InputError) return { found: undefined };
    throw error;
  }
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
