/**
 * Sockets of a program under test (`--allow-net`): streams (TCP) and datagrams (UDP) on the
 * loopback of this machine.
 *
 * A program under the monitor is synchronous code, and Node's sockets are not. So they are in a
 * worker (`network-worker.ts`), and this thread blocks until the worker has replied.
 *
 *     program ──▶ Loopback ── request ──▶ worker ──▶ node:net, node:dgram
 *                    ▲                      │
 *                    └── answer, `answers`──┘      `events` counts what has happened since
 *
 * Nothing but `wait` takes longer than the worker needs to answer: a read of a socket that has no
 * bytes yet, and an accept without a client, fail with EAGAIN. The C library tries again, so other
 * threads of the program can run meanwhile.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import { startWorker } from '../platform/node.js';
import { errno, type Failure } from './errno.js';
import type { FileStat } from './host.js';
import type { OpenFile } from './real-file.js';
import { mode } from './wire.js';

/** An address as the program and Node have it. */
export interface SocketAddress {
  readonly host: string;
  readonly port: number;
}

/** The requests to the worker; `socket` is the number of an existing or new socket. */
export type NetworkRequest =
  | { readonly kind: 'bind' | 'connect' | 'to'; readonly socket: number; readonly address: SocketAddress }
  | {
      readonly kind: 'open-datagrams' | 'listen' | 'local' | 'peer' | 'from' | 'ready' | 'shutdown' | 'close';
      readonly socket: number;
    }
  | { readonly kind: 'accept'; readonly socket: number; readonly accepted: number }
  | { readonly kind: 'read'; readonly socket: number; readonly length: number }
  | { readonly kind: 'write'; readonly socket: number; readonly bytes: Uint8Array };

/** A negative number is -errno. */
export type NetworkAnswer = number | Uint8Array | SocketAddress;

export interface NetworkWorkerInput {
  readonly port: MessagePort;
  /** Two counters: answers that were sent, and events. */
  readonly counters: SharedArrayBuffer;
}

export const ANSWERS = 0;
export const EVENTS = 1;

export class Loopback {
  readonly #counters = new Int32Array(new SharedArrayBuffer(8));
  #worker: { readonly thread: Worker; readonly port: MessagePort } | undefined;
  #asked = 0;
  #seen = 0;
  #next = 0;

  newSocket(hasDatagrams = false): LoopbackSocket {
    const socket = this.#next++;
    if (hasDatagrams) this.ask({ kind: 'open-datagrams', socket });
    return new LoopbackSocket(this, socket);
  }

  ask(request: NetworkRequest): NetworkAnswer {
    this.#worker ??= this.#start();
    const { port } = this.#worker;
    this.#seen = Atomics.load(this.#counters, EVENTS);
    port.postMessage(request);
    Atomics.wait(this.#counters, ANSWERS, this.#asked++);
    return receiveMessageOnPort(port)?.message as NetworkAnswer;
  }

  /** Waits until something has happened since the last call, but not longer than this. */
  wait(milliseconds: number): void {
    Atomics.wait(this.#counters, EVENTS, this.#seen, milliseconds);
    this.#seen = Atomics.load(this.#counters, EVENTS);
  }

  dispose(): void {
    this.#worker?.port.close();
    void this.#worker?.thread.terminate();
    this.#worker = undefined;
  }

  #start(): { readonly thread: Worker; readonly port: MessagePort } {
    const { port1, port2 } = new MessageChannel();
    const workerData: NetworkWorkerInput = {
      port: port2,
      counters: this.#counters.buffer as SharedArrayBuffer,
    };
    const thread = startWorker('host/network-worker', { workerData, transferList: [port2] });
    thread.unref();
    return { thread, port: port1 };
  }
}

/** A socket behind a handle. */
export class LoopbackSocket implements OpenFile {
  readonly hasPosition = false;
  readonly #network: Loopback;
  readonly #number: number;

  constructor(network: Loopback, number: number) {
    this.#network = network;
    this.#number = number;
  }

  at(kind: 'bind' | 'connect' | 'to', address: SocketAddress): number {
    return this.#count({ kind, socket: this.#number, address });
  }

  on(kind: 'listen' | 'ready' | 'shutdown'): number {
    return this.#count({ kind, socket: this.#number });
  }

  name(kind: 'local' | 'peer' | 'from'): SocketAddress | Failure {
    return this.#network.ask({ kind, socket: this.#number }) as SocketAddress | Failure;
  }

  accept(): LoopbackSocket | Failure {
    const accepted = this.#network.newSocket();
    const answer = this.#count({ kind: 'accept', socket: this.#number, accepted: accepted.#number });
    return answer < 0 ? answer : accepted;
  }

  read(memory: Uint8Array, start: number, length: number): number {
    const answer = this.#network.ask({ kind: 'read', socket: this.#number, length });
    if (!(answer instanceof Uint8Array)) return answer as Failure;
    memory.set(answer, start);
    return answer.length;
  }

  write(memory: Uint8Array, start: number, length: number): number {
    return this.#count({
      kind: 'write',
      socket: this.#number,
      bytes: memory.slice(start, start + length),
    });
  }

  size(): number {
    return 0;
  }

  stat(): FileStat {
    const never = { accessed: 0n, modified: 0n, changed: 0n, special: 0 };
    return { device: 0, inode: this.#number + 1, mode: mode.S_IFSOCK | 0o777, links: 1, size: 0, ...never };
  }

  close(): void {
    this.#network.ask({ kind: 'close', socket: this.#number });
  }

  #count(request: NetworkRequest): number {
    return this.#network.ask(request) as number;
  }
}

/** The bytes of a `sockaddr_in` or `sockaddr_in6`; undefined if it is another, or not complete. */
export function readAddress(bytes: Uint8Array): SocketAddress | undefined {
  const family = bytes[0]! | (bytes[1]! << 8);
  const port = (bytes[2]! << 8) | bytes[3]!;
  if (family === AF_INET && bytes.length >= 16) return { host: bytes.slice(4, 8).join('.'), port };
  if (family !== AF_INET6 || bytes.length < 28) return undefined;
  const parts: string[] = [];
  for (let i = 8; i < 24; i += 2) parts.push(((bytes[i]! << 8) | bytes[i + 1]!).toString(16));
  return { host: parts.join(':'), port };
}

/** The other way round. IPv6 has one address here, `::1`. */
export function writeAddress({ host, port }: SocketAddress): Uint8Array {
  const isV4 = !host.includes(':');
  const bytes = new Uint8Array(isV4 ? 16 : 28);
  bytes.set([isV4 ? AF_INET : AF_INET6, 0, port >> 8, port & 255]);
  if (isV4) bytes.set(host.split('.').map(Number), 4);
  else bytes[23] = 1;
  return bytes;
}

const AF_INET = 2;
const AF_INET6 = 10;

/** Whether the address is on the loopback, or, for bind, any address. */
export function onLoopback({ host, port }: SocketAddress): SocketAddress | Failure {
  if (host === '0.0.0.0') return { host: '127.0.0.1', port };
  if (/^[0:]+[01]$/.test(host)) return { host: '::1', port };
  return host.startsWith('127.') ? { host, port } : -errno.ENETUNREACH;
}
