/**
 * What a program is started with, made symbolic: arguments (`--sym-args`), standard input, files.
 *
 * The C library cuts the list of arguments into strings before `main`, so it must see plain bytes then: each symbolic
 * argument is a stand-in of its full length. Just before constructors run, the bytes of the stand-ins become inputs. A
 * zero among them ends the argument early, as in C.
 */

import type { Terms } from '../../expr/terms.js';
import type { ModelHostOptions } from '../../host/model-host.js';
import type { Machine } from '../machine/machine.js';
import { TEXT } from '../memory/origin.js';
import type { SymbolicInput } from '../state/state.js';
import { SymbolicContents } from './symbolic-files.js';

export interface SymbolicStart {
  /** Between `min` and `max` arguments of at most `bytes` bytes, behind those that are given. */
  readonly arguments?: { readonly min: number; readonly max: number; readonly bytes: number };
  readonly stdinBytes?: number;
  /** Files named A, B, ... in the current folder. */
  readonly files?: { readonly count: number; readonly bytes: number };
}

const letterToFill = '\u0001';

/** The host with the symbolic files in it, and the inputs that they are. */
export function symbolicHost(
  terms: Terms,
  host: ModelHostOptions,
  start: SymbolicStart,
): { host: ModelHostOptions; inputs: SymbolicInput[] } {
  const inputs: SymbolicInput[] = [];
  const contents = (name: string, bytes: number): SymbolicContents => {
    const array = terms.symbolicArray(`${name}:${bytes}`, bytes);
    inputs.push({ name, array, meaning: TEXT });
    return new SymbolicContents(array);
  };
  const files: NonNullable<ModelHostOptions['files']> = { ...host.files };
  const { stdinBytes, files: wanted } = start;
  const stdin = stdinBytes === undefined ? host.stdin : contents('stdin', stdinBytes);
  const named = Array.from({ length: wanted?.count ?? 0 }, (_, i) => String.fromCharCode(65 + i));
  const symbolic = Object.fromEntries(named.map(name => [name, contents(name, wanted?.bytes ?? 0)]));
  return {
    host: { ...host, ...(stdin === undefined ? {} : { stdin }), files: { ...files, ...symbolic } },
    inputs,
  };
}

/** The arguments as the C library is to see them; forks over how many there are. */
export function argumentList(machine: Machine, given: readonly string[]): readonly string[] {
  const wanted = machine.symbolicStart.arguments;
  if (wanted === undefined) return given;
  return [...given, ...new Array<string>(argumentCount(machine)).fill(letterToFill.repeat(wanted.bytes))];
}

/** Decided once on each path: asking again gives the same answer. */
function argumentCount(machine: Machine): number {
  const { min, max } = machine.symbolicStart.arguments!;
  if (min === max) return min;
  const { terms, state } = machine;
  const array = terms.symbolicArray('n_args:1', 1);
  if (!state.inputs.some(input => input.array === array))
    state.inputs = [...state.inputs, { name: 'n_args', array, meaning: { as: 'unsigned' } }];
  const count = terms.read(array, terms.constant(32, 0));
  for (let n = min; n < max; n++) {
    if (machine.decide(terms.eq(count, terms.constant(8, n)))) return n;
  }
  state.add(terms.eq(count, terms.constant(8, max)));
  return max;
}

/** Turns the stand-ins into inputs. Requires that the library has set up `__rz_argv`. */
export function makeArgumentsSymbolic(machine: Machine): void {
  const wanted = machine.symbolicStart.arguments;
  const list = machine.program.variableNamed('__rz_argv');
  if (wanted === undefined || list === undefined || wanted.bytes === 0) return;
  const given = machine.state.host.arguments().length;
  const argv = machine.load(list, 8);
  const total = argumentCount(machine);
  for (let i = 0; i < total; i++) {
    const pointer = machine.load(Number(argv) + 8 * (given + i), 8);
    machine.makeSymbolic(pointer, wanted.bytes, `arg${String(i).padStart(2, '0')}`);
  }
}
