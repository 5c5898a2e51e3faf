/**
 * The lines that a path has executed, from the blocks that it has recorded.
 *
 * Paths whose blocks are the same share one list. A path ends in the middle of a block in every
 * active function; lines after that point count only if the path may have been there before.
 */
import type { PathLines } from '../../findings/exploration.js';
import { functionLocation, lineOf } from '../../ir/debug.js';
import { successorsOf } from '../../ir/operands.js';
import type { Machine } from '../machine/machine.js';
import type { Frame } from '../state/frame.js';
import type { State } from '../state/state.js';

/** The number of different lists that are kept; further paths have none. */
const mostLists = 20_000;
/** The number of paths whose list is looked up; those of further ones are computed each time. */
const mostPaths = 100_000;

export class LinesOfPaths {
  readonly #machine: Machine;
  /** Indexed by the blocks of a path and where it ended. */
  readonly #byPath = new Map<string, PathLines | undefined>();
  /** Indexed by their text. */
  readonly #lists = new Map<string, PathLines>();

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** Undefined if blocks are not recorded, or there are too many lists. */
  of(state: State): PathLines | undefined {
    const { recorded } = this.#machine;
    if (recorded === undefined) return undefined;
    let key = state.ran.join();
    for (let frame: Frame | undefined = state.frame; frame !== undefined; frame = frame.caller)
      key += ` ${frame.block.id}.${frame.pc}`;
    if (this.#byPath.has(key)) return this.#byPath.get(key);
    const found = this.#linesOf(state, recorded.in(state.ran));
    const text = JSON.stringify(found);
    if (!this.#lists.has(text) && this.#lists.size < mostLists) this.#lists.set(text, found);
    const lines = this.#lists.get(text);
    if (this.#byPath.size < mostPaths) this.#byPath.set(key, lines);
    return lines;
  }

  #linesOf(state: State, ids: readonly number[]): PathLines {
    const blocks = ids.map(id => this.#machine.program.blocks[id]!);
    const ran = new Map(blocks.map(({ ir }) => [ir, ir.instructions] as const));
    const frames: Frame[] = [];
    for (let frame: Frame | undefined = state.frame; frame !== undefined; frame = frame.caller)
      frames.unshift(frame);
    for (const frame of frames) {
      const begun = ran.has(frame.block.ir) ? begunIn(frame) : undefined;
      if (begun !== undefined && !isFinished(frame, ran)) ran.set(frame.block.ir, begun);
    }
    const files = new Map<string, Set<number>>();
    for (const { ir, target } of blocks) {
      const file = functionLocation(target.ir)?.file;
      if (file === undefined) continue;
      const lines = files.get(file) ?? new Set();
      files.set(file, lines);
      const executed = ran.get(ir)!;
      const own = executed === ir.instructions ? target.lines?.get(ir) : linesIn(executed);
      for (const line of own ?? []) lines.add(line);
    }
    return [...files]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([file, lines]): PathLines[number] => [file, [...lines].sort((a, b) => a - b)]);
  }
}

function linesIn(code: Code): number[] {
  return code
    .flatMap(instruction => (instruction.op === 'debug-record' ? [] : (lineOf(instruction) ?? [])))
    .filter(line => line > 0);
}

type Code = Frame['block']['ir']['instructions'];
/** For each block, the instructions that were executed. */
type Executed = ReadonlyMap<Frame['block']['ir'], Code>;

/** The instructions of the frame's block up to where it is; undefined if that is not known. */
function begunIn({ block, pc }: Frame): Code | undefined {
  const { instructions } = block.ir;
  const at = block.steps[pc]?.ir;
  const last = at === undefined ? -1 : instructions.indexOf(at);
  return last < 0 ? undefined : instructions.slice(0, last + 1);
}

/**
 * Whether the path may have executed the block of this frame to its end before: one after it was
 * executed, or the function may have returned.
 */
function isFinished({ block, target, caller }: Frame, ran: Executed): boolean {
  const after = successorsOf(block.ir);
  if (after.length > 0) return after.some(other => ran.has(other));
  if (caller === undefined || target.name === 'main') return false;
  // A block that is not cut was executed completely, and its calls have returned.
  if (ran.get(caller.block.ir) === caller.block.ir.instructions) return true;
  let calls = 0;
  for (const instructions of ran.values())
    for (const instruction of instructions) {
      if (instruction.op !== 'call') continue;
      if (instruction.callee === target.ir) calls++;
      else if (instruction.callee.kind !== 'function') return true;
    }
  return calls !== 1;
}
