/**
 * Replaces loads of memory whose content is known, because it was loaded or stored before and
 * nothing in between can have changed it. clang loads `p->n` anew for each occurrence, and each
 * load would have a check.
 *
 * ```
 *   %a = load i32, %p          check
 *   %b = load i32, %p          is %a
 *   store i32 %c, (%p + 4)     check
 *   %d = load i32, (%p + 4)    is %c
 *   store i32 %e, %q           may change both
 * ```
 *
 * The access that made the content known was checked, for the same bytes and an alignment that is
 * not smaller, and nothing has ended since, so no error of the load itself is lost. What is known
 * at the end of a block holds in the blocks that it dominates, if no path between them has a call
 * or a store that may change it; long paths are not searched.
 *
 * **Requires** that each load is made, so it is not for programs with hooks, labels or threads, and
 * that runs end at the first finding.
 */
import { isOfPassing } from '../../ir/check-marks.js';
import type { DataLayout } from '../../ir/data-layout.js';
import type {
  Block,
  Instruction,
  IrFunction,
  LoadInstruction,
  StoreInstruction,
  Value,
} from '../../ir/model.js';
import { mapOperands } from '../../ir/operands.js';
import { DominatorTree } from '../../passes/dominators.js';
import { ValueNumbers } from '../../passes/value-numbers.js';
import { isHandlerCall, isPureIntrinsic } from './call-kinds.js';
import { type BytePlace, type Changes, changesBefore, mayOverlap, Places } from './places.js';

export interface ReuseFacts {
  readonly layout: DataLayout;
  /** Whether findings are the same if a value is used that was loaded or stored before. */
  mayBe(load: LoadInstruction, known: Value): boolean;
}

/** What the bytes of an access are after it. */
interface Content {
  readonly place: BytePlace;
  readonly value: Value;
  readonly align: number;
}

/** By the key of its place, the oldest first. */
type Contents = Map<string, Content>;

/** The oldest is forgotten when more is known, so that blocks with many stores take no longer. */
const mostKnown = 64;

export function reuseLoads(target: IrFunction, facts: ReuseFacts): void {
  const tree = new DominatorTree(target);
  const { blocks } = tree.cfg;
  const places = new Places(new ValueNumbers([...blocks]), facts.layout);
  const changes = blocks.map(block => changesOf(block, places));
  const same = new Map<Value, Value>();
  const atEnd: Contents[] = [];
  blocks.forEach((block, index) => {
    const between = index > 0 ? changesBefore(tree, index, changes) : 'all';
    const contents: Contents = new Map(between === 'all' ? [] : atEnd[tree.immediate[index]!]);
    if (between !== 'all') for (const place of between) forget(contents, place);
    walk(block, { contents, places, facts, same });
    atEnd.push(contents);
  });
  if (same.size > 0) replace(target, same);
}

interface Walk {
  readonly contents: Contents;
  readonly places: Places;
  readonly facts: ReuseFacts;
  /** By load, the value that replaces it; it is not replaced itself. */
  readonly same: Map<Value, Value>;
}

function walk({ instructions }: Block, { contents, places, facts, same }: Walk): void {
  for (const instruction of instructions) {
    if (!isPlain(instruction)) {
      if (mayWrite(instruction)) contents.clear();
      continue;
    }
    const place = places.of(instruction);
    const key = `${place.base} ${place.offset} ${place.bytes}`;
    const known = contents.get(key);
    if (instruction.op === 'load' && known !== undefined && isKnown(instruction, known, facts)) {
      same.set(instruction, known.value);
      continue;
    }
    if (instruction.op === 'store') forget(contents, place);
    const value = instruction.op === 'load' ? instruction : instruction.value;
    contents.delete(key);
    // Passing a structure from a misaligned address is not reported.
    const align = isOfPassing(instruction) ? 1 : instruction.align;
    contents.set(key, { place, value: same.get(value) ?? value, align });
    if (contents.size > mostKnown) contents.delete(contents.keys().next().value!);
  }
}

function isKnown(load: LoadInstruction, { value, align }: Content, facts: ReuseFacts): boolean {
  if (value.type !== load.type || align < load.align) return false;
  return value.kind !== 'undef' && value.kind !== 'poison' && facts.mayBe(load, value);
}

function forget(contents: Contents, changed: BytePlace): void {
  for (const [key, { place }] of contents) if (mayOverlap(place, changed)) contents.delete(key);
}

function changesOf({ instructions }: Block, places: Places): Changes {
  const stores: BytePlace[] = [];
  for (const instruction of instructions) {
    if (!mayWrite(instruction)) continue;
    if (!isPlain(instruction)) return 'all';
    stores.push(places.of(instruction));
  }
  return stores;
}

/** Neither volatile nor atomic: what others may observe stays as it is. */
function isPlain(access: Instruction): access is LoadInstruction | StoreInstruction {
  return (access.op === 'load' || access.op === 'store') && !access.volatile && access.ordering === undefined;
}

function mayWrite(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'store':
    case 'atomicrmw':
    case 'cmpxchg':
    case 'fence':
    case 'callbr':
    case 'va_arg':
      return true;
    case 'load':
      return !isPlain(instruction);
    case 'call':
      return !isHandlerCall(instruction) && !isPureIntrinsic(instruction);
    default:
      // No other instruction accesses memory.
      return false;
  }
}

function replace(target: IrFunction, same: ReadonlyMap<Value, Value>): void {
  for (const block of target.blocks) {
    block.instructions = block.instructions.filter(instruction => !same.has(instruction));
    for (const instruction of block.instructions)
      mapOperands(instruction, operand => same.get(operand) ?? operand);
  }
}
