/**
 * The value types of WebAssembly, and for each memory instruction the types of the operands that
 * lie above the address on the stack.
 *
 *     i32.store      [addr] [i32]            -> 'above' is [i32]
 *     atomic.cmpxchg [addr] [expected] [new] -> 'above' is [t, t]
 *     i32.load       [addr]                  -> 'above' is []
 */
import { assert } from '../support/assert.js';

export type ValueType = number;
export const i32 = 0x7f;
export const i64 = 0x7e;
export const f32 = 0x7d;
export const f64 = 0x7c;
export const v128 = 0x7b;

const none: readonly ValueType[] = [];
const oneOf = {
  [i32]: [i32],
  [i64]: [i64],
  [f32]: [f32],
  [f64]: [f64],
} as const satisfies Record<number, readonly ValueType[]>;
const oneV128: readonly ValueType[] = [v128];

/**
 * Operands above the address, for the one-byte memory instructions 0x28 (i32.load) to 0x3e
 * (i64.store32).
 */
export const aboveAddress: readonly (readonly ValueType[])[] = [
  ...new Array<readonly ValueType[]>(0x36 - 0x28).fill(none),
  ...[i32, i64, f32, f64, i32, i32, i64, i64, i64].map(type => oneOf[type as keyof typeof oneOf]),
];

/**
 * The same for the vector instructions (prefix 0xfd); undefined for those that do not touch memory.
 */
export function aboveVectorAddress(opcode: number): readonly ValueType[] | undefined {
  if (opcode <= 0x0a || opcode === 0x5c || opcode === 0x5d) return none;
  if (opcode === 0x0b || isLaneAccess(opcode)) return oneV128;
  return undefined;
}

/** v128.load8_lane … v128.store64_lane: a lane number follows the memory argument. */
export function isLaneAccess(opcode: number): boolean {
  return opcode >= 0x54 && opcode <= 0x5b;
}

/**
 * The widths of each family of atomic instructions come in this order: i32, i64, i32.8, i32.16,
 * i64.8, i64.16, i64.32.
 */
const atomicTypes: readonly ValueType[] = [i32, i64, i32, i32, i64, i64, i64];

/** The same for the atomic instructions (prefix 0xfe) other than the fence. */
export function aboveAtomicAddress(opcode: number): readonly ValueType[] {
  if (opcode === 0x00) return [i32];
  if (opcode === 0x01) return [i32, i64];
  if (opcode === 0x02) return [i64, i64];
  assert(opcode >= 0x10 && opcode <= 0x4e, `unknown atomic instruction 0x${opcode.toString(16)}`);
  if (opcode <= 0x16) return none;
  const type = atomicTypes[(opcode - 0x10) % atomicTypes.length]!;
  return opcode >= 0x48 ? [type, type] : [type];
}
