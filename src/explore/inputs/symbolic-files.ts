/**
 * Files whose bytes are inputs: standard input of `--sym-stdin`, the files of `--sym-files`.
 *
 * To the modelled host such a file is one of zero bytes; when the program reads it, the bytes that arrive in memory are the
 * terms. Writing to it makes it an ordinary file.
 */

import type { SymbolicArray } from '../../expr/term.js';
import { ByteContents, type Contents } from '../../host/contents.js';
import { CURRENT } from '../../host/wire.js';
import { resolve } from '../access/access.js';
import type { Accesses } from '../state/running.js';
import { known, type Scalar } from '../values/value.js';

export class SymbolicContents implements Contents {
  constructor(readonly array: SymbolicArray) {}

  get size(): number {
    return this.array.byteLength;
  }

  read(memory: Uint8Array, start: number, length: number, offset: number): number {
    const count = Math.max(0, Math.min(length, this.size - offset));
    memory.fill(0, start, start + count);
    return count;
  }

  write(): void {}

  truncate(): void {}

  clone(): Contents {
    return new ByteContents(new Uint8Array(this.size));
  }
}

/** The result of `__host_read` if the handle is a symbolic file, else undefined. */
export function readSymbolic(
  machine: Accesses,
  handle: number,
  to: Scalar,
  length: number,
  offset: number,
): number | undefined {
  const opened = machine.state.host.openFile(handle);
  if (opened?.inode.kind !== 'file' || !(opened.inode.contents instanceof SymbolicContents)) return undefined;
  const { array } = opened.inode.contents;
  const start = offset === CURRENT ? opened.file.position : offset;
  const count = Math.max(0, Math.min(length, array.byteLength - start));
  if (count === 0) return 0;
  const { terms } = machine;
  const target = resolve(machine, to, count, 'write');
  const at = Number(machine.concretize(target.offset, 'a symbolic pointer given to the host'));
  const object = machine.state.memory.writable(target.object);
  for (let i = 0; i < count; i++)
    object.writeByte(at + i, known(terms.read(array, terms.constant(32, start + i))));
  if (offset === CURRENT) opened.file.position += count;
  return count;
}
