/**
 * Loads and stores as JavaScript. For each pointer that others are computed from, its root, the code remembers the object that
 * was last accessed through it, once for reading and once for writing.
 *
 * ```
 *   D the buffer that holds the object, from A to Z; B the address that offset 0 of the buffer would have; E the epoch
 *
 *   d = p - B;
 *   if (!(d >= A && d + 4 <= Z && E === EP.now)) ask the machine, or leave
 *   r = D.getUint32(d, true)
 * ```
 *
 * An epoch lasts while no object that somebody may remember is replaced, freed or gets symbolic bytes. The root must lie in
 * the object as well as the access: an overflow into a neighbour is one.
 */
import type { Value as IrValue, LoadInstruction, StoreInstruction } from '../../ir/model.js';
import type { Type } from '../../ir/types.js';
import type { Emitter } from './emit.js';
import { isPlainFloat } from './value-code.js';

type Accessor = 'Uint8' | 'Uint16' | 'Uint32' | 'Float32' | 'Float64' | 'Word';

function accessorOf(emitter: Emitter, type: Type): { accessor: Accessor; bytes: number } | undefined {
  if (isPlainFloat(type))
    return type.kind === 'float' && type.bits === 32
      ? { accessor: 'Float32', bytes: 4 }
      : { accessor: 'Float64', bytes: 8 };
  if (type.kind !== 'integer' && type.kind !== 'pointer') return undefined;
  switch (emitter.program.layout.bits(type)) {
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

/** The code that makes `d` the offset of the access in the buffer of its object. */
function find(
  emitter: Emitter,
  pointer: IrValue,
  bytes: number,
  how: 'readable' | 'writable',
): { code: string; data: string } {
  let root = pointer;
  while (root.kind === 'instruction' && root.op === 'getelementptr') root = root.base;
  const { base, first, end, data, epoch } = emitter.cacheFor(root, how);
  const p = emitter.operand(pointer);
  const q = emitter.operand(root);
  const hit = [
    ...(/^\d/.test(p) ? [] : [`typeof ${p} === 'number'`]),
    `(d = ${p} - ${base}) >= ${first}`,
    `d + ${bytes} <= ${end}`,
    `${epoch} === EP.now`,
    ...(root === pointer ? [] : [`(t = ${q} - ${base}) >= ${first} && t < ${end}`]),
  ].join(' && ');
  const remember = `${first} = t.start; ${base} = t.info.base - ${first}; ${end} = ${first} + t.info.bytes; ${data} = t.view; ${epoch} = EP.now; d = ${p} - ${base};`;
  const miss = `t = M.${how}(${p}, ${bytes}, ${q}); if (t === null) ${emitter.leave} ${remember}`;
  return { code: `if (!(${hit})) { ${miss} }`, data };
}

export function emitLoad(emitter: Emitter, instruction: LoadInstruction): string | undefined {
  const access = accessorOf(emitter, instruction.type);
  if (access === undefined) return undefined;
  const { code, data } = find(emitter, instruction.pointer, access.bytes, 'readable');
  const r = emitter.result(instruction);
  if (access.accessor === 'Word')
    return `${code} t = ${data}.getUint32(d + 4, true); ${r} = t < 2097152 ? t * 4294967296 + ${data}.getUint32(d, true) : H.fromHalves(t, ${data}.getUint32(d, true));`;
  return `${code} ${r} = ${data}.get${access.accessor}(d, true);`;
}

export function emitStore(emitter: Emitter, instruction: StoreInstruction): string | undefined {
  const access = accessorOf(emitter, instruction.value.type);
  if (access === undefined) return undefined;
  const { code, data } = find(emitter, instruction.pointer, access.bytes, 'writable');
  const value = emitter.operand(instruction.value);
  if (access.accessor === 'Word')
    return `${code} if (typeof ${value} === 'number') { ${data}.setUint32(d, ${value}, true); ${data}.setUint32(d + 4, ${value} / 4294967296, true); } else ${data}.setBigUint64(d, ${value}, true);`;
  return `${code} ${data}.set${access.accessor}(d, ${value}, true);`;
}
