/**
 * Makes the initial environment of a program symbolic: arguments (`--sym-args`), standard input,
 * files.
 *
 * The C library splits the list of arguments into strings before `main`, so it must see concrete
 * bytes then: each symbolic argument is a placeholder of its full length. Just before constructors
 * run, the bytes of the placeholders become symbolic. A zero among them ends the argument early, as
 * in C.
 */

import type { Terms } from '../../expr/terms.js';
import type { ModelHostOptions } from '../../host/model-host.js';
import { load, resolve } from '../access/access.js';
import { TEXT } from '../memory/origin.js';
import type { Accesses, Running } from '../state/running.js';
import type { SymbolicInput, SymbolicStart } from '../state/state.js';
import type { Scalar } from '../values/register-value.js';
import { TermContents } from './symbolic-files.js';

/** A path at its beginning, and which parts of its environment are symbolic. */
export type Starting = Accesses & Pick<Running, 'program' | 'symbolicStart'>;

const letterToFill = '\u0001';

/** The host with the symbolic files in it, and the inputs that they are. */
export function symbolicHost(
  terms: Terms,
  host: ModelHostOptions,
  start: SymbolicStart,
): { host: ModelHostOptions; inputs: SymbolicInput[] } {
  const inputs: SymbolicInput[] = [];
  const contents = (name: string, kind: 'stdin' | 'file', bytes: number): TermContents => {
    const array = terms.symbolicArray(`${name}:${bytes}`, bytes);
    inputs.push({ name, kind, array, meaning: TEXT });
    return TermContents.ofInput(terms, array);
  };
  const files: NonNullable<ModelHostOptions['files']> = { ...host.files };
  const { stdinBytes, files: wanted } = start;
  const stdin = stdinBytes === undefined ? host.stdin : contents('stdin', 'stdin', stdinBytes);
  const named = Array.from({ length: wanted?.count ?? 0 }, (_, i) => String.fromCharCode(65 + i));
  const symbolic = Object.fromEntries(named.map(name => [name, contents(name, 'file', wanted?.bytes ?? 0)]));
  return {
    host: {
      ...host,
      ...(stdin === undefined ? {} : { stdin }),
      files: { ...files, ...symbolic },
      newContents: bytes => TermContents.of(bytes),
    },
    inputs,
  };
}

/** The arguments for the C library; forks over their number. */
export function argumentList(machine: Starting, given: readonly string[]): readonly string[] {
  const wanted = machine.symbolicStart.arguments;
  if (wanted === undefined) return given;
  return [...given, ...new Array<string>(argumentCount(machine)).fill(letterToFill.repeat(wanted.bytes))];
}

/** Decided once on each path: further calls return the same number. */
function argumentCount(machine: Starting): number {
  const { min, max } = machine.symbolicStart.arguments!;
  if (min === max) return min;
  const { terms, state } = machine;
  const array = terms.symbolicArray('n_args:1', 1);
  if (!state.inputs.some(input => input.array === array))
    state.inputs = [...state.inputs, { name: 'n_args', kind: 'named', array, meaning: { as: 'unsigned' } }];
  const count = terms.read(array, terms.constant(32, 0));
  for (let n = min; n < max; n++) {
    if (machine.decide(terms.eq(count, terms.constant(8, n)))) return n;
  }
  state.add(terms.eq(count, terms.constant(8, max)));
  return max;
}

/** Makes the placeholders symbolic. Requires that the library has set up `__rz_argv`. */
export function makeArgumentsSymbolic(machine: Starting): void {
  const wanted = machine.symbolicStart.arguments;
  const list = machine.program.variableNamed('__rz_argv');
  if (wanted === undefined || list === undefined || wanted.bytes === 0) return;
  const given = machine.state.host.arguments().length;
  const argv = load(machine, list, 8);
  const total = argumentCount(machine);
  for (let i = 0; i < total; i++) {
    const pointer = load(machine, Number(argv) + 8 * (given + i), 8);
    makeSymbolic(machine, pointer, wanted.bytes, `arg${String(i).padStart(2, '0')}`, 'argument');
  }
}

/** Makes bytes of memory an input of the program. The n-th input of a name has its own array. */
export function makeSymbolic(
  machine: Accesses,
  pointer: Scalar,
  bytes: number,
  name: string,
  kind: 'argument' | 'named' = 'named',
): void {
  const { terms, state } = machine;
  const target = resolve(machine, pointer, bytes, 'write');
  const start = Number(machine.concretize(target.offset, 'the symbolic start of an input'));
  const uses = state.inputs.filter(input => input.name === name).length;
  const array = terms.symbolicArray(`${uses === 0 ? name : `${name}#${uses}`}:${bytes}`, bytes);
  state.memory.writable(target.object).writeInput(terms, array, start);
  const meaning = /^arg\d\d$/.test(name) ? TEXT : target.object.origin.meaning;
  state.inputs = [...state.inputs, { name, kind, array, meaning }];
}
