/**
 * Passes the members of small structures instead of their addresses.
 *
 * A structure that is passed by value is in memory, so the caller needs a block for it, and the
 * callee one for its copy unless it only reads members (`by-value-arguments.ts`). Functions that
 * are small enough are inlined (`inlined-functions.ts`); this pass is for the others, which are
 * recursive or have loops:
 *
 * ```
 *   call @match(ptr byval(%pattern) %p, ...)      %a = load ptr, ptr %p,  %b = load ptr, ptr (%p + 8)
 *                                                 call @match(ptr %a, ptr %b, ...)
 *   define @match(ptr byval(%pattern) %p, ...)    define @match(ptr %p.0, ptr %p.1, ...)
 *                                                   %p = alloca %pattern,  store the members to it
 * ```
 *
 * `split-structs.ts` and `mem2reg.ts` then make the members values on both sides. An argument is
 * replaced only if the function reads and writes members, or passes the structure to another
 * function of this kind, so its copy can be divided; and only if some call passes a local, because
 * for a structure that is in memory anyway nothing is gained.
 *
 * What a call checks is checked as for inlined calls: that the structure may be read as a whole
 * (`readName`). Copying undefined members is no error: `markUndefined` finds the arguments that may
 * be undefined, whose bits are passed in cells (record 0183).
 *
 * **Requires** that all calls of a function are known: its address is not taken.
 */
import { AttributeSet, stringAttribute } from '../ir/attributes.js';
import { Builder, getOrDeclareFunction, makeArgument } from '../ir/builder.js';
import { copyMark, passedMark } from '../ir/check-marks.js';
import { integerConstant } from '../ir/constants.js';
import type { DataLayout } from '../ir/data-layout.js';
import type {
  Argument,
  Block,
  CallInstruction,
  Instruction,
  IrFunction,
  Module,
  Value,
} from '../ir/model.js';
import { mapDebugOperands, mapOperands } from '../ir/operands.js';
import { type FunctionType, functionType, i8, i64, ptr, type Type, voidType } from '../ir/types.js';
import { readName } from './inlined-functions.js';
import { addressTaken } from './observation.js';
import { type Member, membersOf } from './split-structs.js';
import { usesOf } from './value-uses.js';
import { memberAttribute } from './whole-struct.js';

const mostMembers = 4;
/** `MOST_UNDEFINED_ARGUMENTS` of `runtime/monitor/objects.c`: later arguments have no cell. */
const mostArguments = 16;

/** A structure that may be passed as its members. */
interface Candidate {
  readonly target: IrFunction;
  readonly argument: Argument;
  readonly members: readonly Member[];
  /** Where the function passes it, or a part of it. */
  readonly passedTo: readonly Passing[];
}

interface Passing {
  readonly argument: Argument;
  /** The place of the part in the structure. */
  readonly offset: number;
}

interface Call {
  readonly caller: IrFunction;
  readonly block: Block;
  readonly call: CallInstruction;
}

export interface MemberArguments {
  /** Functions that take members now, and those that call them. */
  readonly changed: ReadonlySet<IrFunction>;
  /** Their new arguments, by function. */
  readonly made: ReadonlyMap<IrFunction, readonly Argument[]>;
}

/** `isInScope` says whether an argument of a call is certainly a local that has not ended. */
export function passMembers(
  module: Module,
  layout: DataLayout,
  isAllowed: (target: IrFunction) => boolean,
  isInScope: (call: CallInstruction, place: number) => boolean,
): MemberArguments {
  const calls = callsThatAreKnown(module, isAllowed);
  const candidates = candidatesOf(calls, layout);
  keepPassable(candidates);
  keepUseful(candidates, calls);
  const made = new Map<IrFunction, Argument[]>();
  const changed = new Set<IrFunction>();
  for (const target of new Set([...candidates.values()].map(each => each.target))) {
    const places = target.arguments.map(argument => candidates.get(argument)?.members);
    for (const { caller, block, call } of calls.get(target)!) {
      const before = passIn(module, call, places, layout, place => isInScope(call, place));
      block.instructions.splice(block.instructions.indexOf(call), 0, ...before);
      changed.add(caller);
    }
    made.set(target, receive(target, places));
    changed.add(target);
  }
  return { changed, made };
}

/** The calls of each function whose calls are all known and pass structures as it takes them. */
function callsThatAreKnown(
  module: Module,
  isAllowed: (target: IrFunction) => boolean,
): Map<IrFunction, Call[]> {
  const taken = addressTaken(module);
  const calls = new Map<IrFunction, Call[]>();
  for (const target of module.functions)
    if (!taken.has(target) && takesStructures(target) && isAllowed(target)) calls.set(target, []);
  if (calls.size === 0) return calls;
  for (const caller of module.functions)
    for (const block of caller.blocks)
      for (const call of block.instructions) {
        if (!('callee' in call) || call.callee.kind !== 'function') continue;
        const { callee } = call;
        if (call.op === 'call' && isPassedAlike(call, callee))
          calls.get(callee)?.push({ caller, block, call });
        else calls.delete(callee);
      }
  return calls;
}

function takesStructures({
  blocks,
  functionType: type,
  linkage,
  name,
  arguments: list,
}: IrFunction): boolean {
  if (blocks.length === 0 || type.variadic || name === 'main' || name.startsWith('__rz_')) return false;
  if (!['external', 'internal', 'private'].includes(linkage)) return false;
  return list.some(({ attributes }) => attributes.has('byval'));
}

function isPassedAlike(call: CallInstruction, callee: IrFunction): boolean {
  if (callee.functionType !== call.functionType || call.tail === 'musttail' || call.bundles !== undefined)
    return false;
  return callee.arguments.every(
    ({ attributes }, i) => attributes.get('byval')?.type === call.argAttributes[i]?.get('byval')?.type,
  );
}

function candidatesOf(
  calls: ReadonlyMap<IrFunction, readonly Call[]>,
  layout: DataLayout,
): Map<Argument, Candidate> {
  const candidates = new Map<Argument, Candidate>();
  for (const target of calls.keys()) {
    const uses = usesOf(target);
    let count = target.arguments.length;
    for (const argument of target.arguments) {
      const type = argument.attributes.get('byval')?.type;
      const members = type === undefined ? [] : membersOf(type, layout);
      if (members.length === 0 || members.length > mostMembers) continue;
      count += members.length - 1;
      const passedTo = placesPassed(argument, members, uses, layout);
      if (passedTo !== undefined && count <= mostArguments)
        candidates.set(argument, { target, argument, members, passedTo });
    }
  }
  return candidates;
}

/** Undefined if the argument is used otherwise than by members. */
function placesPassed(
  argument: Argument,
  members: readonly Member[],
  uses: ReadonlyMap<Value, readonly Instruction[]>,
  layout: DataLayout,
): Passing[] | undefined {
  const passedTo: Passing[] = [];
  const pending: { pointer: Value; offset: number }[] = [{ pointer: argument, offset: 0 }];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const { pointer, offset } = at;
    const isMember = (type: Type): boolean =>
      members.some(member => member.offset === offset && member.type === type);
    for (const use of uses.get(pointer) ?? []) {
      if (use.op === 'getelementptr' && use.base === pointer) {
        const { constantBytes, scaled } = layout.gepSteps(use.sourceType, use.indices);
        if (scaled.length > 0) return undefined;
        pending.push({ pointer: use, offset: offset + Number(constantBytes) });
      } else if (use.op === 'load' || use.op === 'store') {
        if (use.volatile || use.ordering !== undefined) return undefined;
        if (use.op === 'store' && use.value === pointer) return undefined;
        if (!isMember(use.op === 'load' ? use.type : use.value.type)) return undefined;
      } else if (use.op === 'call' && use.callee.kind === 'function') {
        for (const [i, value] of use.args.entries()) {
          if (value !== pointer) continue;
          const to = use.callee.arguments[i];
          if (to === undefined || !use.argAttributes[i]?.has('byval')) return undefined;
          passedTo.push({ argument: to, offset });
        }
      } else return undefined;
    }
  }
  return passedTo;
}

/** Removes those that are passed on as a whole to an argument that is none. */
function keepPassable(candidates: Map<Argument, Candidate>): void {
  const isPassable = ({ members, passedTo }: Candidate): boolean =>
    passedTo.every(({ argument, offset }) =>
      candidates
        .get(argument)
        ?.members.every(part =>
          members.some(member => member.offset === offset + part.offset && member.type === part.type),
        ),
    );
  for (let isStable = false; !isStable; ) {
    isStable = true;
    for (const candidate of candidates.values())
      if (!isPassable(candidate)) {
        candidates.delete(candidate.argument);
        isStable = false;
      }
  }
}

/** Keeps those that get a local from some call, and those to which these are passed on. */
function keepUseful(
  candidates: Map<Argument, Candidate>,
  calls: ReadonlyMap<IrFunction, readonly Call[]>,
): void {
  const useful = new Set<Candidate>();
  for (const candidate of candidates.values()) {
    const place = candidate.target.arguments.indexOf(candidate.argument);
    if (calls.get(candidate.target)!.some(({ call }) => isLocal(call.args[place]!))) useful.add(candidate);
  }
  for (const { passedTo } of useful)
    for (const { argument } of passedTo) useful.add(candidates.get(argument)!);
  for (const candidate of candidates.values())
    if (!useful.has(candidate)) candidates.delete(candidate.argument);
}

function isLocal(pointer: Value): boolean {
  let base = pointer;
  while (base.kind === 'instruction' && base.op === 'getelementptr') base = base.base;
  return base.kind === 'instruction' && base.op === 'alloca';
}

// -------------------------------------------------------------------------------------- rewriting

/** The members of each argument; undefined for one that stays. */
type Places = readonly (readonly Member[] | undefined)[];

/** Replaces the arguments of the function. The members are stored to a local at its entry. */
function receive(target: IrFunction, places: Places): Argument[] {
  const made: Argument[] = [];
  const entry: Instruction[] = [];
  const stores: Instruction[] = [];
  const locals = new Map<Value, Value>();
  const builder = new Builder(stores);
  const list = target.arguments.flatMap((argument, i) => {
    const members = places[i];
    if (members === undefined) return [argument];
    const byval = argument.attributes.get('byval')!;
    const align = Number(argument.attributes.get('align')?.value ?? 8);
    const local = new Builder(entry).alloca(byval.type!, align, argument.name);
    locals.set(argument, local);
    return members.map(({ type, offset, bytes }, number) => {
      const part = makeArgument(type, argument.name && `${argument.name}.${number}`);
      made.push(part);
      const address = offset === 0 ? local : builder.gep(i8, local, [integerConstant(i64, offset)]);
      builder.store(part, address, { align: Math.min(align, bytes) });
      return part;
    });
  });
  const replacement = (operand: Value): Value => locals.get(operand) ?? operand;
  for (const { instructions } of target.blocks)
    for (const instruction of instructions) {
      mapOperands(instruction, replacement);
      mapDebugOperands(instruction, replacement);
    }
  const { instructions } = target.blocks[0]!;
  const first = instructions.findIndex(({ op }) => op !== 'alloca' && op !== 'debug-record');
  instructions.splice(first, 0, ...stores);
  instructions.unshift(...entry);
  target.arguments = list;
  target.functionType = withParameters(target.functionType, list);
  return made;
}

/** Replaces the arguments of a call by members, and returns what loads them. */
function passIn(
  module: Module,
  call: CallInstruction,
  places: Places,
  layout: DataLayout,
  isInScope: (place: number) => boolean,
): Instruction[] {
  const before: Instruction[] = [];
  const builder = new Builder(before, call.debugLocation);
  const attributes: AttributeSet[] = [];
  const args = call.args.flatMap((pointer, i) => {
    const members = places[i];
    if (members === undefined) {
      attributes.push(call.argAttributes[i] ?? AttributeSet.empty);
      return [pointer];
    }
    const type = call.argAttributes[i]!.get('byval')!.type!;
    if (!isInScope(i)) {
      const check = getOrDeclareFunction(module, readName, functionType(voidType, [ptr, i64]));
      builder.call(check, [pointer, integerConstant(i64, layout.allocBytes(type))]);
    }
    return members.map(member => {
      const at = integerConstant(i64, member.offset);
      const address = member.offset === 0 ? pointer : builder.gep(i8, pointer, [at]);
      const value = builder.load(member.type, address, { align: 1 });
      value.metadata = [...copyMark!, ...passedMark!];
      attributes.push(AttributeSet.empty);
      return value;
    });
  });
  call.args = args;
  call.argAttributes = attributes;
  call.functionType = withParameters(call.functionType, args);
  return before;
}

function withParameters({ returns, variadic }: FunctionType, values: readonly Value[]): FunctionType {
  return functionType(
    returns,
    values.map(({ type }) => type),
    variadic,
  );
}

// ------------------------------------------------------------------------------- undefined values

/**
 * Marks the new arguments that some call may pass undefined, so that their bits are passed too.
 * `mayBeUndefined` returns the values of a function that may be undefined, given these marks.
 */
export function markUndefined(
  { changed, made }: MemberArguments,
  mayBeUndefined: (target: IrFunction) => (value: Value) => boolean,
): void {
  const isNew = new Set([...made.values()].flat());
  const pending = new Set(changed);
  for (const caller of pending) {
    pending.delete(caller);
    const isUndefined = mayBeUndefined(caller);
    for (const { instructions } of caller.blocks)
      for (const call of instructions) {
        if (call.op !== 'call' || call.callee.kind !== 'function') continue;
        for (const [i, argument] of call.callee.arguments.entries()) {
          if (!isNew.has(argument) || argument.attributes.has(memberAttribute)) continue;
          if (!isUndefined(call.args[i]!)) continue;
          argument.attributes = argument.attributes.with(stringAttribute(memberAttribute));
          pending.add(call.callee);
        }
      }
  }
}
