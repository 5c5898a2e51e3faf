/**
 * Accesses to one element of a vector in memory, as accesses to that element.
 *
 * clang reads the whole vector to write one element of it, and to read one:
 *
 * ```
 *   %old = load <4 x float>, ptr %v                  %at = getelementptr float, ptr %v, i64 2
 *   %new = insertelement %old, float %x, i64 2   →   store float %x, ptr %at
 *   store <4 x float> %new, ptr %v
 * ```
 *
 * A check of the load would report uninitialized elements that are not used. With
 * an index that is too large, the new access is outside the vector, which is the error.
 *
 * Only accesses that follow each other are rewritten, with no write to memory between.
 */
import { Builder } from '../ir/builder.js';
import { isOfCheck } from '../ir/check-marks.js';
import { integerConstant } from '../ir/constants.js';
import type { DataLayout } from '../ir/data-layout.js';
import type {
  Block,
  ExtractElementInstruction,
  InsertElementInstruction,
  Instruction,
  IrFunction,
  LoadInstruction,
  StoreInstruction,
  Value,
} from '../ir/model.js';
import { forEachOperand, mapDebugOperands, mapOperands, successorsOf, terminatorOf } from '../ir/operands.js';
import { i64, type Type } from '../ir/types.js';

export function accessElements(target: IrFunction, layout: DataLayout): void {
  if (!target.blocks.some(({ instructions }) => instructions.some(isElementOperation))) return;
  const uses = usesOf(target);
  const predecessors = predecessorsIn(target);
  const values = new Map<Value, Value>();
  /** By instruction, what takes its place. */
  const replaced = new Map<Instruction, Instruction[]>();
  for (const block of target.blocks)
    for (const [at, load] of block.instructions.entries()) {
      if (load.op !== 'load' || !isPlain(load)) continue;
      const element = elementOf(load.type, layout);
      const users = uses.get(load) ?? [];
      if (element === undefined || users.length === 0) continue;
      const reads = readsFrom(block, at + 1, predecessors);
      const store = storeOfElement(load, uses);
      if (users.every(isExtraction) && users.every(use => reads.has(use)))
        for (const use of users) {
          const code: Instruction[] = [];
          const builder = new Builder(code, use.debugLocation);
          const address = elementAt(builder, load.pointer, use.index, element);
          values.set(use, builder.load(element, address, { align: layout.storeBytes(element) }));
          replaced.set(use, code);
        }
      else if (store !== undefined && reads.has(store.store)) {
        const { insert } = store;
        const code: Instruction[] = [];
        const builder = new Builder(code, store.store.debugLocation);
        const address = elementAt(builder, load.pointer, insert.index, element);
        builder.store(insert.element, address, { align: layout.storeBytes(element) });
        replaced.set(store.store, code).set(insert, []);
      } else continue;
      replaced.set(load, []);
    }
  if (replaced.size === 0) return;
  for (const block of target.blocks) {
    block.instructions = block.instructions.flatMap(each => replaced.get(each) ?? [each]);
    for (const instruction of block.instructions) {
      mapOperands(instruction, operand => values.get(operand) ?? operand);
      mapDebugOperands(instruction, operand => values.get(operand) ?? operand);
    }
  }
}

/** The write of one element that a load of the vector begins. */
function storeOfElement(
  load: LoadInstruction,
  uses: ReadonlyMap<Value, readonly Instruction[]>,
): { readonly insert: InsertElementInstruction; readonly store: StoreInstruction } | undefined {
  const [insert, ...others] = uses.get(load) ?? [];
  if (others.length > 0 || insert?.op !== 'insertelement' || insert.vector !== load) return undefined;
  const [store, ...more] = uses.get(insert) ?? [];
  if (more.length > 0 || store?.op !== 'store' || store.value !== insert) return undefined;
  return store.pointer === load.pointer && isPlain(store) ? { insert, store } : undefined;
}

function elementAt(builder: Builder, vector: Value, index: Value, element: Type): Value {
  return builder.gep(element, vector, [widened(builder, index)]);
}

function widened(builder: Builder, index: Value): Value {
  if (index.kind === 'integer') return integerConstant(i64, index.value);
  return index.type === i64 ? index : builder.cast('zext', index, i64);
}

/**
 * The instructions up to the first write to memory, and that write. They may be behind clang's own
 * check of the index, or behind what is left of it.
 */
function readsFrom(block: Block, start: number, predecessors: Predecessors): ReadonlySet<Instruction> {
  const reads = new Set<Instruction>();
  let from = start;
  for (let at: Block | undefined = block; at !== undefined; at = blockBehind(at, predecessors)) {
    for (const instruction of at.instructions.slice(from)) {
      if (reads.has(instruction)) return reads;
      reads.add(instruction);
      if (mayWrite(instruction)) return reads;
    }
    from = 0;
  }
  return reads;
}

/** The block that is entered from here only; the handler of a check may lie between. */
function blockBehind(block: Block, predecessors: Predecessors): Block | undefined {
  const last = terminatorOf(block);
  const next = last?.op === 'condbr' && isOfCheck(last) ? last.ifTrue : last?.op === 'br' && last.target;
  if (!next) return undefined;
  const comesFrom = (each: Block): boolean =>
    each === block || (last?.op === 'condbr' && each === last.ifFalse && predecessors.get(each)?.size === 1);
  return [...(predecessors.get(next) ?? [])].every(comesFrom) ? next : undefined;
}

type Predecessors = ReadonlyMap<Block, ReadonlySet<Block>>;

function predecessorsIn(target: IrFunction): Predecessors {
  const predecessors = new Map(target.blocks.map(block => [block, new Set<Block>()]));
  for (const block of target.blocks)
    for (const next of successorsOf(block)) predecessors.get(next)?.add(block);
  return predecessors;
}

function mayWrite({ op }: Instruction): boolean {
  return op === 'store' || op === 'call' || op === 'cmpxchg' || op === 'atomicrmw' || op === 'fence';
}

function isExtraction(instruction: Instruction): instruction is ExtractElementInstruction {
  return instruction.op === 'extractelement';
}

function isElementOperation({ op }: Instruction): boolean {
  return op === 'insertelement' || op === 'extractelement';
}

function isPlain({ volatile, ordering }: LoadInstruction | StoreInstruction): boolean {
  return !volatile && ordering === undefined;
}

/** The type of the elements, if each has an address. */
function elementOf(type: Type, layout: DataLayout): Type | undefined {
  if (type.kind !== 'vector') return undefined;
  const { element } = type;
  if (element.kind === 'integer' && element.bits !== 8 * layout.storeBytes(element)) return undefined;
  return layout.storeBytes(element) === layout.allocBytes(element) ? element : undefined;
}

function usesOf(target: IrFunction): ReadonlyMap<Value, readonly Instruction[]> {
  const uses = new Map<Value, Instruction[]>();
  for (const { instructions } of target.blocks)
    for (const instruction of instructions)
      forEachOperand(instruction, operand => {
        if (operand.kind !== 'instruction' || operand.type.kind !== 'vector') return;
        const known = uses.get(operand);
        if (known === undefined) uses.set(operand, [instruction]);
        else known.push(instruction);
      });
  return uses;
}
