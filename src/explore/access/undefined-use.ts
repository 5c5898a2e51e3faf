/** Uses of values that were never written: where they matter they are findings. */
import type { Term } from '../../expr/term.js';
import type { ObjectState } from '../memory/object-state.js';
import { count } from '../state/finding.js';
import type { Decisions } from '../state/running.js';
import { isSymbolic, type Scalar, type Value } from '../values/value.js';

/** Ends the path if the value can be another one, all inputs being the same; forks if that is so on some inputs only. */
export function requireDefined(machine: Decisions, value: Value): void {
  if (isSymbolic(value) && machine.unwritten.isIn(value) && !isDefined(machine, value))
    failUndefined(machine, value);
}

/**
 * The result of an operation that only known values can be given, where an operand was never written: that is no error, but neither is the result
 * known. Undefined if all operands are defined.
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
  const { terms, unwritten, questions, state } = machine;
  const twin = unwritten.twin(term);
  if (twin === undefined) return false;
  const differs = terms.not(terms.eq(term, twin));
  const isPossible = (condition: Term): boolean =>
    !condition.isFalse && questions.mayBeTrue(condition).kind !== 'no';
  if (!isPossible(differs)) return true;
  const seemsDefined = unwritten.seemsDefined(term);
  const isReally = isPossible(seemsDefined) && !isPossible(terms.and(seemsDefined, differs));
  if (isReally && machine.decide(seemsDefined)) return true;
  state.add(differs);
  return false;
}

/** Ends the path if a byte of the range was never written. */
export function requireWritten(machine: Decisions, object: ObjectState, offset: number, bytes: number): void {
  if (object.isKnown(offset, bytes)) return;
  for (let i = offset; i < offset + bytes; i++) requireDefined(machine, object.byteTerm(machine, i));
}

function failUndefined(machine: Decisions, term: Term): never {
  const cause = machine.unwritten.causeOf(term, machine.runOnTest());
  const object = machine.state.memory.find(cause.address);
  if (object === undefined)
    return machine.fail('uninitialized-read', 'use of a value that was never written');
  const { name, kind, base } = object.info;
  const size = machine.sizeOnTest(object);
  // Objects may lie side by side.
  const offset = Math.max(cause.address - base, 0);
  const bytes = Math.min(cause.address + cause.bytes - base, size) - offset;
  const were = bytes === 1 ? 'that was' : 'that were';
  const owner = kind === 'heap' ? 'a block' : name === undefined ? 'an object' : `\`${name}\``;
  const isWhole = name !== undefined && size <= 8 && (bytes === size || isUnwritten(object));
  const message = isWhole
    ? `use of \`${name}\`, which was never written`
    : `use of ${count(bytes, 'byte')} at offset ${offset} of ${owner} of ${count(size, 'byte')} ${were} never written`;
  return machine.fail('uninitialized-read', message, { object, access: { kind: 'read', bytes } });
}

function isUnwritten(object: ObjectState): boolean {
  if (object.life !== 'live') return false;
  for (let i = 0; i < object.info.bytes; i++)
    if (!object.isUnwritten(i) || object.termAt(i) !== undefined) return false;
  return true;
}
