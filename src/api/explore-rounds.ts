/**
 * An exploration that continues in rounds: it turns the results of tasks into results of the
 * exploration, and stops the tasks when it is stopped.
 */
import type { Machine } from '../explore/machine/machine.js';
import type { ExplorerSettings } from '../explore/search/explorer.js';
import { type DoTask, Rounds, type RoundsStart } from '../explore/search/rounds.js';
import type { SubtreeResult } from '../explore/search/subtree.js';
import { CannotGoOn } from './cannot-go-on.js';
import type { ExploreSettings } from './explore.js';
import type { Exploration, ExploreResults } from './explore-results.js';
import type { SharedProgram } from './shared-program.js';

/** How often the clock, the signal and the memory are checked. */
const lookMs = 50;

/** The work of reading and linking a byte of IR. */
const workOfByte = 20;

export interface RoundsSession {
  readonly machine: Machine;
  readonly start: RoundsStart;
  readonly settings: ExplorerSettings;
  readonly shared: SharedProgram;
  readonly results: ExploreResults;
  readonly options: ExploreSettings;
  readonly force: TaskForce;
}

interface Watcher {
  readonly tell: (exploration: Exploration) => void;
  /** Returns a reason to stop now, if there is one. */
  readonly whyNow: () => string | undefined;
}

/** Executes tasks: the threads of this process, or a queue. */
export interface TaskForce {
  readonly do: DoTask;
  /** Called often while tasks run. Returns a reason to stop, if there is one. */
  look(rounds: Rounds): string | undefined;
  /** The result has been merged, and the checkpoint of the next call of `saved` contains it. */
  taken(result: SubtreeResult): void;
  saved(): void;
  /** Stops all tasks. Unfinished tasks have no result. */
  stop(): void;
  /** Called when the exploration is over or will be resumed later. */
  close(rounds: Rounds): Promise<void>;
}

export async function exploreInRounds(
  { machine, start, settings, shared, results, options, force }: RoundsSession,
  { tell, whyNow }: Watcher,
): Promise<Rounds> {
  const irBytes = shared.inputs.reduce((sum, { ir }) => sum + (ir as Uint8Array).length, 0);
  const rounds: Rounds = new Rounds(
    machine,
    start,
    {
      limits: settings.limits ?? {},
      findings: {
        areLimited: results.findingsAreLimited,
        limitReached: () => results.enoughFindings(),
        pathsUntil: result => results.pathsUntilEnough(result),
      },
      taskWork: options.taskWork,
      loadingWork: options.taskWork === undefined ? workOfByte * irBytes : 0,
    },
    {
      onTask: (result, states, newsOf) => {
        force.taken(result);
        results.addTask(result, states, newsOf);
      },
      onProgress: () => {
        results.addRow(rounds);
        if (results.save(rounds)) force.saved();
      },
    },
  );
  const look = setInterval(() => {
    tell(rounds);
    const why = whyNow() ?? force.look(rounds);
    if (why === undefined) return;
    rounds.stop(why);
    force.stop();
  }, lookMs);
  try {
    await rounds.run(async (task, bound) => {
      try {
        return await force.do(task, bound);
      } catch (error) {
        if (!(error instanceof CannotGoOn)) throw error;
        rounds.stop(error.message);
        force.stop();
        return undefined;
      }
    });
    return rounds;
  } finally {
    clearInterval(look);
    await force.close(rounds);
  }
}
