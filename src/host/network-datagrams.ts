/**
 * A datagram socket (UDP) of a program, in the worker that owns the sockets (`network-worker.ts`).
 *
 * The kind of socket that Node needs, IPv4 or IPv6, is known with the first address. It is then
 * bound to the loopback, before anything is sent, so nothing from another machine is received.
 */
import { createSocket, type Socket } from 'node:dgram';
import { errno, failureOf } from './errno.js';
import type { NetworkAnswer, NetworkRequest, SocketAddress } from './loopback.js';
import { poll } from './wire.js';

/** The largest number of bytes that wait to be read; later datagrams are lost, as with UDP. */
const mostUnread = 1 << 20;

type Answer = (value: NetworkAnswer) => void;

export class Datagrams {
  readonly #happened: () => void;
  readonly #unread: { readonly bytes: Uint8Array; readonly from: SocketAddress }[] = [];
  #unreadBytes = 0;
  #socket: Socket | undefined;
  /** The address of `connect`. */
  #peer: SocketAddress | undefined;
  /** Where the next datagram goes, if the program names an address. */
  #next: SocketAddress | undefined;
  #sender: SocketAddress | undefined;
  #failure = 0;

  constructor(happened: () => void) {
    this.#happened = happened;
  }

  answer(request: NetworkRequest, answer: Answer): void {
    switch (request.kind) {
      case 'bind':
        if (this.#socket === undefined) this.#bind(request.address, answer);
        else answer(-errno.EINVAL);
        break;
      case 'connect':
        this.#connect(request.address, answer);
        break;
      case 'to':
        this.#next = request.address;
        answer(0);
        break;
      case 'write':
        this.#send(request.bytes, answer);
        break;
      case 'read':
        answer(this.#read(request.length));
        break;
      case 'from':
        answer(this.#sender ?? -errno.ENOTCONN);
        break;
      case 'local':
        answer(this.#local());
        break;
      case 'peer':
        answer(this.#peer ?? -errno.ENOTCONN);
        break;
      case 'ready':
        answer((this.#unread.length > 0 || this.#failure !== 0 ? poll.POLLIN : 0) | poll.POLLOUT);
        break;
      case 'shutdown':
        answer(this.#peer === undefined ? -errno.ENOTCONN : 0);
        break;
      case 'close':
        if (this.#socket === undefined) answer(0);
        else this.#socket.close(() => answer(0));
        break;
      case 'open-datagrams':
        answer(0);
        break;
      case 'listen':
      case 'accept':
        answer(-errno.EOPNOTSUPP);
    }
  }

  #bind({ host, port }: SocketAddress, answer: Answer): void {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    const onFailure = (error: Error): void => answer(failureOf(error));
    socket.once('error', onFailure);
    socket.bind({ address: host, port, exclusive: true }, () => {
      socket.off('error', onFailure);
      socket.on('error', error => {
        this.#failure = failureOf(error);
        this.#happened();
      });
      socket.on('message', (bytes, { address, port: from }) => this.#receive(bytes, address, from));
      this.#socket = socket;
      answer(0);
    });
  }

  /** Binds the socket to any port of the loopback, unless it is bound. */
  #withSocket({ host }: SocketAddress, answer: Answer, then: (socket: Socket) => void): void {
    if (this.#socket !== undefined) {
      then(this.#socket);
      return;
    }
    this.#bind({ host: host.includes(':') ? '::1' : '127.0.0.1', port: 0 }, result => {
      if (this.#socket === undefined) answer(result);
      else then(this.#socket);
    });
  }

  #connect(address: SocketAddress, answer: Answer): void {
    this.#withSocket(address, answer, socket => {
      if (this.#peer !== undefined) socket.disconnect();
      this.#peer = undefined;
      socket.connect(address.port, address.host, (error?: Error) => {
        if (!error) this.#peer = address;
        answer(error ? failureOf(error) : 0);
      });
    });
  }

  #send(bytes: Uint8Array, answer: Answer): void {
    const to = this.#next ?? this.#peer;
    const isNamed = this.#next !== undefined;
    this.#next = undefined;
    if (to === undefined) {
      answer(-errno.EDESTADDRREQ);
      return;
    }
    const done = (error: Error | null): void => answer(error ? failureOf(error) : bytes.length);
    this.#withSocket(to, answer, socket => {
      if (!isNamed) socket.send(bytes, done);
      else if (this.#peer !== undefined) answer(-errno.EISCONN);
      else socket.send(bytes, to.port, to.host, done);
    });
  }

  #receive(bytes: Uint8Array, host: string, port: number): void {
    if (this.#unreadBytes + bytes.length > mostUnread) return;
    this.#unread.push({ bytes, from: { host, port } });
    this.#unreadBytes += bytes.length;
    this.#happened();
  }

  /** What does not fit is lost. */
  #read(length: number): NetworkAnswer {
    const first = this.#unread.shift();
    if (first === undefined) {
      const failure = this.#failure;
      this.#failure = 0;
      return failure === 0 ? -errno.EAGAIN : failure;
    }
    this.#unreadBytes -= first.bytes.length;
    this.#sender = first.from;
    return first.bytes.slice(0, length);
  }

  #local(): SocketAddress {
    const bound = this.#socket?.address();
    return { host: bound?.address ?? '0.0.0.0', port: bound?.port ?? 0 };
  }
}
