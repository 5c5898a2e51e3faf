/**
 * Labels, sources and sinks on a path: the functions of `<redzone.h>`, the inputs from the host,
 * and the calls that `labels/insert-flow-calls.ts` has inserted.
 *
 * A sink ends only one path: the path forks; one state ends with the finding and its test, and the
 * other continues and does not report the same location again.
 */
import { Op, type Term } from '../../expr/term.js';
import type { FlowSource } from '../../findings/facts.js';
import type { SourceLocation } from '../../findings/finding.js';
import type { DataLayout } from '../../ir/data-layout.js';
import type { CallInstruction } from '../../ir/model.js';
import type { Type } from '../../ir/types.js';
import { type SinkKind, secretName, sinkKinds } from '../../labels/flow-rules.js';
import type { FlowIntrinsic } from '../../labels/insert-flow-calls.js';
import { load, resolve } from '../access/access.js';
import { labelledArray, labelsOn, withLabel } from '../access/labelled-values.js';
import type { TermBytes } from '../inputs/symbolic-files.js';
import type { Native } from '../state/decoded.js';
import { makeFinding, occurrenceAt } from '../state/make-finding.js';
import { type Label, united } from '../state/path-labels.js';
import type { Accesses, Running } from '../state/running.js';
import {
  bitsOfFloat,
  isAggregate,
  isSymbolic,
  type Known,
  type RegisterValue,
  type Scalar,
} from '../values/register-value.js';
import { textAt } from './text.js';

/** The number of bits of a `dfsan_label`; further names share the last one. */
const mostNames = 32;

/** Used as a size: all bytes up to a zero. */
const untilZero = (1n << 64n) - 1n;

function here(machine: Accesses): SourceLocation {
  return occurrenceAt(machine.trace()).location;
}

// ---------------------------------------------------------------------------------------- memory

interface Bytes {
  readonly pointer: Scalar;
  readonly count: number;
}

/** The bytes that a call names, within the object. A text ends before a concrete zero. */
function bytesOf(machine: Accesses, pointer: Scalar, count: Scalar): Bytes {
  const wanted = machine.fewValues(count, 'the symbolic length of a range');
  const address = machine.fewValues(pointer, 'a symbolic pointer');
  const object = machine.state.memory.find(Number(address));
  const room = object === undefined ? 0 : object.info.base + object.info.bytes - Number(address);
  if (BigInt(wanted) !== untilZero)
    return {
      pointer: address,
      count: Math.max(0, Math.min(Number(BigInt.asIntN(64, BigInt(wanted))), room)),
    };
  let n = 0;
  while (n < room && load(machine, Number(address) + n, 1) !== 0) n++;
  return { pointer: address, count: n };
}

/** The union of the labels of all bytes. */
function labelOfBytes(machine: Running, { pointer, count }: Bytes): Label | undefined {
  let label: Label | undefined;
  for (let i = 0; i < count; i++)
    label = united(label, labelOf(machine, load(machine, Number(pointer) + i, 1)));
  return label;
}

function labelOf(machine: Running, value: RegisterValue): Label | undefined {
  if (isAggregate(value))
    return value.reduce<Label | undefined>((label, part) => united(label, labelOf(machine, part)), undefined);
  return isSymbolic(value) ? machine.flows.labelOf(machine.state, value) : undefined;
}

/**
 * Changes the labels of bytes in memory. An uninitialized byte has none. `labelFor` receives the
 * current label of a byte and returns the new one.
 */
function relabel(
  machine: Running,
  { pointer, count }: Bytes,
  labelFor: (i: number, old: Label | undefined) => Label | undefined,
): void {
  if (count === 0) return;
  const { terms, state, unwritten } = machine;
  const { object, offset } = resolve(machine, pointer, count, 'read');
  const changes: { readonly at: number; readonly byte: Term; readonly label: Label }[] = [];
  for (let i = 0; i < count; i++) {
    const byte = object.byteTerm(machine, Number(offset) + i);
    if (unwritten.isIn(byte)) continue;
    const old = labelOf(machine, byte);
    const label = labelFor(i, old);
    if (label !== old) changes.push({ at: i, byte, label: label ?? { names: [] } });
  }
  if (changes.length === 0) return;
  const array = labelledArray(
    machine,
    changes.map(({ label }) => label),
  );
  const target = state.memory.writable(object);
  for (const [i, { at, byte }] of changes.entries()) {
    const renamed = terms.read(array, terms.constant(32, i));
    state.add(terms.eq(renamed, byte));
    target.writeByte(Number(offset) + at, renamed);
  }
}

// ---------------------------------------------------------------------------------------- sinks

/** Reports a label that reaches a sink, once for each requested name. */
function reach(machine: Running, label: Label | undefined, sink: SinkKind): void {
  if (label === undefined) return;
  const { taint, secrets, rules } = machine.flows.request;
  const isOf = (names: readonly string[]): boolean => label.names.some(name => names.includes(name));
  const sources = rules.flatMap(({ role, name }) => (role === 'source' ? [name ?? ''] : []));
  const isForSecrets = sink === 'branch' || sink === 'lookup' || sink === 'extent';
  if (!isForSecrets && isOf([...taint, ...sources])) report(machine, label, sink, false);
  if ((isForSecrets || sink === 'index') && isOf([...secrets, secretName]))
    report(machine, label, sink, true);
}

function report(machine: Running, label: Label, sink: SinkKind, isSecret: boolean): void {
  const { names, source } = label;
  const facts = { kind: 'flow' as const, sink, isSecret, names, ...(source && { source }), way: [] };
  const finding = makeFinding(facts, machine.trace());
  const { file, line, column } = finding.location;
  const key = `${finding.code} ${sink} ${file}:${line}:${column}`;
  if (machine.isUnchecked(finding.code) || machine.state.labels?.reported.has(key)) return;
  machine.forkFreely(other => {
    const labels = labelsOn(other);
    labels.reported = new Set([...labels.reported, key]);
  });
  machine.end({ kind: 'finding', finding });
}

// --------------------------------------------------------------------- inserted calls, by rules

/** The native of an intrinsic of `labels/insert-flow-calls.ts`. */
export function flowIntrinsic(layout: DataLayout, call: CallInstruction, name: string): Native | undefined {
  return name.startsWith('llvm.rz.flow.') ? intrinsics[name as FlowIntrinsic](layout, call.type) : undefined;
}

const intrinsics: Readonly<Record<FlowIntrinsic, (layout: DataLayout, type: Type) => Native>> = {
  'llvm.rz.flow.sink': () => (machine, args) => {
    reach(machine, labelOf(machine, args[1]), kindOf(args[0]));
    return undefined;
  },
  'llvm.rz.flow.sink.bytes':
    () =>
    (machine, [kind, pointer, count]) => {
      reach(machine, labelOfBytes(machine, bytesOf(machine, pointer, count)), kindOf(kind));
      return undefined;
    },
  'llvm.rz.flow.source':
    () =>
    (machine, [rule, pointer, count]) => {
      const { names, source } = labelOfRule(machine, Number(rule));
      relabel(machine, bytesOf(machine, pointer, count), at => ({
        names,
        source: { ...source, first: at, last: at },
      }));
      return undefined;
    },
  'llvm.rz.flow.sanitize':
    () =>
    (machine, [, pointer, count]) => {
      relabel(machine, bytesOf(machine, pointer, count), () => undefined);
      return undefined;
    },
  'llvm.rz.flow.source.value':
    (layout, type) =>
    (machine, [rule, value]) =>
      changed(machine, layout, type, value, labelOfRule(machine, Number(rule))),
  'llvm.rz.flow.sanitize.value':
    (layout, type) =>
    (machine, [, value]) =>
      labelOf(machine, value) === undefined ? value : changed(machine, layout, type, value, { names: [] }),
};

/** Structures keep their labels. */
function changed(machine: Running, layout: DataLayout, type: Type, value: RegisterValue, label: Label) {
  const isScalar = type.kind === 'integer' || type.kind === 'pointer' || type.kind === 'float';
  if (!isScalar || isAggregate(value)) return value;
  const isFloat = type.kind === 'float' && (type.format === 'float' || type.format === 'double');
  // Values in compiled code are concrete.
  if (machine.runner.isRunning) machine.runner.abandon();
  const bits = layout.bits(type);
  const word = typeof value !== 'object' && isFloat ? bitsOfFloat(bits, Number(value)) : value;
  return withLabel(machine, word, bits, label);
}

function kindOf(number: RegisterValue): SinkKind {
  return sinkKinds[Number(number)] ?? 'call';
}

function labelOfRule(machine: Running, number: number): { names: string[]; source: FlowSource } {
  const rule = machine.flows.request.rules[number]!;
  const source = {
    what: 'function' as const,
    name: rule.function,
    first: 0,
    last: 0,
    location: here(machine),
  };
  return { names: [rule.name ?? ''], source };
}

// --------------------------------------------------------------------------------------- inputs

/** A call that has read bytes of a file or of standard input. */
export interface Reading {
  readonly handle: number;
  readonly to: Known;
  readonly buffer: TermBytes;
  readonly count: number;
  /** In the file. */
  readonly position: number;
}

/** Labels bytes that were read into memory. */
export function labelRead(machine: Running, { handle, to: pointer, buffer, count, position }: Reading): void {
  const name = handle === 0 ? 'stdin' : 'files';
  const { state, flows } = machine;
  const labels = labelsOn(state);
  const first = handle === 0 ? labels.stdinBytes : position;
  if (handle === 0) labels.stdinBytes += count;
  const location = here(machine);
  const inputs = new Map(state.inputs.map(input => [input.array, input]));
  const isInput = (i: number): boolean => {
    const term = buffer.terms.get(i);
    if (term?.op !== Op.Read || term.array?.kind !== 'symbolic' || term.a.op !== Op.Const) return false;
    const kind = inputs.get(term.array)?.kind;
    if (kind !== 'stdin' && kind !== 'file') return false;
    const at = Number(term.a.value);
    labels.arrive(term.array, at, at, location);
    return true;
  };
  const isOfInput = Array.from({ length: count }, (_, i) => isInput(i));
  if (!flows.isNamed(name)) return;
  const what = handle === 0 ? ('stdin' as const) : ('file' as const);
  const path = handle === 0 ? '' : (labels.files.get(handle) ?? '');
  relabel(machine, { pointer, count }, (i, old) => {
    if (isOfInput[i]) return old;
    const source = { what, name: path, first: first + i, last: first + i, location };
    return united({ names: [name], source }, old);
  });
}

/** Records the path of a file that was opened. */
export function noteOpened(machine: Running, handle: number, path: string): void {
  if (handle < 0 || !machine.flows.isNamed('files')) return;
  const labels = labelsOn(machine.state);
  labels.files = new Map([...labels.files, [handle, path]]);
}

/** Labels the last input of the path, which the program has requested. */
export function noteInput(machine: Running): void {
  const input = machine.state.inputs.at(-1);
  if (input === undefined || !machine.flows.isNamed(input.name)) return;
  labelsOn(machine.state).arrive(input.array, 0, input.array.byteLength - 1, here(machine));
}

/** Labels the arguments and the environment of the program, before `main`. */
export function labelStart(machine: Running): void {
  const { flows, state, program } = machine;
  const texts = (variable: string, count: number): Scalar[] => {
    const at = program.variableNamed(variable);
    if (at === undefined) return [];
    const list = Number(load(machine, at, 8));
    return Array.from({ length: count }, (_, i) => load(machine, list + 8 * i, 8));
  };
  const give = (
    pointer: Scalar,
    from: number,
    name: string,
    source: Pick<FlowSource, 'what' | 'name'>,
  ): void => {
    const { count } = bytesOf(machine, pointer, untilZero);
    relabel(machine, { pointer: Number(pointer) + from, count: Math.max(0, count - from) }, at => ({
      names: [name],
      source: { ...source, first: at, last: at },
    }));
  };
  const given = state.host.arguments();
  if (flows.isNamed('args'))
    for (const [i, pointer] of texts('__rz_argv', given.length).entries())
      if (i > 0) give(pointer, 0, 'args', { what: 'argument', name: `${i}` });
  if (!flows.isNamed('env')) return;
  const variables = state.host.environment();
  for (const [i, pointer] of texts('environ', variables.length).entries()) {
    const [name] = variables[i]!.split('=', 1) as [string];
    const from = new TextEncoder().encode(name).length + 1;
    give(pointer, from, 'env', { what: 'variable', name });
  }
}

// --------------------------------------------------------------------- functions of <redzone.h>

function setOf(machine: Running, name: string): number {
  const labels = labelsOn(machine.state);
  let number = labels.names.indexOf(name);
  if (number < 0) {
    number = Math.min(labels.names.length, mostNames - 1);
    if (labels.names.length < mostNames) labels.names = [...labels.names, name];
  }
  return (1 << number) >>> 0;
}

function namesIn(machine: Running, set: number): string[] {
  return labelsOn(machine.state).names.filter((_, i) => ((set >>> i) & 1) === 1);
}

function setOfBytes(machine: Running, bytes: Bytes): number {
  const names = labelOfBytes(machine, bytes)?.names ?? [];
  return names.reduce((set, name) => (set | setOf(machine, name)) >>> 0, 0);
}

const labelSet = (machine: Running, set: Scalar): number =>
  Number(machine.fewValues(set, 'a symbolic argument of the host'));

export const labelNatives: Record<string, Native> = {
  __rz_label_named: (machine, [name]) => setOf(machine, textAt(machine, name)),
  /** Sources have no numbers here. */
  __rz_label_given: () => 0,
  __rz_label_names: (machine, [pointer, count]) => setOfBytes(machine, bytesOf(machine, pointer, count)),
  __rz_label_text: (machine, [set, to, room]) => {
    const names = namesIn(machine, labelSet(machine, set)).join(',');
    const text = new TextEncoder().encode(names).subarray(0, Number(room) - 1);
    const { object, offset } = resolve(machine, to, text.length + 1, 'write');
    const target = machine.state.memory.writable(object);
    for (const [i, byte] of [...text, 0].entries()) target.writeByte(Number(offset) + i, byte);
    return text.length;
  },
  __rz_label_add: (machine, [pointer, count, set]) => {
    const names = namesIn(machine, labelSet(machine, set));
    const location = here(machine);
    relabel(machine, bytesOf(machine, pointer, count), (at, old) => {
      const source = { what: 'label' as const, name: names.join(', '), first: at, last: at, location };
      return united({ names, source }, old);
    });
    return undefined;
  },
  __rz_label_sanitize: (machine, [pointer, count]) => {
    relabel(machine, bytesOf(machine, pointer, count), () => undefined);
    return undefined;
  },
  __rz_label_expect_none: (machine, [pointer, count, set]) => {
    const names = namesIn(machine, labelSet(machine, set));
    const { pointer: first, count: bytes } = bytesOf(machine, pointer, count);
    let label: Label | undefined;
    for (let i = 0; i < bytes; i++) {
      const ofByte = labelOf(machine, load(machine, Number(first) + i, 1));
      if (ofByte?.names.some(name => names.includes(name))) label = united(label, ofByte);
    }
    if (label !== undefined) report(machine, label, 'expected-none', false);
    return undefined;
  },
};
