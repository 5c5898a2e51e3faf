/**
 * Calls of external functions, in the libraries that `--external` names.
 *
 * As in the KDALLOC paper (section 5.3) the objects of the state are copied to their own addresses,
 * the function runs, and its changes are copied back. It runs in a separate process, so that a
 * crash or hang is a finding on one path. Everything that it may read is concretized, for the rest
 * of the path too: the arguments and the objects to which they point.
 */
import type { Evaluator } from '../../expr/evaluate.js';
import * as V from '../../expr/value.js';
import type { CallInstruction } from '../../ir/model.js';
import type { Type } from '../../ir/types.js';
import { Region } from '../../kdalloc/index.js';
import {
  type NativeCalls,
  type NativeRange,
  type NativeRegion,
  type NativeReply,
  type NativeType,
  startNativeCalls,
} from '../../platform/native-calls.js';
import type { ObjectState } from '../memory/object-state.js';
import type { Decisions, ExternalCalls } from '../state/running.js';
import type { Known, RegisterValue, Scalar } from '../values/register-value.js';

/** The time limit of a function, unless another is given. */
const MOST_MILLISECONDS = 10_000;

export class ExternalFunctions implements ExternalCalls {
  readonly #libraries: readonly string[];
  readonly #regions: readonly NativeRegion[];
  readonly #milliseconds: number;
  #calls: NativeCalls | undefined;
  /** The number of calls. */
  count = 0;

  /** Regions in the order of `Region`: constants first. */
  constructor(
    libraries: readonly string[],
    regions: readonly NativeRegion[],
    milliseconds: number = MOST_MILLISECONDS,
  ) {
    this.#libraries = libraries;
    this.#regions = regions;
    this.#milliseconds = milliseconds;
  }

  close(): void {
    this.#calls?.close();
  }

  /** The function's result; undefined if it has none. Fails if there is no such function. */
  call(
    machine: Decisions,
    name: string,
    call: CallInstruction,
    args: readonly Scalar[],
  ): RegisterValue | undefined {
    const types = call.args.map(({ type }) => nativeType(type));
    const result = call.type.kind === 'void' ? 'void' : nativeType(call.type);
    if (call.functionType.variadic || result === undefined || types.some(type => type === undefined))
      return machine.fail({ kind: 'external', name, outcome: { kind: 'types' } });
    const values = args.map((arg, i) => known(machine, types[i]!, arg));
    const reached = new Set<ObjectState['info']>();
    for (const value of values) if (typeof value === 'bigint') fixObjects(machine, Number(value), reached);
    const objects = [Region.globals, Region.stack, Region.heap].flatMap(region => [
      ...machine.state.memory.objects(region),
    ]);
    const evaluator = machine.runOnTest();
    const ranges = objects.filter(isPlain).map(object => rangeOf(object, evaluator));
    const constants = machine.state.memory.objects(Region.constants).filter(isPlain);
    this.#calls ??= startNativeCalls();
    this.count++;
    const reply = this.#calls.call(
      {
        libraries: this.#libraries,
        name,
        result,
        types: types as NativeType[],
        values,
        regions: this.#regions,
        ranges,
        constants: constants.map(object => rangeOf(object, evaluator)),
      },
      this.#milliseconds,
    );
    return this.#finish(machine, name, call.type, ranges, reply);
  }

  #finish(
    machine: Decisions,
    name: string,
    type: Type,
    before: readonly NativeRange[],
    reply: NativeReply,
  ): RegisterValue | undefined {
    switch (reply.kind) {
      case 'unavailable':
        return machine.fail({ kind: 'external', name, outcome: reply });
      case 'crashed':
        return machine.fail({ kind: 'external', name, outcome: reply });
      case 'late':
        return machine.fail({
          kind: 'external',
          name,
          outcome: { kind: 'late', seconds: this.#milliseconds / 1000 },
        });
      case 'done':
        takeBack(machine, before, reply.changed);
        if (reply.value === undefined) return undefined;
        return type.kind === 'float' ? Number(reply.value) : V.toValue(widthOf(type), BigInt(reply.value));
    }
  }
}

const isPlain = ({ life, info }: ObjectState): boolean => life === 'live' && info.bytes > 0;

function widthOf(type: Type): number {
  return type.kind === 'integer' ? type.bits : 64;
}

function nativeType(type: Type): NativeType | undefined {
  if (type.kind === 'pointer') return 'uint64';
  if (type.kind === 'float') return type.bits === 32 ? 'float' : type.bits === 64 ? 'double' : undefined;
  if (type.kind !== 'integer' || ![8, 16, 32, 64].includes(type.bits)) return undefined;
  return `int${type.bits}` as NativeType;
}

function known(machine: Decisions, type: NativeType, value: Scalar): number | bigint {
  if (type === 'float' || type === 'double') return machine.float(type === 'float' ? 32 : 64, value);
  const one: Known = machine.concretize(value, 'a symbolic argument of an external function');
  if (type === 'uint64') return BigInt(one);
  const bits = Number(type.slice('int'.length));
  const signed = V.toSigned(bits, one);
  return bits === 64 ? BigInt(signed) : Number(signed);
}

/** Concretizes the object to which an argument points, and those that are reachable from it. */
function fixObjects(machine: Decisions, first: number, reached: Set<ObjectState['info']>): void {
  const { memory } = machine.state;
  const waiting = [first];
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    const object = memory.find(address);
    if (object?.life !== 'live' || reached.has(object.info)) continue;
    reached.add(object.info);
    for (const [i, term] of [...object.symbolicBytes()]) {
      // Only the objects that are passed directly must be initialized.
      if (address !== first && machine.unwritten.isIn(term)) continue;
      const value = machine.concretize(term, 'symbolic memory of an external function');
      memory.writable(memory.current(object.info)).writeByte(i, value);
    }
    const { bytes } = memory.current(object.info);
    const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at + 8 <= bytes.byteLength; at += 8) {
      const word = words.getBigUint64(at, true);
      if (word > 0n && word <= Number.MAX_SAFE_INTEGER) waiting.push(Number(word));
    }
  }
}

function rangeOf(object: ObjectState, evaluator: Evaluator): NativeRange {
  return { address: object.info.base, bytes: object.bytesOn(evaluator).slice() };
}

/** Copies changed bytes back; all others stay symbolic. */
function takeBack(machine: Decisions, before: readonly NativeRange[], changed: readonly NativeRange[]): void {
  const old = new Map(before.map(range => [range.address, range.bytes]));
  for (const { address, bytes } of changed) {
    const { memory } = machine.state;
    const object = memory.writable(memory.find(address)!);
    const was = old.get(address)!;
    for (let i = 0; i < bytes.length; i++) if (bytes[i] !== was[i]) object.writeByte(i, bytes[i]!);
  }
}
