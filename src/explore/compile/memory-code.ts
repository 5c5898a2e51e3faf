/**
 * Loads and stores as JavaScript. For each root, a pointer from which others are computed, the code
 * caches the object that was last accessed through it, once for reading and once for writing.
 *
 * ```
 *   D the buffer that holds the bytes, from A to Z; B the address that offset 0 of the buffer would have; X to Y the whole object; E the epoch
 *
 *   d = p - B;
 *   if (!(d >= A && d + 4 <= Z && E === EP.now)) ask the machine, or exit
 *   r = D.getUint32(d, true)
 * ```
 *
 * Loaded words are compared with FILLER, the content of uninitialized memory, byte by byte in three
 * operations on the whole word; only if a byte is equal, the machine is called. Stored values are
 * compared likewise, so that written FILLER bytes can be distinguished.
 *
 * An epoch ends when an object that compiled code may have cached is replaced, freed or gets
 * symbolic bytes. The root must be in the object as well as the access, so that an overflow into a
 * neighbour is detected.
 */
import type { LoadInstruction, StoreInstruction } from '../../ir/model.js';
import type { Type } from '../../ir/types.js';
import { isNatural } from '../../passes/natural-alignment.js';
import { FILLER } from '../memory/unwritten.js';
import { rootOf } from '../program/root.js';
import { floatFromBits } from '../values/register-value.js';
import { Counter } from './counter.js';
import type { FunctionCode } from './function-code.js';
import { isPlainFloat } from './value-code.js';

type Accessor = 'Uint8' | 'Uint16' | 'Uint32' | 'Float32' | 'Float64' | 'Word';

function accessorOf(emitter: FunctionCode, type: Type): { accessor: Accessor; bytes: number } | undefined {
  if (isPlainFloat(type))
    return type.kind === 'float' && type.bits === 32
      ? { accessor: 'Float32', bytes: 4 }
      : { accessor: 'Float64', bytes: 8 };
  if (type.kind !== 'integer' && type.kind !== 'pointer') return undefined;
  switch (emitter.program.layout.bits(type)) {
    case 1:
    case 8:
      return { accessor: 'Uint8', bytes: 1 };
    case 16:
      return { accessor: 'Uint16', bytes: 2 };
    case 32:
      return { accessor: 'Uint32', bytes: 4 };
    case 64:
      return { accessor: 'Word', bytes: 8 };
    default:
      return undefined;
  }
}

/** The code that sets `d` to the offset of the access in the buffer of its object. */
function find(
  emitter: FunctionCode,
  access: LoadInstruction | StoreInstruction,
  bytes: number,
  how: 'readable' | 'writable',
): { code: string; data: string } {
  const { pointer } = access;
  const root = rootOf(pointer);
  const { base, first, end, low, high, data, epoch, ask } = emitter.cacheFor(root, how);
  const p = emitter.operand(pointer);
  const q = emitter.operand(root);
  const hit = [
    ...(/^\d/.test(p) ? [] : [`typeof ${p} === 'number'`]),
    `(d = ${p} - ${base}) >= ${first}`,
    `d + ${bytes} <= ${end}`,
    `${epoch} === EP.now`,
    ...(root === pointer ? [] : [`(t = ${q} - ${base}) >= ${low} && t < ${high}`]),
  ].join(' && ');
  const miss = `if (!${ask}(${p}, ${bytes}, ${q})) ${emitter.leave} d = ${p} - ${base};`;
  const misaligned = isNatural(access) ? `if ((${p} & ${bytes - 1}) !== 0) ${emitter.leave} ` : '';
  return { code: `if (!(${hit})) { ${miss} } ${misaligned}`, data };
}

export function emitLoad(emitter: FunctionCode, instruction: LoadInstruction): string | undefined {
  const access = accessorOf(emitter, instruction.type);
  if (access === undefined) return undefined;
  const { code, data } = find(emitter, instruction, access.bytes, 'readable');
  const r = emitter.result(instruction);
  const p = emitter.operand(instruction.pointer);
  const leave = (isFiller: string): string =>
    `if (${isFiller} && M.isUnwritten(${p}, ${access.bytes})) ${emitter.leave}`;
  if (access.accessor === 'Word')
    return `${code} t = ${data}.getUint32(d + 4, true); h = ${data}.getUint32(d, true); ${r} = t < 2097152 ? t * 4294967296 + h : H.fromHalves(t, h); ${leave(wordMayHoldFiller('h', 't'))}`;
  const isBit = emitter.bits(instruction) === 1;
  return `${code} ${r} = ${data}.get${access.accessor}(d, true); ${leave(mayHoldFiller(access.accessor, r))}${isBit ? ` ${r} &= 1;` : ''}`;
}

/** Whether a byte of a 32-bit word is FILLER: whether one of `k`, the difference, is zero. */
function holdsFiller(word: string, k: string): string {
  return `(${k} = ${word} ^ ${FILLER * 0x01010101}, (${k} - 0x01010101 & ~${k} & 0x80808080) !== 0)`;
}

/**
 * The same for two words. Pointers contain such bytes by chance from time to time, so new code
 * always asks: V8 must have seen this case before it optimises (see `Runner.leaveSoon`).
 */
function wordMayHoldFiller(low: string, high: string): string {
  return `(${holdsFiller(low, 'k')} || ${holdsFiller(high, 'k')} || C[${Counter.isNew}] !== 0)`;
}

/** A test of a value that is true if all its bytes are FILLER, and for integers if any is. */
function mayHoldFiller(accessor: Exclude<Accessor, 'Word'>, value: string): string {
  switch (accessor) {
    case 'Uint8':
      return `${value} === ${FILLER}`;
    case 'Uint16':
      return `((${value} & 255) === ${FILLER} || ${value} >> 8 === ${FILLER})`;
    case 'Uint32':
      return holdsFiller(value, 'k');
    case 'Float32':
      return `${value} === ${floatFromBits(32, FILLER * 0x01010101)}`;
    case 'Float64':
      return `${value} === ${floatFromBits(64, BigInt(FILLER) * 0x0101010101010101n)}`;
  }
}

export function emitStore(emitter: FunctionCode, instruction: StoreInstruction): string | undefined {
  const access = accessorOf(emitter, instruction.value.type);
  if (access === undefined) return undefined;
  const { code, data } = find(emitter, instruction, access.bytes, 'writable');
  const value = emitter.operand(instruction.value);
  const p = emitter.operand(instruction.pointer);
  const mark = (isFiller: string): string => `if (${isFiller}) M.markWritten(${p}, ${access.bytes});`;
  if (access.accessor === 'Word')
    return `${code} if (typeof ${value} === 'number') { h = ${value} / 4294967296; ${data}.setUint32(d, ${value}, true); ${data}.setUint32(d + 4, h, true); ${mark(wordMayHoldFiller(value, 'h'))} } else { ${data}.setBigUint64(d, ${value}, true); M.markWritten(${p}, 8); }`;
  const store = `${code} ${data}.set${access.accessor}(d, ${value}, true);`;
  // The bytes of a float may be read one by one later, so each counts.
  if (access.accessor === 'Float32')
    return `${store} h = ${data}.getUint32(d, true); ${mark(holdsFiller('h', 'k'))}`;
  if (access.accessor === 'Float64')
    return `${store} h = ${data}.getUint32(d, true); t = ${data}.getUint32(d + 4, true); ${mark(wordMayHoldFiller('h', 't'))}`;
  return `${store} ${mark(mayHoldFiller(access.accessor, value))}`;
}
