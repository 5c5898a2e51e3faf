/**
 * The host over the real machine: files inside the folders that the user gave, the standard streams
 * of this process or captured ones, the machine's clock and randomness.
 *
 * What a program sees outside its folders: a few devices (`/dev/null`, `/dev/zero`, `/dev/full`,
 * `/dev/urandom`), its streams as `/dev/stdin`, `/dev/stdout`, `/dev/stderr`, and a `/tmp` of its
 * own, which is made when it is first named and removed by `dispose`. Everything else is refused
 * with EACCES (`confinement.ts` says how). A grant itself cannot be removed or renamed (EBUSY).
 */
import { randomFillSync } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isatty } from 'node:tty';
import { concatenate } from '../support/concatenate.js';
import { type Children, runToEnd } from './children.js';
import { Confinement, grantFolder } from './confinement.js';
import { deviceAt, streamPaths } from './devices.js';
import { attempt, errno, type Failure } from './errno.js';
import { environmentList, type FileStat, type FolderEntry, type Host, type ProgramStart } from './host.js';
import { TestInputs } from './inputs.js';
import {
  Loopback,
  LoopbackSocket,
  onLoopback,
  readAddress,
  type SocketAddress,
  writeAddress,
} from './loopback.js';
import {
  deviceFile,
  done,
  fileStat,
  inputFile,
  type OpenFile,
  openRealFile,
  outputFile,
  RedirectedFile,
  UnnamedFile,
} from './real-file.js';
import { seekTo } from './seek.js';
import { InheritedOutput, type InputStream, inheritedInput, type OutputStream } from './standard-streams.js';
import { CURRENT, clock, open, socketCall } from './wire.js';

export interface RealHostOptions extends ProgramStart {
  /** The folders that the program may use; the first is its current folder. */
  folders: readonly string[];
  children?: Children | undefined;
  /** Whether it may have sockets on the loopback. */
  allowsNetwork?: boolean | undefined;
  /** By default the streams of this process. */
  stdin?: InputStream;
  stdout?: OutputStream;
  stderr?: OutputStream;
}

interface Handle {
  file: OpenFile;
  position: number;
  appends: boolean;
}

export class RealHost implements Host {
  readonly #start: ProgramStart;
  readonly #inputs: TestInputs;
  readonly #walls: Confinement;
  readonly #streams: readonly OpenFile[];
  readonly #handles: (Handle | undefined)[];
  readonly #children: Children | undefined;
  readonly #network: Loopback | undefined;
  readonly #inheritsStdin: boolean;
  readonly #redirected: RedirectedFile | undefined;
  #temporary: string | undefined;
  #refused: string | undefined;

  constructor(options: RealHostOptions) {
    this.#start = options;
    this.#inputs = new TestInputs(options.inputs);
    this.#children = options.children;
    this.#network = options.allowsNetwork ? new Loopback() : undefined;
    this.#inheritsStdin = options.stdin === undefined;
    this.#walls = new Confinement(options.folders.map(grantFolder));
    this.#redirected = options.stdin === undefined ? RedirectedFile.of(0) : undefined;
    this.#streams = [
      this.#redirected ?? inputFile(options.stdin ?? inheritedInput(0, isatty(0))),
      outputFile(options.stdout ?? new InheritedOutput(1)),
      outputFile(options.stderr ?? new InheritedOutput(2)),
    ];
    this.#handles = this.#streams.map(file => ({ file, position: 0, appends: false }));
    this.#takeSharedPosition();
  }

  /** The first path that was refused because it leads out of the folders. */
  get refused(): string | undefined {
    return this.#refused;
  }

  /** Closes what the program left open and removes its `/tmp`. */
  dispose(): void {
    for (const handle of this.#handles) handle?.file.close?.();
    this.#handles.length = 0;
    this.#network?.dispose();
    if (this.#temporary !== undefined) rmSync(this.#temporary, { recursive: true, force: true });
    this.#temporary = undefined;
  }

  open(path: string, flags: number, mode: number): number {
    const file = this.#openFile(path, flags, mode);
    if (typeof file === 'number') return file;
    return this.#newHandle(file, (flags & open.O_APPEND) !== 0);
  }

  #newHandle(file: OpenFile, appends = false): number {
    const free = this.#handles.indexOf(undefined, this.#streams.length);
    const handle = free < 0 ? this.#handles.length : free;
    this.#handles[handle] = { file, position: 0, appends };
    return handle;
  }

  #openFile(path: string, flags: number, mode: number): OpenFile | Failure {
    const device = deviceAt(path);
    if (device) return deviceFile(device, this.random);
    const stream = streamPaths[path];
    if (stream !== undefined) return this.#streams[stream]!;
    if ((flags & open.O_TMPFILE) === open.O_TMPFILE) return new UnnamedFile();
    const keepsLastLink = (flags & open.O_NOFOLLOW) !== 0 || exclusive(flags);
    const real = this.#resolve(path, !keepsLastLink);
    if (typeof real === 'number') return real;
    return openRealFile(this.#walls, real, flags, mode);
  }

  close(handle: number): number {
    const open = this.#handles[handle];
    if (!open) return -errno.EBADF;
    this.#handles[handle] = undefined;
    return done(() => open.file.close?.());
  }

  read(handle: number, memory: Uint8Array, start: number, length: number, offset: number): number {
    const open = this.#handles[handle];
    if (!open) return -errno.EBADF;
    const { file } = open;
    if (offset !== CURRENT) {
      return hasOffsets(file) ? file.read(memory, start, length, offset) : -errno.ESPIPE;
    }
    const count = file.read(memory, start, length, open.position);
    if (count > 0) open.position += count;
    return count;
  }

  write(handle: number, memory: Uint8Array, start: number, length: number, offset: number): number {
    const open = this.#handles[handle];
    if (!open) return -errno.EBADF;
    const { file } = open;
    if (offset !== CURRENT) {
      return hasOffsets(file) ? file.write(memory, start, length, offset) : -errno.ESPIPE;
    }
    if (open.appends && file.hasPosition) {
      const count = file.write(memory, start, length, CURRENT);
      open.position = file.size();
      return count;
    }
    const count = file.write(memory, start, length, open.position);
    if (count > 0) open.position += count;
    return count;
  }

  seek(handle: number, offset: number, from: number): number {
    const open = this.#handles[handle];
    if (!open) return -errno.EBADF;
    if (!open.file.hasPosition) return -errno.ESPIPE;
    return seekTo(open, () => open.file.size(), offset, from);
  }

  truncate(handle: number, size: number): number {
    const open = this.#handles[handle];
    if (!open) return -errno.EBADF;
    if (size < 0) return -errno.EINVAL;
    return open.file.truncate?.(size) ?? -errno.EINVAL;
  }

  /** Streams and devices have neither permissions nor times of their own. */
  fchmod(handle: number, mode: number): number {
    const open = this.#handles[handle];
    if (!open) return -errno.EBADF;
    return open.file.chmod?.(mode) ?? -errno.ENOSYS;
  }

  futimes(handle: number, accessed: bigint, modified: bigint): number {
    const open = this.#handles[handle];
    if (!open) return -errno.EBADF;
    return open.file.utimes?.(accessed, modified) ?? -errno.ENOSYS;
  }

  sync(handle: number): number {
    const open = this.#handles[handle];
    if (!open) return -errno.EBADF;
    return open.file.sync?.() ?? -errno.EINVAL;
  }

  isatty(handle: number): number {
    const open = this.#handles[handle];
    if (!open) return -errno.EBADF;
    return open.file.isTerminal ? 1 : -errno.ENOTTY;
  }

  stat(path: string, follow: boolean): FileStat | Failure {
    const device = deviceAt(path);
    if (device) return deviceFile(device, this.random).stat();
    const stream = streamPaths[path];
    if (stream !== undefined) return this.#streams[stream]!.stat();
    const above = this.#walls.ancestorAt(path);
    if (above !== undefined) return ancestorStat(above);
    const real = this.#resolve(path, follow);
    if (typeof real === 'number') return real;
    return attempt(() => fileStat(lstatSync(real, { bigint: true })));
  }

  fstat(handle: number): FileStat | Failure {
    return this.#handles[handle]?.file.stat() ?? -errno.EBADF;
  }

  list(handle: number, index: number): FolderEntry | Failure {
    const open = this.#handles[handle];
    if (!open) return -errno.EBADF;
    return open.file.list?.(index) ?? -errno.ENOTDIR;
  }

  unlink(path: string): number {
    return this.#onName(path, real => {
      if (lstatSync(real).isDirectory()) return -errno.EISDIR;
      unlinkSync(real);
      return 0;
    });
  }

  rmdir(path: string): number {
    return this.#onName(path, real => {
      rmdirSync(real);
      return 0;
    });
  }

  mkdir(path: string, mode: number): number {
    return this.#onName(path.replace(/(?<=[^/])\/+$/, ''), real => {
      mkdirSync(real, mode & 0o777);
      return 0;
    });
  }

  rename(from: string, to: string): number {
    return this.#onName(from, realFrom =>
      this.#onName(to, realTo => {
        renameSync(realFrom, realTo);
        return 0;
      }),
    );
  }

  link(from: string, to: string): number {
    return this.#onName(from, realFrom =>
      this.#onName(to, realTo => {
        linkSync(realFrom, realTo);
        return 0;
      }),
    );
  }

  /**
   * A link that leads outside is refused: this program could not follow it, but the next one could.
   */
  symlink(text: string, at: string): number {
    return this.#onName(at, real => {
      const target = this.#walls.resolveLink(text, dirname(real));
      if (typeof target === 'number' && target !== -errno.ENOENT) return target;
      symlinkSync(text, real);
      return 0;
    });
  }

  chmod(path: string, mode: number): number {
    const real = this.#resolve(path, true);
    if (typeof real === 'number') return real;
    return done(() => chmodSync(real, mode & 0o777));
  }

  utimes(path: string, follow: boolean, accessed: bigint, modified: bigint): number {
    const real = this.#resolve(path, follow);
    if (typeof real === 'number') return real;
    const set = follow ? utimesSync : lutimesSync;
    return done(() => set(real, Number(accessed) / 1e9, Number(modified) / 1e9));
  }

  readlink(path: string): string | Failure {
    const real = this.#resolve(path, false);
    if (typeof real === 'number') return real;
    return attempt(() => readlinkSync(real));
  }

  getcwd(): string {
    return this.#walls.current;
  }

  chdir(path: string): number {
    const real = this.#resolve(path, true);
    if (typeof real === 'number') return real;
    const isFolder = attempt(() => statSync(real).isDirectory());
    if (typeof isFolder === 'number') return isFolder;
    if (!isFolder) return -errno.ENOTDIR;
    this.#walls.enter(real);
    return 0;
  }

  arguments(): readonly string[] {
    return this.#start.arguments;
  }

  environment(): readonly string[] {
    return environmentList(this.#start);
  }

  clock(which: number): bigint {
    switch (which) {
      case clock.__HOST_CLOCK_REALTIME:
        return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e3)) * 1000n;
      case clock.__HOST_CLOCK_CPU: {
        const { user, system } = process.cpuUsage();
        return BigInt(user + system) * 1000n;
      }
      default:
        // The monotonic clock; the library passes no other number.
        return process.hrtime.bigint();
    }
  }

  sleep(nanoseconds: bigint): number {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(nanoseconds) / 1e6);
    return 0;
  }

  random: (memory: Uint8Array, start: number, length: number) => void = (memory, start, length) => {
    randomFillSync(memory, start, length);
  };

  run(program: readonly string[], environment: readonly string[], streams: readonly number[]): number {
    if (this.#children === undefined) return -errno.EPERM;
    const [stdin = -1, ...outputs] = streams;
    const child = runToEnd(program, {
      folder: this.getcwd(),
      environment: { ...Object.fromEntries(environment.map(variableOf)), ...this.#children.environment },
      deadline: this.#children.deadline,
      stdin: stdin === 0 && this.#inheritsStdin ? 'inherit' : this.#allOf(stdin),
    });
    this.#takeSharedPosition();
    if (typeof child === 'number') return child;
    for (const [i, handle] of outputs.entries()) {
      const bytes = i === 0 ? child.stdout : child.stderr;
      if (handle >= 0) this.write(handle, bytes, 0, bytes.length, CURRENT);
    }
    return child.status;
  }

  /** Others have read standard input: the shell before this program, or a child. */
  #takeSharedPosition(): void {
    const [stdin] = this.#handles;
    if (stdin && this.#redirected) stdin.position = this.#redirected.position();
  }

  /** The rest of the input of a handle. */
  #allOf(handle: number): Uint8Array {
    const pieces: Uint8Array[] = [];
    const piece = new Uint8Array(65_536);
    for (;;) {
      const count = handle < 0 ? 0 : this.read(handle, piece, 0, piece.length, CURRENT);
      if (count <= 0) return concatenate(pieces);
      pieces.push(piece.slice(0, count));
    }
  }

  socket(call: number, handle: number, memory: Uint8Array, start: number, length: number): number {
    const network = this.#network;
    if (network === undefined) return -errno.EPERM;
    if (call === socketCall.__HOST_SOCKET_OPEN) return this.#newHandle(network.newSocket(length === 1));
    if (call === socketCall.__HOST_SOCKET_WAIT) {
      network.wait(length);
      return 0;
    }
    const socket = this.#handles[handle]?.file;
    if (!(socket instanceof LoopbackSocket)) return -errno.EBADF;
    const named = (name: SocketAddress | Failure): number => {
      if (typeof name === 'number') return name;
      const bytes = writeAddress(name);
      memory.set(bytes.subarray(0, length), start);
      return bytes.length;
    };
    switch (call) {
      case socketCall.__HOST_SOCKET_BIND:
      case socketCall.__HOST_SOCKET_CONNECT:
      case socketCall.__HOST_SOCKET_TO: {
        const given = readAddress(memory.subarray(start, start + length));
        const address = given === undefined ? -errno.EINVAL : onLoopback(given);
        if (typeof address === 'number') return address;
        if (call === socketCall.__HOST_SOCKET_TO) return socket.at('to', address);
        return socket.at(call === socketCall.__HOST_SOCKET_BIND ? 'bind' : 'connect', address);
      }
      case socketCall.__HOST_SOCKET_LISTEN:
        return socket.on('listen');
      case socketCall.__HOST_SOCKET_ACCEPT: {
        const accepted = socket.accept();
        return typeof accepted === 'number' ? accepted : this.#newHandle(accepted);
      }
      case socketCall.__HOST_SOCKET_NAME:
        return named(socket.name('local'));
      case socketCall.__HOST_SOCKET_PEER:
        return named(socket.name('peer'));
      case socketCall.__HOST_SOCKET_FROM:
        return named(socket.name('from'));
      case socketCall.__HOST_SOCKET_READY:
        return socket.on('ready');
      case socketCall.__HOST_SOCKET_SHUTDOWN:
        return socket.on('shutdown');
      default:
        // Calls are numbers from the program, which may be any.
        return -errno.EINVAL;
    }
  }

  input(name: string, memory: Uint8Array, start: number, length: number): void {
    this.#inputs.fill(name, memory, start, length);
  }

  #resolve(path: string, followLast: boolean): string | Failure {
    this.#provideTemporary(path);
    const real = this.#walls.resolve(path, { followLast });
    if (real === -errno.EACCES) this.#refused ??= path;
    return real;
  }

  /**
   * Runs `action` on a name itself, not on the target of a link. The program cannot remove grants.
   */
  #onName(path: string, action: (real: string) => number): number {
    const real = this.#resolve(path, false);
    if (typeof real === 'number') return real;
    if (this.#walls.isGrant(real)) return -errno.EBUSY;
    return attempt(() => action(real));
  }

  #provideTemporary(path: string): void {
    if (this.#temporary !== undefined || !(path === '/tmp' || path.startsWith('/tmp/'))) return;
    if (this.#walls.resolve('/tmp', { followLast: true }) !== -errno.EACCES) return;
    this.#temporary = realpathSync(mkdtempSync(join(tmpdir(), 'redzone-')));
    this.#walls.add({ name: '/tmp', real: this.#temporary });
  }
}

function exclusive(flags: number): boolean {
  const both = open.O_CREAT | open.O_EXCL;
  return (flags & both) === both;
}

/**
 * A folder above those that the program may use: it exists, and its contents are hidden. Programs
 * look it up when they follow a path component by component, as SQLite does.
 */
function ancestorStat(path: string): FileStat {
  const never = { accessed: 0n, modified: 0n, changed: 0n, special: 0 };
  return { device: 0, inode: path.length + 1, mode: 0o040555, links: 2, size: 0, ...never };
}

/** Whether `pread` and `pwrite` can be used on the file. */
function hasOffsets({ hasPosition, isDevice }: OpenFile): boolean {
  return hasPosition || isDevice === true;
}

/** `NAME=value` */
function variableOf(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
