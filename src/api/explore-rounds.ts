/**
 * An exploration that goes on in rounds: what its tasks find becomes results, and whoever stops it
 * stops those who do them.
 */
import type { Machine } from '../explore/machine/machine.js';
import type { ExploreSettings as ExplorerSettings } from '../explore/search/explorer.js';
import { type DoTask, Rounds, type RoundsStart } from '../explore/search/rounds.js';
import type { SubtreeResult } from '../explore/search/subtree.js';
import { CannotGoOn } from './cannot-go-on.js';
import type { ExploreSettings } from './explore.js';
import type { Exploration, ExploreResults } from './explore-results.js';
import type { SharedProgram } from './shared-program.js';

/** How often the clock, the signal and the memory are looked at. */
const lookMs = 50;

/** Work of reading and linking a byte of IR. */
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
  /** Why to stop now. */
  readonly whyNow: () => string | undefined;
}

/** Who does tasks. */
export interface TaskForce {
  readonly do: DoTask;
  /** Called often while tasks are done. Returns why to stop, if there is a reason. */
  look(rounds: Rounds): string | undefined;
  /** This result was taken in, and at the next call of `saved` a checkpoint has it. */
  taken(result: SubtreeResult): void;
  saved(): void;
  /** Tasks that are not done yet have no result. */
  stop(): void;
  /** The exploration is over, or will be resumed. */
  close(rounds: Rounds): Promise<void>;
}

export async function exploreInRounds(
  { machine, start, settings, shared, results, options, force }: RoundsSession,
  { tell, whyNow }: Watcher,
): Promise<Rounds> {
  const { rounds: earlier, nextStateId } = start.saved;
  const live = start.live ?? earlier!.waiting.flatMap((states, i) => states ?? earlier!.done[i] ?? []);
  results.openStates(live, nextStateId);
  const irBytes = shared.inputs.reduce((sum, { ir }) => sum + (ir as Uint8Array).length, 0);
  const rounds: Rounds = new Rounds(
    machine,
    start,
    {
      limits: settings.limits ?? {},
      findings: {
        limitReached: () => results.enoughFindings(),
        pathsUntil: result => results.pathsUntilEnough(result),
      },
      taskWork: options.taskWork,
      loadingWork: options.taskWork === undefined ? workOfByte * irBytes : 0,
    },
    {
      onTask: (result, withNews) => {
        force.taken(result);
        return results.addTask(result, withNews);
      },
      nextState: () => results.nextState,
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
    await rounds.run(async task => {
      try {
        return await force.do(task);
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
