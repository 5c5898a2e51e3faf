/** Executes a task: explores below its states (`search/subtree.ts`). */
import type { Module } from '../../ir/model.js';
import { nextTurn } from '../../platform/next-turn.js';
import { Explorer, type ExplorerSettings } from '../search/explorer.js';
import {
  asExploration,
  type SubtreeMark,
  type SubtreeProgress,
  type SubtreeResult,
  type SubtreeTask,
} from '../search/subtree.js';
import type { TaskBound } from '../search/task-bound.js';
import { TaskOutput, type TaskProgress } from './task-output.js';

/** Instructions per batch: batches are few, so that few states are alive at the end of the task. */
const BATCH = 800_000;

/** How long the event loop is blocked, while the other threads may wait for their next task. */
const sliceMs = 10;

/** How a task shares its thread. */
export interface TaskPace {
  /** The longest time for which a query may block the event loop. */
  readonly longestMs?: number;
  /** Asked after each time slice, which has taken this long. */
  readonly isStopped: (milliseconds: number) => boolean;
}

const CUT = 'the bound was reached';

/**
 * `settings` are those of the whole exploration. Undefined if the task was stopped, because its
 * partial results would depend on the clock.
 */
export async function exploreSubtree(
  module: Module,
  settings: ExplorerSettings,
  task: SubtreeTask,
  bound: TaskBound | undefined,
  pace: TaskPace,
): Promise<SubtreeResult | undefined> {
  const output = new TaskOutput(task.states.length);
  const marks: SubtreeMark[] = [];
  const { markWork = Number.POSITIVE_INFINITY } = task;
  let nextMark = markWork;
  let paths = 0;
  let pathsBefore = 0;
  let endsWithPath = false;
  let isCut = false;
  let mostStates = task.states.length;
  const explorer = await Explorer.create(
    module,
    {
      ...settings,
      memo: undefined,
      recordsPaths: true,
      batch: BATCH,
      resume: { saved: asExploration(task), solverMs: 0 },
      limits: { ...task.limits, depth: settings.limits?.depth },
    },
    {
      onFork: (state, other) => output.addFork(state, other),
      onEnd: path => output.addEnd(path, paths),
      onPath: () => {
        paths++;
      },
      onTurn: running => {
        mostStates = Math.max(mostStates, running.size);
        endsWithPath = paths > pathsBefore;
        pathsBefore = paths;
        if (running.work >= nextMark) {
          nextMark = running.work + markWork;
          const progress = { ...countsOf(running, mostStates), ...output.progress(running) };
          marks.push({ ...progress, lengths: output.lengths });
        }
        if (bound?.isReachedBy(paths, running.machine.instructions)) {
          isCut = true;
          running.stop(CUT);
        }
      },
    },
  );
  try {
    if (!(await runToEnd(explorer, pace))) return undefined;
    const progress = { ...countsOf(explorer, mostStates), ...output.progress(explorer) };
    return { ...progress, ...output.all, marks, endsWithPath, isCut };
  } finally {
    explorer.dispose();
  }
}

/** False if the task was stopped. */
async function runToEnd(explorer: Explorer, { longestMs, isStopped }: TaskPace): Promise<boolean> {
  for (let isDone = false; !isDone; ) {
    const start = performance.now();
    isDone = explorer.runFor(sliceMs, longestMs);
    const milliseconds = performance.now() - start;
    if (!isDone) await nextTurn();
    if (isStopped(milliseconds)) return false;
  }
  return true;
}

function countsOf(explorer: Explorer, mostStates: number): Omit<SubtreeProgress, keyof TaskProgress> {
  const saved = explorer.save();
  return {
    counts: saved.counts,
    finished: saved.finished,
    notes: saved.notes,
    left: saved.left,
    chosen: saved.chosen,
    allocations: saved.allocations,
    instructions: saved.instructions,
    queries: saved.queries,
    solverMs: explorer.progress().solverMs,
    mostStates,
    known: { functions: saved.functions, covered: saved.covered, told: saved.news.told },
  };
}
