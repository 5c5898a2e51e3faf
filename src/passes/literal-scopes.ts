/**
 * Inserts lifetime markers for compound literals: the memory of `p = (int[]){1, 2, 3};` ends with
 * the enclosing block, but clang marks the lifetimes of variables only.
 *
 * Debug information has the source block of each instruction. A literal lives in the block that
 * initializes it:
 *
 * ```
 *   {                        begins where control comes from an instruction outside the block to one inside
 *     p = (int[]){1, 2};
 *     if (p[0]) q = p;       inner blocks are inside
 *   }                        ends where control comes to an instruction outside
 *   use(p);
 * ```
 *
 * It begins with the block and not at its initialization, because a literal that is initialized
 * twice, by a `goto` inside its block, is one object (C11 6.5.2.5). A literal outside all
 * inner blocks lives as long as its function and needs no markers.
 *
 * **Invariant:** a literal is not changed if its block is entered where no marker can be placed (a
 * `switch` into the middle of it).
 */
import { Builder, getOrDeclareFunction } from '../ir/builder.js';
import { lexicalBlocksOf } from '../ir/debug.js';
import type { MetadataNode } from '../ir/metadata.js';
import type { AllocaInstruction, Block, Instruction, IrFunction, Module } from '../ir/model.js';
import { forEachOperand, successorsOf } from '../ir/operands.js';
import { functionType, ptr, voidType } from '../ir/types.js';
import { isLifetimeMarker } from './whole-locals.js';

type Marker = 'llvm.lifetime.start.p0' | 'llvm.lifetime.end.p0';

/** Where a marker goes: before the instruction with this index. */
interface Insertion {
  readonly block: Block;
  readonly index: number;
  readonly marker: Marker;
}

export function isCompoundLiteral(instruction: Instruction): instruction is AllocaInstruction {
  return instruction.op === 'alloca' && /^\.compoundliteral\d*$/.test(instruction.name ?? '');
}

export function markLiteralScopes(module: Module, target: IrFunction): void {
  const literals = target.blocks.flatMap(({ instructions }) => instructions.filter(isCompoundLiteral));
  if (literals.length === 0) return;
  for (const literal of literals) {
    const uses = usesOf(target, literal);
    const [first] = uses;
    const scope = first === undefined ? undefined : lexicalBlocksOf(first)[0];
    if (scope === undefined || uses.some(isLifetimeMarker)) continue;
    for (const { block, index, marker } of insertionsFor(target, scope)?.sort(lastFirst) ?? [])
      insert(module, block, index, marker, literal);
  }
}

/**
 * Inserts from the end, so that no index moves before it is used. At one place the end precedes the
 * beginning, so it is inserted after it.
 */
function lastFirst(a: Insertion, b: Insertion): number {
  return b.index - a.index || Number(b.marker === markerFor(true)) - Number(a.marker === markerFor(true));
}

/** In the order of the code. */
export function usesOf(target: IrFunction, value: Instruction): Instruction[] {
  const uses: Instruction[] = [];
  for (const { instructions } of target.blocks) {
    for (const instruction of instructions) {
      if (instruction.op === 'debug-record') continue;
      forEachOperand(instruction, operand => {
        if (operand === value) uses.push(instruction);
      });
    }
  }
  return uses;
}

/** Undefined if a marker would be needed on an edge that has no place for it. */
function insertionsFor(target: IrFunction, scope: MetadataNode): Insertion[] | undefined {
  const insides = new Map(target.blocks.map(block => [block, insideOf(block, scope)]));
  const sources = new Map<Block, Block[]>(target.blocks.map(block => [block, []]));
  for (const block of target.blocks)
    for (const successor of successorsOf(block)) sources.get(successor)!.push(block);

  const insertions: Insertion[] = [];
  for (const [block, inside] of insides) {
    for (let i = 1; i < inside.length; i++)
      if (inside[i] !== inside[i - 1]) insertions.push({ block, index: i, marker: markerFor(inside[i]!) });
    const from = sources.get(block)!;
    const changing = from.filter(source => insides.get(source)!.at(-1) !== inside[0]);
    if (changing.length === 0) continue;
    if (!inside[0] || changing.length === from.length) {
      // A repeated end has no effect.
      insertions.push({ block, index: afterPhis(block), marker: markerFor(inside[0]!) });
      continue;
    }
    for (const source of changing) {
      if (successorsOf(source).length > 1) return undefined;
      insertions.push({ block: source, index: source.instructions.length - 1, marker: markerFor(true) });
    }
  }
  return insertions;
}

/**
 * For each instruction, whether it is inside the scope. Instructions without a location are
 * where their neighbours are; the first ones of a function are outside.
 */
function insideOf({ instructions }: Block, scope: MetadataNode): boolean[] {
  const known = instructions.map(instruction => {
    const { op, debugLocation } = instruction;
    if (op === 'phi' || op === 'debug-record') return undefined;
    if (debugLocation === undefined) return op === 'alloca' ? false : undefined;
    return lexicalBlocksOf(instruction).includes(scope);
  });
  let current = known.find(inside => inside !== undefined) ?? false;
  return known.map(inside => {
    current = inside ?? current;
    return current;
  });
}

function markerFor(isInside: boolean): Marker {
  return isInside ? 'llvm.lifetime.start.p0' : 'llvm.lifetime.end.p0';
}

function afterPhis({ instructions }: Block): number {
  return instructions.findIndex(({ op }) => op !== 'phi');
}

function insert(
  module: Module,
  block: Block,
  index: number,
  marker: Marker,
  literal: AllocaInstruction,
): void {
  const made: Instruction[] = [];
  const call = new Builder(made, block.instructions[index]?.debugLocation);
  call.call(getOrDeclareFunction(module, marker, functionType(voidType, [ptr])), [literal]);
  block.instructions.splice(index, 0, ...made);
}
