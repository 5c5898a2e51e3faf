/**
 * The lines that a path has executed, from the blocks that it has recorded.
 *
 * Paths whose blocks are the same share one list. A path ends in the middle of a block in every
 * active function; lines behind that point count only if the path has left the block before.
 */
import type { PathLines } from '../../findings/exploration.js';
import { functionLocation, lineOf } from '../../ir/debug.js';
import { successorsOf } from '../../ir/operands.js';
import type { Machine } from '../machine/machine.js';
import type { Frame } from '../state/frame.js';
import type { State } from '../state/state.js';

/** The number of different lists that are kept; further paths have none. */
const mostLists = 20_000;

export class LinesOfPaths {
  readonly #machine: Machine;
  readonly #known = new Map<string, PathLines>();

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** Undefined if blocks are not recorded, or there are too many lists. */
  of(state: State): PathLines | undefined {
    const { recorded, program } = this.#machine;
    if (recorded === undefined) return undefined;
    const blocks = recorded.in(state.ran).map(id => program.blocks[id]!);
    const ran = new Set(blocks.map(({ ir }) => ir));
    const unfinished = new Map<Frame['block']['ir'], ReadonlySet<number>>();
    for (let frame: Frame | undefined = state.frame; frame !== undefined; frame = frame.caller) {
      const { ir } = frame.block;
      const after = successorsOf(ir);
      const isLeft =
        after.some(block => ran.has(block)) || (after.length === 0 && frame.target.name !== 'main');
      const lines = isLeft ? undefined : linesUntil(frame);
      if (lines !== undefined) unfinished.set(ir, lines);
    }
    const files = new Map<string, Set<number>>();
    for (const { ir, target } of blocks) {
      const file = functionLocation(target.ir)?.file;
      if (file === undefined) continue;
      const lines = files.get(file) ?? new Set();
      files.set(file, lines);
      for (const line of unfinished.get(ir) ?? target.lines?.get(ir) ?? []) lines.add(line);
    }
    const found = [...files]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([file, lines]): PathLines[number] => [file, [...lines].sort((a, b) => a - b)]);
    const key = JSON.stringify(found);
    if (!this.#known.has(key) && this.#known.size < mostLists) this.#known.set(key, found);
    return this.#known.get(key);
  }
}

/** The lines of the frame's block up to where it is; undefined if that is not known. */
function linesUntil({ block, pc }: Frame): ReadonlySet<number> | undefined {
  const { instructions } = block.ir;
  const at = block.steps[pc]?.ir;
  const last = at === undefined ? -1 : instructions.indexOf(at);
  if (last < 0) return undefined;
  const lines = new Set<number>();
  for (const instruction of instructions.slice(0, last + 1)) {
    const line = instruction.op === 'debug-record' ? undefined : lineOf(instruction);
    if (line !== undefined && line > 0) lines.add(line);
  }
  return lines;
}
