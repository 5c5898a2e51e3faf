/** Uses of values that were never written: where they matter they are findings. */
import type { Term } from '../expr/term.js';
import { count } from './access.js';
import type { Machine } from './machine.js';
import type { ObjectState } from './object-state.js';
import { isSymbolic, type Value } from './value.js';

/** Ends the path if the value can be another one, all inputs being the same. */
export function requireDefined(machine: Machine, value: Value): void {
  if (isSymbolic(value) && machine.unwritten.isIn(value) && isUndefined(machine, value))
    failUndefined(machine, value);
}

function isUndefined({ terms, unwritten, solver, state }: Machine, term: Term): boolean {
  const twin = unwritten.twin(term);
  if (twin === undefined) return true;
  const mayDiffer = terms.not(terms.eq(term, twin));
  return !mayDiffer.isFalse && solver.mayBeTrue(state.constraints, mayDiffer).kind !== 'no';
}

/** Ends the path if a byte of the range was never written. */
export function requireWritten(machine: Machine, object: ObjectState, offset: number, bytes: number): void {
  if (object.isKnown(offset, bytes)) return;
  for (let i = offset; i < offset + bytes; i++) requireDefined(machine, object.byteTerm(machine, i));
}

function failUndefined(machine: Machine, term: Term): never {
  const address = machine.unwritten.firstIn(term);
  const object = machine.state.memory.find(address);
  const bytes = Math.ceil(term.width / 8);
  const were = bytes === 1 ? 'that was' : 'that were';
  const what = `use of ${count(bytes, 'byte')}`;
  if (object === undefined) return machine.fail('uninitialized-read', `${what} ${were} never written`);
  const { name, kind, bytes: size, base } = object.info;
  const owner =
    kind === 'heap' ? `a block of ${count(size, 'byte')}` : `\`${name}\` of ${count(size, 'byte')}`;
  const isWhole = name !== undefined && (bytes === size || term.width === 1);
  const message = isWhole
    ? `use of \`${name}\`, which was never written`
    : `${what} at offset ${address - base} of ${owner} ${were} never written`;
  return machine.fail('uninitialized-read', message, { object, access: { kind: 'read', bytes } });
}
