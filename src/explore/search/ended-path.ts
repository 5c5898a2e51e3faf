/** What is kept of a path that has ended. */
import type { PathEnding } from './explorer.js';
import type { EndedPath } from './path-memo.js';

/** Longer output of a path is cut. */
const mostOutput = 2000;

/** `number` is that of its test, 0 if it has none. */
export function endedPath(
  { state, ending, inputs, news }: PathEnding,
  number: number,
  isNotable: boolean,
): EndedPath {
  const { stdout, stderr } = state.seenHost;
  return {
    from: state.from.trail,
    trail: state.history.trail,
    number,
    isNotable,
    ending,
    inputs,
    instructions: state.instructions,
    forks: state.depth,
    allocations: state.allocations,
    notes: state.notes,
    stdout: stdout.subarray(0, mostOutput),
    stderr: stderr.subarray(0, mostOutput),
    functions: state.reached.names,
    news,
  };
}
