/** Executes a task: explores below its states (`search/subtree.ts`). */
import type { Module } from '../../ir/model.js';
import { nextTurn } from '../../platform/next-turn.js';
import { endedPath } from '../search/ended-path.js';
import { Explorer, type ExplorerSettings } from '../search/explorer.js';
import { placeOf as fingerprintOfPlace, PrintMap } from '../search/path-memo.js';
import {
  asExploration,
  type SubtreeMark,
  type SubtreeProgress,
  type SubtreeResult,
  type SubtreeTask,
} from '../search/subtree.js';
import type { TaskBound } from '../search/task-bound.js';
import { placeOf } from './fork-tree.js';
import { Journal } from './journal.js';

/** Instructions per batch: batches are few, so that few states are alive at the end of the task. */
const BATCH = 800_000;

/** How long the event loop is blocked. */
const sliceMs = 40;

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
  isStopped: () => boolean,
): Promise<SubtreeResult | undefined> {
  const learned: Uint8Array[] = [];
  const journal = Journal.inMemory(entries => learned.push(entries));
  const labels = new PrintMap<string>();
  const labelList: [number, number, string][] = [];
  const marks: SubtreeMark[] = [];
  const { markWork = Number.POSITIVE_INFINITY } = task;
  let nextMark = markWork;
  let tests = 0;
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
      onFork: state => {
        const place = fingerprintOfPlace(state);
        if (labels.get(place) === undefined) {
          const label = placeOf(state.frame.block.steps[state.frame.pc]!.ir);
          labels.set(place, label);
          labelList.push([place.print1, place.print2, label]);
        }
        journal.fork(state.from.trail, { at: state.history.trail, place });
      },
      onEnd: path => {
        const hasTest = path.ending.kind !== 'unwanted' && path.inputs !== undefined;
        journal.end(endedPath(path, hasTest ? ++tests : 0, false), () => undefined);
      },
      onPath: () => {
        paths++;
      },
      onTurn: running => {
        mostStates = Math.max(mostStates, running.size);
        endsWithPath = paths > pathsBefore;
        pathsBefore = paths;
        if (running.work >= nextMark) {
          nextMark = running.work + markWork;
          journal.flush();
          const lengths = { learnedLength: learned.length, labelsLength: labelList.length };
          marks.push({ ...progressOf(running, mostStates), ...lengths });
        }
        if (bound?.isReachedBy(paths, running.machine.instructions)) {
          isCut = true;
          running.stop(CUT);
        }
      },
    },
  );
  try {
    while (!explorer.runFor(sliceMs)) {
      await nextTurn();
      if (isStopped()) return undefined;
    }
    if (isStopped()) return undefined;
    journal.flush();
    return { ...progressOf(explorer, mostStates), learned, labels: labelList, marks, endsWithPath, isCut };
  } finally {
    explorer.dispose();
  }
}

function progressOf(explorer: Explorer, mostStates: number): SubtreeProgress {
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
    live: explorer.live(),
  };
}
