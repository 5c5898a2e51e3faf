/**
 * Runs a WASI program (preview 1) over files in memory: what clang and wasm-ld need of an operating
 * system, and no more.
 *
 * LLVM's package has its own runtime around the same module. It is not used, for two reasons. LLVM
 * sees no block size on WASI and therefore writes without a buffer, two to three bytes a call; that
 * runtime copies the whole file at each of them, which is quadratic and made clang ten times slower
 * than it is. And it ignores `..` in a path, so that `src/../x.h` would be `src/x.h`. Here a write
 * is a few dozen nanoseconds, and paths are resolved.
 *
 * The only folder that is open is `/`, descriptor 3. Files are known by their absolute path; a
 * folder exists when something lies in it, or when it was made. Times are zero, random numbers are
 * a fixed sequence: the same input gives the same output.
 *
 * Invariant: `folders` holds every ancestor of every file.
 */
import { assert, InternalError } from '../support/assert.js';
import { Random } from '../support/random.js';

export interface WasiRun {
  readonly args: readonly string[];
  /** Absolute paths. */
  readonly files: Iterable<readonly [path: string, bytes: Uint8Array]>;
  readonly stdin?: Uint8Array;
}

export interface WasiResult {
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** A file as the program left it. */
  readonly read: (path: string) => Uint8Array | undefined;
}

export function runWasi(module: WebAssembly.Module, run: WasiRun): WasiResult {
  const system = new System(run);
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: system.functions });
  const { memory, _start: start } = instance.exports;
  assert(memory instanceof WebAssembly.Memory && typeof start === 'function', 'not a WASI program');
  system.memory = memory;
  let exitCode = 0;
  try {
    start();
  } catch (error) {
    if (!(error instanceof ProgramExit)) {
      const said = new TextDecoder().decode(system.stderr.content);
      throw new InternalError(`${run.args[1]} crashed: ${error}\n${said}`);
    }
    exitCode = error.code;
  }
  return {
    exitCode,
    stdout: system.stdout.content,
    stderr: system.stderr.content,
    read: path => system.read(path),
  };
}

class ProgramExit extends Error {
  readonly code: number;

  constructor(code: number) {
    super();
    this.code = code;
  }
}

const errno = {
  ok: 0,
  badf: 8,
  exist: 20,
  inval: 28,
  isdir: 31,
  noent: 44,
  nosys: 52,
  notdir: 54,
  spipe: 70,
};
const fileType = { unknown: 0, folder: 3, regular: 4 };
const openFlag = { create: 1, folder: 2, exclusive: 4, truncate: 8 };
const allRights = (1n << 30n) - 1n;
const rootDescriptor = 3;

class File {
  readonly inode: number;
  length: number;
  #bytes: Uint8Array;

  constructor(inode: number, bytes: Uint8Array = new Uint8Array(0)) {
    this.inode = inode;
    this.#bytes = bytes;
    this.length = bytes.length;
  }

  get content(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  write(position: number, from: Uint8Array, start: number, count: number): void {
    const end = position + count;
    this.#reserve(end);
    const bytes = this.#bytes;
    // Most writes have two or three bytes; for those a loop beats a view and `set`.
    if (count < 24) for (let i = 0; i < count; i++) bytes[position + i] = from[start + i]!;
    else bytes.set(from.subarray(start, start + count), position);
    if (end > this.length) this.length = end;
  }

  resize(length: number): void {
    this.#reserve(length);
    if (length < this.length) this.#bytes.fill(0, length, this.length);
    this.length = length;
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length, 4096));
    larger.set(this.content);
    this.#bytes = larger;
  }
}

/** An open file or, without one, an open folder. */
interface Descriptor {
  readonly path: string;
  readonly file: File | undefined;
  readonly isStream: boolean;
  position: number;
}

class System {
  memory: WebAssembly.Memory | undefined;
  readonly stdout = new File(1);
  readonly stderr = new File(2);
  readonly #args: readonly Uint8Array[];
  readonly #files = new Map<string, File>();
  readonly #folders = new Map<string, number>([['/', 3]]);
  readonly #descriptors = new Map<number, Descriptor>();
  readonly #random = new Random(1);
  #lastInode = 3;
  #bytes = new Uint8Array(0);
  #view = new DataView(new ArrayBuffer(0));

  constructor({ args, files, stdin }: WasiRun) {
    this.#args = args.map(arg => new TextEncoder().encode(`${arg}\0`));
    for (const [path, bytes] of files) this.#addFile(path, bytes);
    const streams = [new File(0, stdin), this.stdout, this.stderr];
    for (const [number, file] of streams.entries()) {
      this.#descriptors.set(number, { path: '', file, isStream: true, position: 0 });
    }
    this.#descriptors.set(rootDescriptor, { path: '/', file: undefined, isStream: false, position: 0 });
  }

  readonly functions: Record<string, (...args: never[]) => number> = {
    args_sizes_get: (count: number, size: number) => {
      const memory = this.#memory();
      memory.setUint32(count, this.#args.length, true);
      memory.setUint32(
        size,
        this.#args.reduce((sum, arg) => sum + arg.length, 0),
        true,
      );
      return errno.ok;
    },
    args_get: (pointers: number, text: number) => {
      const memory = this.#memory();
      let at = text;
      for (const [i, arg] of this.#args.entries()) {
        memory.setUint32(pointers + 4 * i, at, true);
        this.#bytes.set(arg, at);
        at += arg.length;
      }
      return errno.ok;
    },
    environ_sizes_get: (count: number, size: number) => {
      this.#memory().setUint32(count, 0, true);
      this.#memory().setUint32(size, 0, true);
      return errno.ok;
    },
    environ_get: () => errno.ok,
    clock_time_get: (_clock: number, _precision: bigint, out: number) => {
      this.#memory().setBigUint64(out, 0n, true);
      return errno.ok;
    },
    random_get: (out: number, count: number) => {
      this.#memory();
      for (let i = 0; i < count; i++) this.#bytes[out + i] = this.#random.uint32();
      return errno.ok;
    },
    proc_exit: (code: number) => {
      throw new ProgramExit(code);
    },
    poll_oneoff: () => errno.nosys,

    fd_close: (fd: number) => (this.#descriptors.delete(fd) ? errno.ok : errno.badf),
    fd_fdstat_get: (fd: number, out: number) => {
      const open = this.#descriptors.get(fd);
      if (open === undefined) return errno.badf;
      const memory = this.#memory();
      memory.setUint16(out, typeOf(open), true);
      memory.setUint16(out + 2, 0, true);
      memory.setBigUint64(out + 8, allRights, true);
      memory.setBigUint64(out + 16, allRights, true);
      return errno.ok;
    },
    fd_filestat_get: (fd: number, out: number) => {
      const open = this.#descriptors.get(fd);
      if (open === undefined) return errno.badf;
      const inode = open.file?.inode ?? this.#folders.get(open.path) ?? 0;
      return this.#status(out, typeOf(open), inode, open.file?.length ?? 0);
    },
    fd_filestat_set_size: (fd: number, length: bigint) => {
      const file = this.#descriptors.get(fd)?.file;
      file?.resize(Number(length));
      return file === undefined ? errno.badf : errno.ok;
    },
    fd_filestat_set_times: () => errno.ok,
    fd_prestat_get: (fd: number, out: number) => {
      if (fd !== rootDescriptor) return errno.badf;
      this.#memory().setUint32(out, 0, true);
      this.#memory().setUint32(out + 4, 1, true);
      return errno.ok;
    },
    fd_prestat_dir_name: (_fd: number, out: number) => {
      this.#memory().setUint8(out, '/'.charCodeAt(0));
      return errno.ok;
    },
    fd_read: (fd: number, vectors: number, count: number, out: number) => {
      const open = this.#descriptors.get(fd);
      if (open?.file === undefined) return errno.badf;
      const total = this.#read(open.file, open.position, vectors, count);
      open.position += total;
      this.#memory().setUint32(out, total, true);
      return errno.ok;
    },
    fd_pread: (fd: number, vectors: number, count: number, offset: bigint, out: number) => {
      const file = this.#descriptors.get(fd)?.file;
      if (file === undefined) return errno.badf;
      this.#memory().setUint32(out, this.#read(file, Number(offset), vectors, count), true);
      return errno.ok;
    },
    fd_write: (fd: number, vectors: number, count: number, out: number) => {
      const open = this.#descriptors.get(fd);
      if (open?.file === undefined) return errno.badf;
      const memory = this.#memory();
      let total = 0;
      for (let i = 0; i < count; i++) {
        const length = memory.getUint32(vectors + 8 * i + 4, true);
        open.file.write(open.position, this.#bytes, memory.getUint32(vectors + 8 * i, true), length);
        open.position += length;
        total += length;
      }
      memory.setUint32(out, total, true);
      return errno.ok;
    },
    fd_seek: (fd: number, offset: bigint, whence: number, out: number) => {
      const open = this.#descriptors.get(fd);
      if (open?.file === undefined) return errno.badf;
      if (open.isStream) return errno.spipe;
      const position = [0, open.position, open.file.length][whence]! + Number(offset);
      if (position < 0) return errno.inval;
      open.position = position;
      this.#memory().setBigUint64(out, BigInt(position), true);
      return errno.ok;
    },
    // None of the tools lists a folder that we mount; to them all are empty.
    fd_readdir: (_fd: number, _out: number, _size: number, _cookie: bigint, used: number) => {
      this.#memory().setUint32(used, 0, true);
      return errno.ok;
    },

    path_open: (
      fd: number,
      _lookUp: number,
      text: number,
      length: number,
      flags: number,
      _rights: bigint,
      _inherited: bigint,
      _descriptorFlags: number,
      out: number,
    ) => {
      const path = this.#path(fd, text, length);
      if (this.#folders.has(path)) {
        if (flags & openFlag.create) return errno.isdir;
        return this.#open(path, undefined, out);
      }
      if (flags & openFlag.folder) return this.#files.has(path) ? errno.notdir : errno.noent;
      let file = this.#files.get(path);
      if (file !== undefined && flags & openFlag.create && flags & openFlag.exclusive) return errno.exist;
      if (file === undefined) {
        if (!(flags & openFlag.create) || !this.#folders.has(parentOf(path))) return errno.noent;
        file = this.#addFile(path);
      }
      if (flags & openFlag.truncate) file.resize(0);
      return this.#open(path, file, out);
    },
    path_filestat_get: (fd: number, _flags: number, text: number, length: number, out: number) => {
      const path = this.#path(fd, text, length);
      const file = this.#files.get(path);
      if (file !== undefined) return this.#status(out, fileType.regular, file.inode, file.length);
      const inode = this.#folders.get(path);
      return inode === undefined ? errno.noent : this.#status(out, fileType.folder, inode, 0);
    },
    path_create_directory: (fd: number, text: number, length: number) => {
      const path = this.#path(fd, text, length);
      if (this.#folders.has(path) || this.#files.has(path)) return errno.exist;
      if (!this.#folders.has(parentOf(path))) return errno.noent;
      this.#folders.set(path, ++this.#lastInode);
      return errno.ok;
    },
    path_unlink_file: (fd: number, text: number, length: number) =>
      this.#files.delete(this.#path(fd, text, length)) ? errno.ok : errno.noent,
    path_rename: (
      fd: number,
      text: number,
      length: number,
      toFd: number,
      toText: number,
      toLength: number,
    ) => {
      const from = this.#path(fd, text, length);
      const file = this.#files.get(from);
      if (file === undefined) return errno.noent;
      this.#files.delete(from);
      this.#files.set(this.#path(toFd, toText, toLength), file);
      return errno.ok;
    },
    path_remove_directory: () => errno.nosys,
    path_link: () => errno.nosys,
    path_symlink: () => errno.nosys,
    /** There are no links. */
    path_readlink: (fd: number, text: number, length: number) => {
      const path = this.#path(fd, text, length);
      return this.#files.has(path) || this.#folders.has(path) ? errno.inval : errno.noent;
    },
  };

  read(path: string): Uint8Array | undefined {
    return this.#files.get(path)?.content;
  }

  /** The program's memory; it moves when it grows. */
  #memory(): DataView {
    const buffer = this.memory!.buffer;
    if (buffer !== this.#view.buffer) {
      this.#view = new DataView(buffer);
      this.#bytes = new Uint8Array(buffer);
    }
    return this.#view;
  }

  #path(fd: number, text: number, length: number): string {
    this.#memory();
    const name = new TextDecoder().decode(this.#bytes.subarray(text, text + length));
    return normalise(`${this.#descriptors.get(fd)?.path ?? ''}/${name}`);
  }

  #addFile(path: string, bytes?: Uint8Array): File {
    const file = new File(++this.#lastInode, bytes);
    this.#files.set(path, file);
    for (let folder = parentOf(path); !this.#folders.has(folder); folder = parentOf(folder)) {
      this.#folders.set(folder, ++this.#lastInode);
    }
    return file;
  }

  #open(path: string, file: File | undefined, out: number): number {
    let fd = rootDescriptor + 1;
    while (this.#descriptors.has(fd)) fd++;
    this.#descriptors.set(fd, { path, file, isStream: false, position: 0 });
    this.#memory().setUint32(out, fd, true);
    return errno.ok;
  }

  #read(file: File, position: number, vectors: number, count: number): number {
    const memory = this.#memory();
    let total = 0;
    for (let i = 0; i < count; i++) {
      const start = position + total;
      const wanted = memory.getUint32(vectors + 8 * i + 4, true);
      const piece = file.content.subarray(start, start + wanted);
      this.#bytes.set(piece, memory.getUint32(vectors + 8 * i, true));
      total += piece.length;
    }
    return total;
  }

  #status(out: number, type: number, inode: number, length: number): number {
    const memory = this.#memory();
    for (let at = 0; at < 64; at += 8) memory.setBigUint64(out + at, 0n, true);
    memory.setBigUint64(out, 1n, true);
    memory.setBigUint64(out + 8, BigInt(inode), true);
    memory.setUint8(out + 16, type);
    memory.setBigUint64(out + 24, 1n, true);
    memory.setBigUint64(out + 32, BigInt(length), true);
    return errno.ok;
  }
}

function typeOf({ file, isStream }: Descriptor): number {
  if (isStream) return fileType.unknown;
  return file === undefined ? fileType.folder : fileType.regular;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

/** `/a/./b/../c` is `/a/c`. */
function normalise(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}
