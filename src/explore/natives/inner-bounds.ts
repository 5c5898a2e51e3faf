/** What clang calls when an index leaves an array inside of an object (`passes/inner-bounds.ts`): this path ends with a finding. */
import { elementUses } from '../../passes/inner-bounds.js';
import { count, describe, overflowCodes, resolve } from '../access.js';
import type { Machine } from '../machine.js';
import type { Scalar, Value } from '../value.js';
import { bytesAt, textAt } from './text.js';

export function failInnerBounds(machine: Machine, args: readonly Value[]): never {
  const [data, index, array, elementBytes, use, bytes] = args.map(each =>
    Number(BigInt.asIntN(64, BigInt(machine.concretizeQuietly(each as Scalar)))),
  ) as [number, number, number, number, number, number];
  const kind = elementUses[use] === 'write' ? 'write' : 'read';
  const isAddress = elementUses[use] === 'address';
  // Outside of the object, or if it is gone, that is what is reported.
  const { object } = resolve(machine, array + index * elementBytes, Math.max(bytes, 1), kind, array);
  const name = arrayName(machine, data);
  const place = `${index} of ${/^`[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
  const what = isAddress
    ? `address of element ${place}`
    : `${kind} of ${count(bytes, 'byte')} at index ${place}`;
  return machine.fail(overflowCodes[object.info.kind], `${what} inside of ${describe(object)}`, {
    object,
    label: `${index < 0 ? 'before the start' : 'past the end'} of the array`,
    ...(!isAddress && { access: { kind, bytes } }),
  });
}

/** clang describes the array behind the place, as a number and a text: `'int[4]'`, or `'row' (aka 'int[4]')`. */
function arrayName(machine: Machine, data: number): string {
  const type = new DataView(bytesAt(machine, data + 16, 8).buffer).getBigUint64(0, true);
  return textAt(machine, Number(type) + 4).replace(/^'(.*?)'.*$/, '`$1`');
}
