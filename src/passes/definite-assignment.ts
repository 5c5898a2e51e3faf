/**
 * Finds the locals, or parts of locals, that are always written before they are read.
 *
 * A forward analysis with one bit per local: at a join a local counts as written only if it is
 * written on every edge. The beginning and the end of its lifetime reset the bit.
 */
import type { AllocaInstruction, Block, Instruction } from '../ir/model.js';
import type { Cfg } from './cfg.js';
import { accessOf, type LocalAccess } from './whole-locals.js';

/** What an instruction does with a local or a part of one. */
export interface Access<Local> {
  readonly kind: LocalAccess['kind'];
  readonly local: Local;
}

/** The effect of an instruction on one of the locals. */
type AccessOf = (instruction: Instruction) => LocalAccess | undefined;

/** The locals that no path can read before writing. */
export function alwaysAssigned(
  cfg: Cfg,
  locals: ReadonlySet<AllocaInstruction>,
  accessed: AccessOf = instruction => accessOf(instruction, locals),
): Set<AllocaInstruction> {
  return alwaysWritten(cfg, locals, instruction => {
    const access = accessed(instruction);
    return access === undefined ? [] : [access];
  });
}

/** The same for parts of locals, whose accesses the caller knows. */
export function alwaysWritten<Local>(
  cfg: Cfg,
  locals: ReadonlySet<Local>,
  accessesOf: (instruction: Instruction) => readonly Access<Local>[],
): Set<Local> {
  const bitOf = new Map([...locals].map((local, index) => [local, index]));
  const words = (locals.size + 31) >>> 5;
  const accesses = cfg.blocks.map(({ instructions }: Block) => instructions.flatMap(accessesOf));
  const out: Uint32Array[] = cfg.blocks.map(() => new Uint32Array(words).fill(0xffff_ffff));
  const atBegin = (block: number): Uint32Array => {
    const assigned = new Uint32Array(words).fill(block === 0 ? 0 : 0xffff_ffff);
    for (const predecessor of cfg.predecessors[block]!) {
      for (let word = 0; word < words; word++) assigned[word]! &= out[predecessor]![word]!;
    }
    return assigned;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (let block = 0; block < cfg.blocks.length; block++) {
      const assigned = atBegin(block);
      for (const access of accesses[block]!) apply(assigned, access, bitOf);
      if (assigned.some((word, index) => word !== out[block]![index])) {
        out[block] = assigned;
        changed = true;
      }
    }
  }
  const result = new Set(locals);
  for (let block = 0; block < cfg.blocks.length; block++) {
    const assigned = atBegin(block);
    for (const access of accesses[block]!) {
      const bit = bitOf.get(access.local)!;
      if (access.kind === 'read' && (assigned[bit >>> 5]! & (1 << (bit & 31))) === 0)
        result.delete(access.local);
      apply(assigned, access, bitOf);
    }
  }
  return result;
}

function apply<Local>(assigned: Uint32Array, access: Access<Local>, bitOf: ReadonlyMap<Local, number>): void {
  const bit = bitOf.get(access.local)!;
  if (access.kind === 'write') assigned[bit >>> 5]! |= 1 << (bit & 31);
  else if (access.kind === 'forget') assigned[bit >>> 5]! &= ~(1 << (bit & 31));
}
