/**
 * The narrow host (`runtime/libc/internal/host.h`) on the modelled machine: files, streams, time,
 * inputs.
 *
 * The host works on plain bytes. A call copies its input from the program's objects into a buffer,
 * calls the host, and copies the output back. Terms are passed along with the bytes
 * (`inputs/symbolic-files.ts`). Bytes that are only shown, on standard output, are shown with one
 * possible value; a file name is concretized.
 */

import type { Term } from '../../expr/term.js';
import * as V from '../../expr/value.js';
import { errno } from '../../host/errno.js';
import type { FileStat, Host } from '../../host/host.js';
import {
  entryLayout,
  mathFunctions,
  mathImport,
  statLayout,
  storedBySocket,
  storeStat,
  strings,
  whence,
} from '../../host/wire.js';
import { resolve } from '../access/access.js';
import { TermBytes } from '../inputs/symbolic-files.js';
import { argumentList, makeSymbolic } from '../inputs/symbolic-start.js';
import type { CallArguments, Native } from '../state/decoded.js';
import type { Running } from '../state/running.js';
import type { Known, Scalar } from '../values/register-value.js';
import { labelRead, noteInput, noteOpened } from './path-flows.js';
import { bytesAt, chosenBytesAt, termBytesAt } from './text.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The arguments of a call, in the form that the host expects. */
class Call {
  readonly host: Host;

  constructor(
    readonly machine: Running,
    readonly args: CallArguments,
  ) {
    this.host = machine.state.host;
  }

  pointer(i: number): Scalar {
    return this.args[i]!;
  }

  number(i: number): number {
    return Number(this.#known(i, 32));
  }

  long(i: number): number {
    return Number(this.#known(i, 64));
  }

  bigint(i: number): bigint {
    return BigInt(this.#known(i, 64));
  }

  #known(i: number, bits: number): Known {
    return V.toSigned(bits, this.machine.fewValues(this.args[i]!, 'a symbolic argument of the host'));
  }

  /** A path of `long(i + 1)` bytes at `pointer(i)`. */
  onPath(i: number, action: (path: string) => number): number {
    const bytes = chosenBytesAt(this.machine, this.pointer(i), this.long(i + 1), 'a symbolic file name');
    let path: string;
    try {
      path = decoder.decode(bytes);
    } catch {
      return -errno.EILSEQ;
    }
    return action(path);
  }

  put(pointer: Scalar, bytes: Uint8Array, terms?: ReadonlyMap<number, Term>): void {
    if (bytes.length === 0) return;
    const { machine } = this;
    const { object, offset } = resolve(machine, pointer, bytes.length, 'write');
    const start = Number(machine.fewValues(offset, 'a symbolic pointer given to the host'));
    const target = machine.state.memory.writable(object);
    for (let i = 0; i < bytes.length; i++) target.writeByte(start + i, terms?.get(i) ?? bytes[i]!);
  }
}

function native(bits: 32 | 64, action: (call: Call) => number | bigint): Native {
  return (machine, args) => V.toValue(bits, action(new Call(machine, args)));
}

function read(call: Call): number {
  const [handle, length, offset] = [call.number(0), call.long(2), call.long(3)];
  // Operations that may fork come before the position moves.
  const to = call.machine.fewValues(call.pointer(1), 'a symbolic pointer given to the host');
  const buffer = new TermBytes(length);
  const isLabelled = call.machine.flows.isActive;
  const position = isLabelled && offset < 0 ? call.host.seek(handle, 0, whence.SEEK_CUR) : offset;
  const count = call.host.read(handle, buffer, 0, length, offset);
  if (count > 0) {
    call.put(to, buffer.subarray(0, count), buffer.terms);
    if (isLabelled) labelRead(call.machine, { handle, to, buffer, count, position });
  }
  return count;
}

function write(call: Call): number {
  const { machine, host } = call;
  const [handle, length, offset] = [call.number(0), call.long(2), call.long(3)];
  const bytes = machine.state.host.isOutput(handle)
    ? bytesAt(machine, call.pointer(1), length)
    : termBytesAt(machine, call.pointer(1), length);
  return host.write(handle, bytes, 0, bytes.length, offset);
}

function putStat(call: Call, to: Scalar, stat: FileStat | number): number {
  if (typeof stat === 'number') return stat;
  const bytes = new Uint8Array(statLayout.bytes);
  storeStat(new DataView(bytes.buffer), 0, stat);
  call.put(to, bytes);
  return 0;
}

function list(call: Call): number {
  const entry = call.host.list(call.number(0), call.long(1));
  if (typeof entry === 'number') return entry;
  const name = encoder.encode(entry.name).subarray(0, entryLayout.nameMax);
  const bytes = new Uint8Array(entryLayout.name + name.length + 1);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(entryLayout.inode, BigInt(entry.inode), true);
  view.setUint32(entryLayout.type, entry.type, true);
  view.setUint32(entryLayout.length, name.length, true);
  bytes.set(name, entryLayout.name);
  call.put(call.pointer(2), bytes);
  return 1;
}

/** Stores at most `n` bytes of a text and returns the length of all of it. */
function putText(call: Call, text: string | number, to: Scalar, n: number): number {
  if (typeof text === 'number') return text;
  const encoded = encoder.encode(text);
  call.put(to, encoded.subarray(0, n));
  return encoded.length;
}

const onTwoPaths = (action: (host: Host, from: string, to: string) => number): Native =>
  native(32, call => call.onPath(0, from => call.onPath(2, to => action(call.host, from, to))));

const onPath = (action: (call: Call, path: string) => number): Native =>
  native(32, call => call.onPath(0, path => action(call, path)));

/** A new symbolic object. The n-th input of a name gets its own array. */
function input(call: Call): number {
  const { machine } = call;
  const bytes = call.long(1);
  const letters = chosenBytesAt(machine, call.pointer(2), call.long(3), 'the symbolic name of an input');
  const name = new TextDecoder().decode(letters);
  if (bytes > 0 && machine.symbolicStart.isConcrete) {
    const given = new Uint8Array(bytes);
    call.host.input(name, given, 0, bytes);
    call.put(call.pointer(0), given);
  } else if (bytes > 0) {
    makeSymbolic(machine, call.pointer(0), bytes, name);
    noteInput(machine);
  }
  return 0;
}

export const hostNatives: Record<string, Native> = {
  __host_open: onPath((call, path) => {
    const handle = call.host.open(path, call.number(2), call.number(3));
    noteOpened(call.machine, handle, path);
    return handle;
  }),
  __host_close: native(32, call => call.host.close(call.number(0))),
  __host_read: native(64, read),
  __host_write: native(64, write),
  __host_seek: native(64, call => call.host.seek(call.number(0), call.long(1), call.number(2))),
  __host_truncate: native(32, call => call.host.truncate(call.number(0), call.long(1))),
  __host_fchmod: native(32, call => call.host.fchmod(call.number(0), call.number(1))),
  __host_futimes: native(32, call =>
    call.host.futimes(call.number(0), BigInt(call.long(1)), BigInt(call.long(2))),
  ),
  __host_sync: native(32, call => call.host.sync(call.number(0))),
  __host_isatty: native(32, call => call.host.isatty(call.number(0))),
  __host_stat: onPath((call, path) =>
    putStat(call, call.pointer(3), call.host.stat(path, call.number(2) !== 0)),
  ),
  __host_fstat: native(32, call => putStat(call, call.pointer(1), call.host.fstat(call.number(0)))),
  __host_list: native(32, list),
  __host_unlink: onPath((call, path) => call.host.unlink(path)),
  __host_rmdir: onPath((call, path) => call.host.rmdir(path)),
  __host_mkdir: onPath((call, path) => call.host.mkdir(path, call.number(2))),
  __host_rename: onTwoPaths((host, from, to) => host.rename(from, to)),
  __host_link: onTwoPaths((host, from, to) => host.link(from, to)),
  __host_symlink: onTwoPaths((host, text, at) => host.symlink(text, at)),
  __host_chmod: onPath((call, path) => call.host.chmod(path, call.number(2))),
  __host_utimes: onPath((call, path) =>
    call.host.utimes(path, call.number(2) !== 0, call.bigint(3), call.bigint(4)),
  ),
  __host_readlink: native(64, call =>
    call.onPath(0, path => putText(call, call.host.readlink(path), call.pointer(2), call.long(3))),
  ),
  __host_getcwd: native(64, call => putText(call, call.host.getcwd(), call.pointer(0), call.long(1))),
  __host_chdir: onPath((call, path) => call.host.chdir(path)),
  __host_strings: native(64, call => {
    const isArguments = call.number(0) === strings.__HOST_ARGUMENTS;
    const texts = isArguments ? argumentList(call.machine, call.host.arguments()) : call.host.environment();
    return putText(call, texts.map(text => `${text}\0`).join(''), call.pointer(1), call.long(2));
  }),
  __host_clock: native(64, call => call.host.clock(call.number(0))),
  __host_sleep: native(32, call => call.host.sleep(call.bigint(0))),
  __host_random: native(32, call => {
    const bytes = new Uint8Array(call.long(1));
    call.host.random(bytes, 0, bytes.length);
    call.put(call.pointer(0), bytes);
    return 0;
  }),
  __host_run: native(32, call => call.host.run([], [], [])),
  // The model has no network; a run that is repeated may have had one, and stores addresses.
  __host_socket: native(32, call => {
    const [operation, length] = [call.number(0), call.long(3)];
    const address = new Uint8Array(storedBySocket(operation, length, length));
    const result = call.host.socket(operation, call.number(1), address, 0, address.length);
    call.put(call.pointer(2), address.subarray(0, storedBySocket(operation, result, length)));
    return result;
  }),
  __host_input: (machine, args) => {
    input(new Call(machine, args));
    return undefined;
  },
  ...Object.fromEntries(
    mathFunctions.map(compute => [
      mathImport(compute),
      (machine, args) => {
        const [x, y = 0] = args.map(value => machine.float(64, value));
        return compute(x!, y);
      },
    ]),
  ),
};
