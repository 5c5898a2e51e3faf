/**
 * Reads the members of structures that are passed by value at the entry of the function.
 *
 * The caller passes the address of its object, and the function works on a copy of it, which is a
 * local. Most functions only read members of it:
 *
 * ```
 *   entry:                                   entry:
 *     ...                                      %x = load double, ptr %a
 *     %p = gep %vec, ptr %a, 0, 1              %y = load double, ptr (gep i8, %a, 8)
 *     %v = load double, ptr %p                 ...                 and %v is %y
 * ```
 *
 * These values are the copy: what happens to the caller's object later does not change them, and no
 * memory is needed. All accesses are inside the structure, whose bytes the caller has checked, so
 * the loads are valid on each path. Whether a member is initialised is still asked where its value
 * is used, because the loads carry it there (`monitor/instrument/undefined-values.ts`).
 *
 * A structure whose address is used otherwise, or which is written, keeps its copy, as does one of
 * more than `mostMembers` values, because all are loaded at each call.
 */
import { Builder } from '../ir/builder.js';
import { passedMark } from '../ir/check-marks.js';
import { integerConstant } from '../ir/constants.js';
import type { DataLayout } from '../ir/data-layout.js';
import type { Argument, Instruction, IrFunction, LoadInstruction, Value } from '../ir/model.js';
import { mapDebugOperands, mapOperands } from '../ir/operands.js';
import { i8, i64, type Type } from '../ir/types.js';
import { usesOf } from './value-uses.js';

const mostMembers = 8;

/** A part of the structure: its address, and its distance from the start. */
interface Step {
  readonly pointer: Instruction;
  readonly offset: number;
}

interface Member {
  readonly type: Type;
  readonly offset: number;
  readonly loads: LoadInstruction[];
}

/** Changes the function, and returns the arguments that need no copy any more. */
export function readByValueArguments(target: IrFunction, layout: DataLayout): Argument[] {
  const candidates = target.arguments.filter(each => each.attributes.has('byval'));
  if (candidates.length === 0) return [];
  const uses = usesOf(target);
  const done: Argument[] = [];
  const values = new Map<Value, Value>();
  const removed = new Set<Instruction>();
  const made: Instruction[] = [];
  for (const argument of candidates) {
    const found = membersOf(argument, uses, layout);
    if (found === undefined) continue;
    done.push(argument);
    for (const { pointer } of found.steps) removed.add(pointer);
    for (const { type, offset, loads } of found.members) {
      const builder = new Builder(made, loads[0]!.debugLocation);
      const address = offset === 0 ? argument : builder.gep(i8, argument, [integerConstant(i64, offset)]);
      const value = builder.load(type, address, { align: Math.min(...loads.map(({ align }) => align)) });
      value.metadata = passedMark;
      for (const load of loads) values.set(load, value);
    }
  }
  if (values.size > 0) replace(target, made, values, removed);
  return done;
}

function replace(
  target: IrFunction,
  made: readonly Instruction[],
  values: ReadonlyMap<Value, Value>,
  removed: ReadonlySet<Instruction>,
): void {
  const replacement = (operand: Value): Value => values.get(operand) ?? operand;
  for (const block of target.blocks) {
    block.instructions = block.instructions.filter(each => !values.has(each) && !removed.has(each));
    for (const instruction of block.instructions) {
      mapOperands(instruction, replacement);
      mapDebugOperands(instruction, replacement);
    }
  }
  const { instructions } = target.blocks[0]!;
  const first = instructions.findIndex(({ op }) => op !== 'alloca' && op !== 'debug-record');
  instructions.splice(first, 0, ...made);
}

/** Undefined if the argument is used in another way. */
function membersOf(
  argument: Argument,
  uses: ReadonlyMap<Value, readonly Instruction[]>,
  layout: DataLayout,
): { members: Iterable<Member>; steps: readonly Step[] } | undefined {
  const bytes = layout.allocBytes(argument.attributes.get('byval')!.type!);
  const members = new Map<string, Member>();
  const steps: Step[] = [];
  const pending: { pointer: Value; offset: number }[] = [{ pointer: argument, offset: 0 }];
  // In the order of the program: the first load of a member has the place that is reported.
  for (let at = pending.shift(); at !== undefined; at = pending.shift()) {
    for (const use of uses.get(at.pointer) ?? []) {
      if (use.op === 'getelementptr' && use.base === at.pointer) {
        const { constantBytes, scaled } = layout.gepSteps(use.sourceType, use.indices);
        if (scaled.length > 0) return undefined;
        const step = { pointer: use, offset: at.offset + Number(constantBytes) };
        steps.push(step);
        pending.push(step);
      } else if (use.op === 'load' && isPlainLoad(use)) {
        const { type } = use;
        const { offset } = at;
        if (offset < 0 || offset + layout.storeBytes(type) > bytes) return undefined;
        const key = `${offset} ${type.kind} ${'bits' in type ? type.bits : ''}`;
        const known = members.get(key);
        if (known === undefined) members.set(key, { type, offset, loads: [use] });
        else known.loads.push(use);
      } else return undefined;
    }
  }
  return members.size > mostMembers ? undefined : { members: members.values(), steps };
}

function isPlainLoad({ type, volatile, ordering }: LoadInstruction): boolean {
  if (volatile || ordering !== undefined) return false;
  if (type.kind === 'integer') return type.bits <= 64 && type.bits % 8 === 0;
  return type.kind === 'pointer' || (type.kind === 'float' && type.bits <= 64);
}
