/** Reports uses of uninitialized values that matter. */
import type { Term } from '../../expr/term.js';
import type { Instruction, Value as IrValue } from '../../ir/model.js';
import { forEachOperand } from '../../ir/operands.js';
import { unknown } from '../../solver/query-outcome.js';
import { stackOfInstruction, type Trace } from '../memory/call-trace.js';
import type { ObjectState } from '../memory/object-state.js';
import type { UndefinedLoad } from '../memory/unwritten.js';
import type { Decisions } from '../state/running.js';
import { isSymbolic, type RegisterValue, type Scalar } from '../values/register-value.js';

/**
 * Ends the path if the value is undefined: it can differ although all inputs are the same. Forks if
 * that is so for some inputs only. `from` computes the value; otherwise an operand of the current
 * instruction does.
 */
export function requireDefined(machine: Decisions, value: RegisterValue, from?: IrValue): void {
  if (isSymbolic(value) && machine.unwritten.isIn(value) && !isDefined(machine, value))
    failUndefined(machine, value, from);
}

/**
 * The result of an operation that needs known operands, if an operand is uninitialized: this is no
 * error, but the result is undefined too. Undefined if all operands are defined.
 */
export function undefinedResult(
  machine: Decisions,
  operation: string,
  operands: readonly Scalar[],
  width: number,
): Term | undefined {
  const symbolic = operands.filter(operand => typeof operand === 'object');
  const isUndefined = symbolic.some(
    operand => machine.unwritten.isIn(operand) && !isDefined(machine, operand),
  );
  return isUndefined ? machine.unwritten.computed(operation, symbolic, width) : undefined;
}

function isDefined(machine: Decisions, term: Term): boolean {
  const { terms, unwritten, queries, state } = machine;
  const twin = unwritten.twin(term);
  if (twin === undefined) {
    if (unwritten.differsOn(term, machine.runOnTest().assignment)) return false;
    return queries.giveUp(unknown('the value of a long computation may be uninitialized'));
  }
  const differs = terms.not(terms.eq(term, twin));
  const isPossible = (condition: Term): boolean =>
    !condition.isFalse && queries.mayBeTrue(condition).kind !== 'no';
  if (differs.isFalse) return true;
  const possible = queries.mayBeTrue(differs);
  if (possible.kind === 'no') return true;
  // An error without proof that it is possible would be a false positive.
  if (possible.kind === 'unknown') queries.giveUp(possible);
  const seemsDefined = unwritten.seemsDefined(term);
  const isReally = isPossible(seemsDefined) && !isPossible(terms.and(seemsDefined, differs));
  if (isReally && machine.decide(seemsDefined)) return true;
  state.add(differs);
  return false;
}

/** Ends the path if a byte of the range is uninitialized. */
export function requireWritten(machine: Decisions, object: ObjectState, offset: number, bytes: number): void {
  if (object.isKnown(offset, bytes)) return;
  const { terms, unwritten } = machine;
  const end = offset + bytes;
  for (let i = offset; i < end; i++) {
    const term = object.byteTerm(machine, i);
    if (!unwritten.isIn(term) || isDefined(machine, term)) continue;
    // The error names all uninitialized bytes that follow.
    let all = term;
    for (let j = i + 1; j < end && unwritten.isIn(object.byteTerm(machine, j)); j++)
      all = terms.concat(object.byteTerm(machine, j), all);
    failUndefined(machine, all);
  }
}

function failUndefined(machine: Decisions, term: Term, from?: IrValue): never {
  const cause = machine.unwritten.causeOf(term, machine.runOnTest());
  const object = machine.state.memory.find(cause.address);
  if (object === undefined) return machine.fail({ kind: 'unwritten', bytes: cause.bytes });
  const facts = machine.factsOf(object);
  const { base } = object.info;
  // Objects may be adjacent.
  const offset = Math.max(cause.address - base, 0);
  const bytes = Math.min(cause.address + cause.bytes - base, facts.bytes) - offset;
  const isWhole = facts.name !== undefined && facts.bytes <= SMALL && isUnwritten(object);
  const load = loadOf(machine, cause.address, from);
  const at = load && placeOf(machine, load.instruction);
  const value = load && { offset: load.address - base, bytes: load.bytes };
  const isOfObject = value !== undefined && value.offset >= 0 && value.offset + value.bytes <= facts.bytes;
  if (isWhole) return machine.fail({ kind: 'unwritten', object: facts, offset: 0, bytes: facts.bytes }, at);
  if (!isOfObject) return machine.fail({ kind: 'unwritten', object: facts, offset, bytes }, at);
  const { first, ...extent } = machine.unwritten.undefinedIn(load!.value);
  return machine.fail(
    { kind: 'unwritten', object: facts, offset: value.offset + first, ...extent, value },
    at,
  );
}

/**
 * For a variable of at most this many bytes the whole variable is reported as uninitialized, not
 * some of its bytes.
 */
const SMALL = 8;

/** The load whose value the current instruction uses, or `from` computes, if it read the byte. */
function loadOf(machine: Decisions, address: number, from?: IrValue): UndefinedLoad | undefined {
  const { at } = machine.trace();
  const seen = new Set<Instruction>([at]);
  if (from?.kind === 'instruction') seen.add(from);
  for (const instruction of seen) {
    if (seen.size > LARGEST_EXPRESSION) return undefined;
    const load = machine.unwritten.loadBy(instruction, address);
    if (load !== undefined) return load;
    if (instruction.op === 'load' && instruction !== at) continue;
    forEachOperand(instruction, operand => {
      if (operand.kind === 'instruction') seen.add(operand);
    });
  }
  return undefined;
}

/** In instructions. */
const LARGEST_EXPRESSION = 64;

/** For an expression on one line the load is reported; otherwise the line of the use. */
function placeOf(machine: Decisions, load: Instruction): Trace {
  const here = machine.trace();
  const [read] = stackOfInstruction(load);
  const [used] = stackOfInstruction(here.at);
  const isSameLine = read?.line === used?.line && read?.file === used?.file;
  return isSameLine ? { at: load, calls: here.calls } : here;
}

function isUnwritten(object: ObjectState): boolean {
  if (object.life !== 'live') return false;
  for (let i = 0; i < object.info.bytes; i++)
    if (!object.isUnwritten(i) || object.termAt(i) !== undefined) return false;
  return true;
}
