/**
 * Binds a `Host` to the functions that wasm imports as `__host_*`: it only decodes pointers and
 * strings. It is a table with a row for each import.
 *
 * C passes 64-bit pointers and sizes, which arrive as BigInt. An address is the low half of a
 * pointer; the high half is the monitor's tag. Small arguments (handles, flags) are 32-bit in C, so
 * they arrive as plain numbers.
 *
 * Invariants
 *   - The view of the memory is renewed when the memory has grown (growing detaches the old
 *     buffer).
 *   - A path that is not UTF-8 is refused with EILSEQ: the machine's names are strings here.
 */
import { errno } from './errno.js';
import type { FileStat, Host } from './host.js';
import { entryLayout, mathFunctions, mathImport, storeStat, strings } from './wire.js';

export type ImportFunctions = Record<string, (...values: never[]) => unknown>;

export function bindHost(host: Host, memory: WebAssembly.Memory): ImportFunctions {
  let bytes = new Uint8Array(memory.buffer);
  let view = new DataView(memory.buffer);

  function current(): Uint8Array {
    if (bytes.buffer !== memory.buffer) {
      bytes = new Uint8Array(memory.buffer);
      view = new DataView(memory.buffer);
    }
    return bytes;
  }

  function storeStatAt(out: bigint, stat: FileStat): void {
    current();
    storeStat(view, address(out), stat);
  }

  /** Stores at most n bytes of a text and returns the length of all of it. */
  function storeText(text: string | number, to: bigint, n: bigint): bigint {
    if (typeof text === 'number') return BigInt(text);
    const encoded = encoder.encode(text);
    current().set(encoded.subarray(0, Number(n)), address(to));
    return BigInt(encoded.length);
  }

  function text(at: bigint, length: bigint): string | undefined {
    const start = address(at);
    try {
      return decoder.decode(current().slice(start, start + Number(length)));
    } catch {
      return undefined;
    }
  }

  const onPath = (at: bigint, length: bigint, action: (path: string) => number): number => {
    const path = text(at, length);
    return path === undefined ? -errno.EILSEQ : action(path);
  };

  const onTwoPaths = (action: (from: string, to: string) => number) => {
    return (from: bigint, fromLength: bigint, to: bigint, toLength: bigint): number =>
      onPath(from, fromLength, first => onPath(to, toLength, second => action(first, second)));
  };

  return {
    __host_open: (path: bigint, length: bigint, flags: number, mode: number) =>
      onPath(path, length, name => host.open(name, flags, mode)),
    __host_close: (handle: number) => host.close(handle),
    __host_read: (handle: number, to: bigint, n: bigint, offset: bigint) =>
      BigInt(host.read(handle, current(), address(to), Number(n), Number(offset))),
    __host_write: (handle: number, from: bigint, n: bigint, offset: bigint) =>
      BigInt(host.write(handle, current(), address(from), Number(n), Number(offset))),
    __host_seek: (handle: number, offset: bigint, whence: number) =>
      BigInt(host.seek(handle, Number(offset), whence)),
    __host_truncate: (handle: number, size: bigint) => host.truncate(handle, Number(size)),
    __host_fchmod: (handle: number, mode: number) => host.fchmod(handle, mode),
    __host_futimes: (handle: number, accessed: bigint, modified: bigint) =>
      host.futimes(handle, accessed, modified),
    __host_sync: (handle: number) => host.sync(handle),
    __host_isatty: (handle: number) => host.isatty(handle),
    __host_stat: (path: bigint, length: bigint, follow: number, out: bigint) =>
      onPath(path, length, name => {
        const stat = host.stat(name, follow !== 0);
        if (typeof stat === 'number') return stat;
        storeStatAt(out, stat);
        return 0;
      }),
    __host_fstat: (handle: number, out: bigint) => {
      const stat = host.fstat(handle);
      if (typeof stat === 'number') return stat;
      storeStatAt(out, stat);
      return 0;
    },
    __host_list: (handle: number, index: bigint, out: bigint) => {
      const entry = host.list(handle, Number(index));
      if (typeof entry === 'number') return entry;
      const at = address(out);
      const name = encoder.encode(entry.name).subarray(0, entryLayout.nameMax);
      current().set(name, at + entryLayout.name);
      view.setUint8(at + entryLayout.name + name.length, 0);
      view.setBigUint64(at + entryLayout.inode, BigInt(entry.inode), true);
      view.setUint32(at + entryLayout.type, entry.type, true);
      view.setUint32(at + entryLayout.length, name.length, true);
      return 1;
    },
    __host_unlink: (path: bigint, length: bigint) => onPath(path, length, name => host.unlink(name)),
    __host_rmdir: (path: bigint, length: bigint) => onPath(path, length, name => host.rmdir(name)),
    __host_mkdir: (path: bigint, length: bigint, mode: number) =>
      onPath(path, length, name => host.mkdir(name, mode)),
    __host_rename: onTwoPaths((from, to) => host.rename(from, to)),
    __host_link: onTwoPaths((from, to) => host.link(from, to)),
    __host_symlink: onTwoPaths((target, at) => host.symlink(target, at)),
    __host_chmod: (path: bigint, length: bigint, mode: number) =>
      onPath(path, length, name => host.chmod(name, mode)),
    __host_utimes: (path: bigint, length: bigint, follow: number, accessed: bigint, modified: bigint) =>
      onPath(path, length, name => host.utimes(name, follow !== 0, accessed, modified)),
    __host_readlink: (path: bigint, length: bigint, to: bigint, n: bigint) => {
      const name = text(path, length);
      return storeText(name === undefined ? -errno.EILSEQ : host.readlink(name), to, n);
    },
    __host_getcwd: (to: bigint, n: bigint) => storeText(host.getcwd(), to, n),
    __host_chdir: (path: bigint, length: bigint) => onPath(path, length, name => host.chdir(name)),
    __host_strings: (which: number, to: bigint, n: bigint) => {
      const list = which === strings.__HOST_ARGUMENTS ? host.arguments() : host.environment();
      return storeText(list.map(item => `${item}\0`).join(''), to, n);
    },
    __host_clock: (which: number) => host.clock(which),
    __host_sleep: (nanoseconds: bigint) => host.sleep(nanoseconds),
    __host_random: (to: bigint, n: bigint) => {
      host.random(current(), address(to), Number(n));
      return 0;
    },
    __host_run: (program: bigint, length: bigint, environment: bigint, size: bigint, handles: bigint) => {
      const [words, variables] = [text(program, length), text(environment, size)];
      if (words === undefined || variables === undefined) return -errno.EILSEQ;
      current();
      const streams = [0, 4, 8].map(offset => view.getInt32(address(handles) + offset, true));
      return host.run(listOf(words), listOf(variables), streams);
    },
    __host_socket: (call: number, handle: number, memory: bigint, n: bigint) =>
      host.socket(call, handle, current(), address(memory), Number(n)),
    __host_input: (to: bigint, n: bigint, name: bigint, length: bigint) =>
      host.input(text(name, length) ?? '', current(), address(to), Number(n)),
    // Unwrapped, so that V8 calls their code without conversions.
    ...Object.fromEntries(mathFunctions.map(compute => [mathImport(compute), compute])),
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Zero-terminated strings, one after the other. */
function listOf(text: string): string[] {
  return text.split('\0').slice(0, -1);
}

function address(pointer: bigint): number {
  return Number(BigInt.asUintN(32, pointer));
}
