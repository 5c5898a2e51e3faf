/**
 * The host as a model: a file tree in memory, a clock that ticks by itself, seeded randomness.
 *
 * Two runs of a program on equal models see the same world, bit for bit. The explorer forks a model
 * with each state that it forks, so a model must be cheap to copy: inodes live in one map, are
 * shared between forks, and carry the model that may change them. A change by any other model
 * copies the inode first.
 *
 *      model A ─┐                         after A.fork(), neither A nor B owns the shared inodes: the
 *      model B ─┴─▶ Map id → inode        first of them to write makes its own copy under the same id
 *
 * Standard streams are inodes as well (1, 2 and 3), so captured output forks like everything else.
 * The explorer has `Contents` of its own behind every file (`newContents`), which keep more about a
 * byte than its value.
 *
 * Invariants
 *   - An inode is changed only through `#writable`, which makes this model its owner.
 *   - `links` counts the names of a file; an inode without names lives on while a handle has it
 *     open.
 */
import { assert } from '../support/assert.js';
import { Random } from '../support/random.js';
import { ByteContents, type Contents } from './contents.js';
import {
  type Device,
  deviceAt,
  deviceMode,
  deviceNumbers,
  readDevice,
  streamPaths,
  writeDevice,
} from './devices.js';
import { errno, type Failure } from './errno.js';
import {
  environmentList,
  type FileStat,
  type FolderEntry,
  type ForkableHost,
  type ProgramStart,
} from './host.js';
import { type InputDifferences, TestInputs } from './inputs.js';
import { seekTo } from './seek.js';
import { CURRENT, clock, mode, open } from './wire.js';

export interface ModelHostOptions extends ProgramStart {
  /**
   * Files of the start, by absolute path or relative to the current folder; folders in between are
   * made.
   */
  files?: Readonly<Record<string, Uint8Array | string | Contents>> | undefined;
  stdin?: Uint8Array | string | Contents | undefined;
  seed?: number;
  /** The current folder of the start; it is made. */
  folder?: string;
  /** Creates the contents of files, but not of standard output and error. */
  newContents?: (bytes: Uint8Array) => Contents;
}

export type Inode = FileInode | FolderInode | LinkInode | DeviceInode;

interface InodeBase {
  readonly id: number;
  /** The model that may change this inode in place. */
  owner: object | undefined;
  permissions: number;
  links: number;
  accessed: bigint;
  modified: bigint;
}

export interface FileInode extends InodeBase {
  readonly kind: 'file';
  contents: Contents;
}

interface FolderInode extends InodeBase {
  readonly kind: 'folder';
  parent: number;
  entries: Map<string, number>;
}

interface LinkInode extends InodeBase {
  readonly kind: 'link';
  readonly text: string;
}

interface DeviceInode extends InodeBase {
  readonly kind: 'device';
  readonly device: Device;
}

interface OpenFile {
  readonly inode: number;
  readonly flags: number;
  position: number;
}

/**
 * The result of resolving a path: the folder of its last name, that name, and its inode if it
 * exists.
 */
interface Place {
  folder: FolderInode;
  name: string;
  inode: Inode | undefined;
}

const stdinInode = 1;
const stdoutInode = 2;
const stderrInode = 3;
const rootInode = 4;

type Handles = readonly (OpenFile | undefined)[];

function areHandlesAlike(some: Handles, others: Handles): boolean {
  return (
    some.length === others.length &&
    some.every((file, handle) => {
      const other = others[handle];
      return (
        file?.inode === other?.inode && file?.flags === other?.flags && file?.position === other?.position
      );
    })
  );
}

const mostLinks = 40;
const startOfTime = 1_000_000_000n * 1_000_000_000n;
const tick = 1000n;
const maxFileBytes = 2 ** 30;

export class ModelHost implements ForkableHost {
  #inodes = new Map<number, Inode>();
  #handles: (OpenFile | undefined)[] = [];
  #nextInode = rootInode;
  #current = rootInode;
  #now = startOfTime;
  #random: Random;
  #inputs: TestInputs;
  /** The identity of this model in `owner`; replaced when the inodes become shared. */
  #identity: object = {};
  readonly #start: ModelHostOptions;
  #moreArguments: readonly string[] = [];

  constructor(options: ModelHostOptions) {
    this.#start = options;
    this.#random = new Random(options.seed ?? 0);
    this.#inputs = new TestInputs(options.inputs);
    this.#addStream(stdinInode, this.#contentsOf(options.stdin ?? ''));
    this.#addStream(stdoutInode, new ByteContents());
    this.#addStream(stderrInode, new ByteContents());
    this.#addFolder(rootInode, 0o755).links = 1;
    this.#makeFolders('/tmp');
    this.#current = this.#makeFolders(options.folder ?? '/work').id;
    for (const [path, contents] of Object.entries(options.files ?? {})) this.addFile(path, contents);
    this.#handles = [
      { inode: stdinInode, flags: 0, position: 0 },
      { inode: stdoutInode, flags: open.O_WRONLY | open.O_APPEND, position: 0 },
      { inode: stderrInode, flags: open.O_WRONLY | open.O_APPEND, position: 0 },
    ];
  }

  /** A second model with the same state; afterwards they are independent. */
  fork(): ModelHost {
    const copy = new ModelHost(this.#start);
    copy.#copy(this);
    return copy;
  }

  /**
   * Whether both, of which one was forked from the other, will always return the same results. A
   * file that was written since counts as different, whatever was written, as output on a terminal
   * does.
   */
  isLike(other: ForkableHost): boolean {
    if (this === other) return true;
    return (
      other instanceof ModelHost &&
      this.#now === other.#now &&
      this.#nextInode === other.#nextInode &&
      this.#current === other.#current &&
      this.#random.place.every((word, i) => word === other.#random.place[i]) &&
      this.#inputs.isLike(other.#inputs) &&
      this.#inodes.size === other.#inodes.size &&
      [...this.#inodes].every(([id, inode]) => other.#inodes.get(id) === inode) &&
      areHandlesAlike(this.#handles, other.#handles)
    );
  }

  /** Restores the state of an earlier fork, which is not changed. */
  returnTo(earlier: ModelHost): void {
    this.#copy(earlier);
  }

  /** Takes over the state of another model; neither owns the inodes that both have then. */
  #copy(other: ModelHost): void {
    this.#inodes = new Map(other.#inodes);
    this.#handles = other.#handles.map(file => file && { ...file });
    this.#nextInode = other.#nextInode;
    this.#current = other.#current;
    this.#now = other.#now;
    this.#random = other.#random.clone();
    this.#inputs = other.#inputs.clone();
    this.#identity = {};
    other.#identity = {};
  }

  /** Sets the program's standard input, read from the beginning. */
  setStdin(bytes: Uint8Array): void {
    this.#addStream(stdinInode, new ByteContents(bytes));
    this.#handles[stdinInode - 1] = { inode: stdinInode, flags: 0, position: 0 };
  }

  /** The arguments after the program's name and the given ones. */
  setMoreArguments(more: readonly string[]): void {
    this.#moreArguments = more;
  }

  /** Puts a file where a path says, with the folders above it. */
  addFile(path: string, contents: Uint8Array | string | Contents): void {
    const slash = path.lastIndexOf('/');
    const folder = slash < 0 ? this.#folder(this.#current) : this.#makeFolders(path.slice(0, slash) || '/');
    const file = this.#addFile(this.#newInode(), 0o644, this.#contentsOf(contents));
    this.#enter(folder, path.slice(slash + 1), file);
  }

  /** The bytes of a file, for tests and reports; undefined if the path names no file of bytes. */
  bytesOf(path: string): Uint8Array | undefined {
    const inode = this.#find(path, true);
    return typeof inode === 'number' ? undefined : bytesOf(inode);
  }

  get stdout(): Uint8Array {
    return bytesOf(this.#inode(stdoutInode))!;
  }

  get stderr(): Uint8Array {
    return bytesOf(this.#inode(stderrInode))!;
  }

  /** Whether output to the handle is only shown, and cannot be read back. */
  isOutput(handle: number): boolean {
    const inode = this.#handles[handle]?.inode;
    return inode === stdoutInode || inode === stderrInode;
  }

  // ── handles ──

  open(path: string, flags: number, permissions: number): number {
    const inode = this.#openInode(path, flags, permissions);
    if (typeof inode === 'number') return inode;
    const writes = (flags & open.O_ACCMODE) !== 0;
    if (inode.kind === 'folder' && (writes || flags & open.O_CREAT)) return -errno.EISDIR;
    if (inode.kind !== 'folder' && flags & open.O_DIRECTORY && !unnamed(flags)) return -errno.ENOTDIR;
    if (inode.kind === 'link') return -errno.ELOOP;
    if (inode.kind === 'file' && writes && flags & open.O_TRUNC) this.#changeBytes(inode).truncate(0);
    const free = this.#handles.indexOf(undefined, 3);
    const handle = free < 0 ? this.#handles.length : free;
    this.#handles[handle] = { inode: inode.id, flags, position: 0 };
    return handle;
  }

  #openInode(path: string, flags: number, permissions: number): Inode | Failure {
    const device = deviceAt(path);
    if (device) return this.#add({ kind: 'device', device, ...this.#base(this.#newInode(), 0o666) });
    const stream = streamPaths[path];
    if (stream !== undefined) return this.#inode(stdinInode + stream);
    if (unnamed(flags)) return this.#addFile(this.#newInode(), 0o600, this.#contentsOf(''));
    const isExclusive = (flags & open.O_CREAT) !== 0 && (flags & open.O_EXCL) !== 0;
    const place = this.#walk(path, !(flags & open.O_NOFOLLOW) && !isExclusive);
    if (typeof place === 'number') return place;
    if (place.inode) return isExclusive ? -errno.EEXIST : place.inode;
    if (!(flags & open.O_CREAT)) return -errno.ENOENT;
    const file = this.#addFile(this.#newInode(), permissions & 0o777, this.#contentsOf(''));
    this.#enter(place.folder, place.name, file);
    return file;
  }

  close(handle: number): number {
    const file = this.#handles[handle];
    if (!file) return -errno.EBADF;
    this.#handles[handle] = undefined;
    this.#forget(file.inode);
    return 0;
  }

  read(handle: number, memory: Uint8Array, start: number, length: number, offset: number): number {
    const file = this.#handles[handle];
    if (!file || (file.flags & open.O_ACCMODE) === open.O_WRONLY) return -errno.EBADF;
    const inode = this.#inode(file.inode);
    if (inode.kind === 'device') {
      return readDevice(inode.device, memory, start, length, (to, at, n) => this.random(to, at, n));
    }
    if (inode.kind !== 'file') return -errno.EISDIR;
    if (offset !== CURRENT) return inode.contents.read(memory, start, length, offset);
    const count = inode.contents.read(memory, start, length, file.position);
    file.position += count;
    return count;
  }

  write(handle: number, memory: Uint8Array, start: number, length: number, offset: number): number {
    const file = this.#handles[handle];
    if (!file || (file.flags & open.O_ACCMODE) === 0) return -errno.EBADF;
    const inode = this.#inode(file.inode);
    if (inode.kind === 'device') return writeDevice(inode.device, length);
    if (inode.kind !== 'file') return -errno.EISDIR;
    const appends = (file.flags & open.O_APPEND) !== 0;
    const at = appends ? inode.contents.size : offset === CURRENT ? file.position : offset;
    if (at + length > maxFileBytes) return -errno.EFBIG;
    this.#changeBytes(inode).write(memory, start, length, at);
    if (offset === CURRENT) file.position = at + length;
    return length;
  }

  seek(handle: number, offset: number, from: number): number {
    const file = this.#handles[handle];
    if (!file) return -errno.EBADF;
    const inode = this.#inode(file.inode);
    if (file.inode < rootInode || inode.kind === 'device') return -errno.ESPIPE;
    const end = inode.kind === 'file' ? inode.contents.size : 0;
    return seekTo(file, () => end, offset, from);
  }

  truncate(handle: number, size: number): number {
    const file = this.#handles[handle];
    if (!file) return -errno.EBADF;
    const inode = this.#inode(file.inode);
    if (inode.kind !== 'file' || (file.flags & open.O_ACCMODE) === 0 || size < 0) return -errno.EINVAL;
    if (size > maxFileBytes) return -errno.EFBIG;
    this.#changeBytes(inode).truncate(size);
    return 0;
  }

  sync(handle: number): number {
    return this.#handles[handle] ? 0 : -errno.EBADF;
  }

  isatty(handle: number): number {
    return this.#handles[handle] ? -errno.ENOTTY : -errno.EBADF;
  }

  fstat(handle: number): FileStat | Failure {
    const file = this.#handles[handle];
    return file ? statOf(this.#inode(file.inode)) : -errno.EBADF;
  }

  list(handle: number, index: number): FolderEntry | Failure {
    const file = this.#handles[handle];
    if (!file) return -errno.EBADF;
    const folder = this.#inode(file.inode);
    if (folder.kind !== 'folder') return -errno.ENOTDIR;
    if (index === 0) return { name: '.', inode: folder.id, type: mode.S_IFDIR >> 12 };
    if (index === 1) return { name: '..', inode: folder.parent, type: mode.S_IFDIR >> 12 };
    const name = [...folder.entries.keys()].sort()[index - 2];
    if (name === undefined) return 0;
    const inode = this.#inode(folder.entries.get(name)!);
    return { name, inode: inode.id, type: (statOf(inode).mode & mode.S_IFMT) >> 12 };
  }

  // ── names ──

  stat(path: string, follow: boolean): FileStat | Failure {
    const device = deviceAt(path);
    if (device) return statOf({ kind: 'device', device, ...this.#base(0, 0o666) });
    const stream = streamPaths[path];
    if (stream !== undefined) return statOf(this.#inode(stdinInode + stream));
    const inode = this.#find(path, follow);
    return typeof inode === 'number' ? inode : statOf(inode);
  }

  unlink(path: string): number {
    const place = this.#existing(path);
    if (typeof place === 'number') return place;
    if (place.inode.kind === 'folder') return -errno.EISDIR;
    this.#remove(place.folder, place.name, place.inode);
    return 0;
  }

  rmdir(path: string): number {
    const place = this.#existing(path);
    if (typeof place === 'number') return place;
    const { inode } = place;
    if (inode.kind !== 'folder') return -errno.ENOTDIR;
    if (inode.entries.size > 0) return -errno.ENOTEMPTY;
    if (inode.id === this.#current) return -errno.EBUSY;
    this.#remove(place.folder, place.name, inode);
    return 0;
  }

  mkdir(path: string, permissions: number): number {
    const place = this.#walk(path.replace(/(?<=[^/])\/+$/, ''), false);
    if (typeof place === 'number') return place;
    if (place.inode) return -errno.EEXIST;
    this.#enter(place.folder, place.name, this.#addFolder(this.#newInode(), permissions & 0o777));
    return 0;
  }

  rename(from: string, to: string): number {
    const source = this.#existing(from);
    if (typeof source === 'number') return source;
    const target = this.#walk(to, false);
    if (typeof target === 'number') return target;
    const { inode } = source;
    if (target.name === '') return -errno.EBUSY;
    if (target.inode?.id === inode.id) return 0;
    if (inode.kind === 'folder' && this.#isWithin(target.folder, inode)) return -errno.EINVAL;
    if (target.inode?.kind === 'folder') {
      if (inode.kind !== 'folder') return -errno.EISDIR;
      if (target.inode.entries.size > 0) return -errno.ENOTEMPTY;
    } else if (target.inode && inode.kind === 'folder') return -errno.ENOTDIR;
    if (target.inode) this.#remove(target.folder, target.name, target.inode);
    this.#enter(target.folder, target.name, inode);
    this.#remove(this.#folder(source.folder.id), source.name, this.#inode(inode.id));
    return 0;
  }

  link(from: string, to: string): number {
    const source = this.#existing(from);
    if (typeof source === 'number') return source;
    if (source.inode.kind === 'folder') return -errno.EPERM;
    const target = this.#walk(to, false);
    if (typeof target === 'number') return target;
    if (target.inode) return -errno.EEXIST;
    this.#enter(target.folder, target.name, source.inode);
    return 0;
  }

  symlink(text: string, at: string): number {
    const place = this.#walk(at, false);
    if (typeof place === 'number') return place;
    if (place.inode) return -errno.EEXIST;
    const link = this.#add({ kind: 'link', text, ...this.#base(this.#newInode(), 0o777) });
    this.#enter(place.folder, place.name, link);
    return 0;
  }

  chmod(path: string, permissions: number): number {
    return this.#setPermissions(this.#find(path, true), permissions);
  }

  fchmod(handle: number, permissions: number): number {
    return this.#setPermissions(this.#named(handle), permissions);
  }

  utimes(path: string, follow: boolean, accessed: bigint, modified: bigint): number {
    return this.#setTimes(this.#find(path, follow), accessed, modified);
  }

  futimes(handle: number, accessed: bigint, modified: bigint): number {
    return this.#setTimes(this.#named(handle), accessed, modified);
  }

  /**
   * The inode of an open file or folder; streams and devices have neither permissions nor times.
   */
  #named(handle: number): Inode | Failure {
    const file = this.#handles[handle];
    if (!file) return -errno.EBADF;
    const inode = this.#inode(file.inode);
    return file.inode < rootInode || inode.kind === 'device' ? -errno.ENOSYS : inode;
  }

  #setPermissions(inode: Inode | Failure, permissions: number): number {
    if (typeof inode === 'number') return inode;
    this.#writable(inode).permissions = permissions & 0o7777;
    return 0;
  }

  #setTimes(found: Inode | Failure, accessed: bigint, modified: bigint): number {
    if (typeof found === 'number') return found;
    const inode = this.#writable(found);
    inode.accessed = accessed;
    inode.modified = modified;
    return 0;
  }

  readlink(path: string): string | Failure {
    const inode = this.#find(path, false);
    if (typeof inode === 'number') return inode;
    return inode.kind === 'link' ? inode.text : -errno.EINVAL;
  }

  getcwd(): string {
    const names: string[] = [];
    for (let folder = this.#folder(this.#current); folder.id !== rootInode; ) {
      const parent = this.#folder(folder.parent);
      for (const [name, id] of parent.entries) if (id === folder.id) names.unshift(name);
      folder = parent;
    }
    return `/${names.join('/')}`;
  }

  chdir(path: string): number {
    const inode = this.#find(path, true);
    if (typeof inode === 'number') return inode;
    if (inode.kind !== 'folder') return -errno.ENOTDIR;
    this.#current = inode.id;
    return 0;
  }

  // ── the process ──

  arguments(): readonly string[] {
    return this.#moreArguments.length === 0
      ? this.#start.arguments
      : [...this.#start.arguments, ...this.#moreArguments];
  }

  environment(): readonly string[] {
    return environmentList(this.#start);
  }

  clock(which: number): bigint {
    this.#now += tick;
    return which === clock.__HOST_CLOCK_REALTIME ? this.#now : this.#now - startOfTime;
  }

  sleep(nanoseconds: bigint): number {
    this.#now += nanoseconds;
    return 0;
  }

  random(memory: Uint8Array, start: number, length: number): void {
    for (let i = 0; i < length; i++) memory[start + i] = this.#random.below(256);
  }

  /** The model has no other programs. */
  run(): number {
    return -errno.EPERM;
  }

  /** The model has no network. */
  socket(): number {
    return -errno.EPERM;
  }

  get inputDifferences(): InputDifferences {
    return this.#inputs.differences();
  }

  input(name: string, memory: Uint8Array, start: number, length: number): void {
    this.#inputs.fill(name, memory, start, length);
  }

  // ── walking ──

  /** The place of a path's last name. For `/`, `.` and `..` at the end the name is empty. */
  #walk(path: string, followLast: boolean): Place | Failure {
    if (path === '') return -errno.ENOENT;
    const mustBeFolder = /\/\.?$/.test(path);
    const pending = components(path).reverse();
    let folder = this.#folder(path.startsWith('/') ? rootInode : this.#current);
    let links = 0;
    while (pending.length > 0) {
      const name = pending.pop()!;
      if (name === '..') {
        folder = this.#folder(folder.parent);
        continue;
      }
      const isLast = pending.length === 0;
      const id = folder.entries.get(name);
      const inode = id === undefined ? undefined : this.#inode(id);
      if (inode?.kind === 'link' && (!isLast || followLast || mustBeFolder)) {
        if (++links > mostLinks) return -errno.ELOOP;
        if (inode.text.startsWith('/')) folder = this.#folder(rootInode);
        pending.push(...components(inode.text).reverse());
      } else if (isLast) {
        if (mustBeFolder && inode && inode.kind !== 'folder') return -errno.ENOTDIR;
        return { folder, name, inode };
      } else if (inode?.kind === 'folder') {
        folder = inode;
      } else return inode ? -errno.ENOTDIR : -errno.ENOENT;
    }
    return { folder, name: '', inode: folder };
  }

  #find(path: string, follow: boolean): Inode | Failure {
    const place = this.#walk(path, follow);
    return typeof place === 'number' ? place : (place.inode ?? -errno.ENOENT);
  }

  /** A name that exists and can be removed: not a root, not `.` or `..`. */
  #existing(path: string): (Place & { inode: Inode }) | Failure {
    const place = this.#walk(path, false);
    if (typeof place === 'number') return place;
    if (place.name === '') return -errno.EBUSY;
    return place.inode ? { ...place, inode: place.inode } : -errno.ENOENT;
  }

  #isWithin(folder: FolderInode, ancestor: FolderInode): boolean {
    for (let at = folder; ; at = this.#folder(at.parent)) {
      if (at.id === ancestor.id) return true;
      if (at.id === rootInode) return false;
    }
  }

  // ── inodes ──

  #inode(id: number): Inode {
    const inode = this.#inodes.get(id);
    assert(inode, `no inode ${id}`);
    return inode;
  }

  #folder(id: number): FolderInode {
    const inode = this.#inode(id);
    assert(inode.kind === 'folder', `inode ${id} is not a folder`);
    return inode;
  }

  /** The inode, owned by this model: the same, or a copy under the same number. */
  #writable<T extends Inode>(inode: T): T {
    if (inode.owner === this.#identity) return inode;
    const copy = { ...inode, owner: this.#identity };
    if (copy.kind === 'folder') copy.entries = new Map(copy.entries);
    if (copy.kind === 'file') copy.contents = copy.contents.clone();
    this.#inodes.set(inode.id, copy);
    return copy;
  }

  #changeBytes(inode: FileInode): Contents {
    const file = this.#writable(inode);
    this.#now += tick;
    file.modified = this.#now;
    return file.contents;
  }

  #newInode(): number {
    return ++this.#nextInode;
  }

  #base(id: number, permissions: number): InodeBase {
    return { id, owner: this.#identity, permissions, links: 0, accessed: this.#now, modified: this.#now };
  }

  #add<T extends Inode>(inode: T): T {
    this.#inodes.set(inode.id, inode);
    return inode;
  }

  #contentsOf(contents: Uint8Array | string | Contents): Contents {
    const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents;
    if (!(bytes instanceof Uint8Array)) return bytes;
    return this.#start.newContents?.(bytes) ?? new ByteContents(bytes);
  }

  #addStream(id: number, contents: Contents): void {
    this.#addFile(id, 0o600, contents).links = 1;
  }

  #addFile(id: number, permissions: number, contents: Contents): FileInode {
    return this.#add({ kind: 'file', contents, ...this.#base(id, permissions) });
  }

  #addFolder(id: number, permissions: number): FolderInode {
    return this.#add({ kind: 'folder', parent: id, entries: new Map(), ...this.#base(id, permissions) });
  }

  #enter(folder: FolderInode, name: string, inode: Inode): void {
    this.#writable(folder).entries.set(name, inode.id);
    const entered = this.#writable(inode);
    entered.links++;
    if (entered.kind === 'folder') entered.parent = folder.id;
  }

  #remove(folder: FolderInode, name: string, inode: Inode): void {
    this.#writable(folder).entries.delete(name);
    this.#writable(inode).links--;
    this.#forget(inode.id);
  }

  /** Drops an inode that has neither a name nor a handle. */
  #forget(id: number): void {
    if (this.#inode(id).links > 0 || this.#handles.some(file => file?.inode === id)) return;
    this.#inodes.delete(id);
  }

  #makeFolders(path: string): FolderInode {
    let folder = this.#folder(path.startsWith('/') ? rootInode : this.#current);
    for (const name of components(path)) {
      const id = folder.entries.get(name);
      if (id === undefined) {
        const child = this.#addFolder(this.#newInode(), 0o755);
        this.#enter(folder, name, child);
        folder = child;
      } else folder = this.#folder(id);
    }
    return folder;
  }
}

function unnamed(flags: number): boolean {
  return (flags & open.O_TMPFILE) === open.O_TMPFILE;
}

function components(path: string): string[] {
  return path.split('/').filter(component => component !== '' && component !== '.');
}

const NO_BYTES = new Uint8Array(0);

function bytesOf(inode: Inode): Uint8Array | undefined {
  if (inode.kind !== 'file') return undefined;
  if (inode.contents.size === 0) return NO_BYTES;
  const bytes = new Uint8Array(inode.contents.size);
  inode.contents.read(bytes, 0, bytes.length, 0);
  return bytes;
}

const typeOf = { file: mode.S_IFREG, folder: mode.S_IFDIR, link: mode.S_IFLNK, device: deviceMode } as const;

function statOf(inode: Inode): FileStat {
  const isStream = inode.id > 0 && inode.id < rootInode;
  const type = isStream ? mode.S_IFIFO : typeOf[inode.kind];
  const size = inode.kind === 'file' && !isStream ? inode.contents.size : 0;
  return {
    device: 1,
    inode: inode.id,
    mode: type | inode.permissions,
    links: Math.max(1, inode.kind === 'folder' ? inode.links + 1 : inode.links),
    size: inode.kind === 'link' ? new TextEncoder().encode(inode.text).length : size,
    accessed: inode.accessed,
    modified: inode.modified,
    changed: inode.modified,
    special: inode.kind === 'device' ? deviceNumbers[inode.device] : 0,
  };
}
