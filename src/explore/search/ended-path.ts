/** The record of a path that has ended. */
import type { PathEnding } from './explorer.js';
import type { EndedPath } from './path-memo.js';

/** The limit of a path's output. */
const mostOutput = 2000;

function firstOf(output: Uint8Array): Uint8Array {
  return output.length <= mostOutput ? output : output.subarray(0, mostOutput);
}

/** `number` is the number of its test; 0 if it has none. */
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
    stdout: firstOf(stdout),
    stderr: firstOf(stderr),
    functions: state.reached.names,
    news,
  };
}
