/**
 * A program in the form in which workers receive it: its IR, and the options on which the behaviour
 * of a path depends. The same bytes give the same results in every process of this version.
 */
import { exploreSubtree, type TaskPace } from '../explore/output/explore-subtree.js';
import type { SubtreeResult, SubtreeTask } from '../explore/search/subtree.js';
import { TaskBound } from '../explore/search/task-bound.js';
import type { SymbolicStart } from '../explore/state/state.js';
import type { Module } from '../ir/model.js';
import { deflated } from '../platform/compression.js';
import { contentHash } from '../platform/files.js';
import type { ExploreSettings } from './explore.js';
import { type LinkedProgram, linkedProgram } from './explore-program.js';
import { type EngineOptions, engineOptionsIn, explorerSettings } from './explorer-settings.js';
import { type CompiledInput, isCompiled, nameOfInput, type ProgramInput } from './run-control.js';

export interface SharedProgram {
  readonly kind: 'explore';
  readonly inputs: readonly CompiledInput[];
  readonly unsequenced: readonly string[];
  readonly options: EngineOptions;
  /** The arguments, beginning with the name of the program. */
  readonly args: readonly string[];
  readonly symbolic: SymbolicStart;
}

export function sharedProgram(
  options: ExploreSettings,
  { irTexts, unsequenced }: Pick<LinkedProgram, 'irTexts' | 'unsequenced'>,
  args: readonly string[],
  symbolic: SymbolicStart,
): SharedProgram {
  const inputs = irTexts.map((text, i): CompiledInput => {
    const input: ProgramInput = options.inputs[i]!;
    const name = nameOfInput(input);
    const { weakened, hasIgnoreComments } = isCompiled(input)
      ? input
      : { weakened: [], hasIgnoreComments: false };
    const ir = deflated(new TextEncoder().encode(text));
    return { name, key: contentHash([text]), ir, weakened, hasIgnoreComments };
  });
  return { kind: 'explore', inputs, unsequenced, options: engineOptionsIn(options), args, symbolic };
}

/** A task for a thread of this process. */
export interface BoundedTask extends SubtreeTask {
  /** The cells of its `TaskBound`. */
  readonly bound: SharedArrayBuffer | undefined;
}

const modules = new WeakMap<SharedProgram, Promise<Module>>();

/** The tasks of a program share a module: linking one takes longer than starting a task with it. */
function moduleOf(shared: SharedProgram): Promise<Module> {
  let module = modules.get(shared);
  if (module === undefined) {
    const { inputs, unsequenced, options } = shared;
    module = linkedProgram({ ...options, inputs, unsequenced }, {}).then(linked => linked.module);
    modules.set(shared, module);
  }
  return module;
}

/** Lets the tasks of this thread use a module that an explorer of this thread has used. */
export function shareModule(shared: SharedProgram, module: Module): void {
  modules.set(shared, Promise.resolve(module));
}

/** Undefined if the task was stopped, or its bound is 0. */
export async function doSubtree(
  shared: SharedProgram,
  { bound: cells, ...task }: BoundedTask,
  pace: TaskPace,
): Promise<SubtreeResult | undefined> {
  const bound = cells && new TaskBound(cells);
  if (bound?.isZero) return undefined;
  const { options, args, symbolic } = shared;
  const settings = explorerSettings(options, args, symbolic);
  return exploreSubtree(await moduleOf(shared), settings, task, bound, pace);
}
