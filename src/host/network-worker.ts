/**
 * The other side of `loopback.ts`: owns the sockets, and answers one request after the other.
 *
 * What arrives is kept until it is read. A socket that is bound is already listening for Node; its
 * clients wait until the program accepts them.
 */
import { createServer, type Server, Socket } from 'node:net';
import { workerData } from 'node:worker_threads';
import { errno, failureOf } from './errno.js';
import {
  ANSWERS,
  EVENTS,
  type NetworkAnswer,
  type NetworkRequest,
  type NetworkWorkerInput,
  type SocketAddress,
} from './loopback.js';
import { Datagrams } from './network-datagrams.js';
import { poll } from './wire.js';

/** The largest number of unread bytes of a stream. */
const mostUnread = 1 << 20;

interface Connection {
  readonly socket: Socket;
  readonly unread: Uint8Array[];
  unreadBytes: number;
  hasEnded: boolean;
  failure: number;
}

interface Endpoint {
  server?: Server;
  readonly clients: Connection[];
  connection?: Connection;
}

const { port, counters } = workerData as NetworkWorkerInput;
const shared = new Int32Array(counters);
const endpoints = new Map<number, Endpoint>();
const datagrams = new Map<number, Datagrams>();

function happened(): void {
  Atomics.add(shared, EVENTS, 1);
  Atomics.notify(shared, EVENTS);
}

function answer(value: NetworkAnswer): void {
  port.postMessage(value);
  Atomics.add(shared, ANSWERS, 1);
  Atomics.notify(shared, ANSWERS);
}

function follow(socket: Socket): Connection {
  const connection: Connection = { socket, unread: [], unreadBytes: 0, hasEnded: false, failure: 0 };
  socket.setNoDelay();
  socket.on('data', bytes => {
    connection.unread.push(bytes);
    connection.unreadBytes += bytes.length;
    if (connection.unreadBytes > mostUnread) socket.pause();
    happened();
  });
  socket.on('end', () => {
    connection.hasEnded = true;
    happened();
  });
  socket.on('error', error => {
    connection.failure = failureOf(error);
    happened();
  });
  return connection;
}

function bind(endpoint: Endpoint, { host, port: number }: SocketAddress): void {
  const server = createServer({ allowHalfOpen: true }, client => {
    endpoint.clients.push(follow(client));
    happened();
  });
  server.once('error', error => answer(failureOf(error)));
  server.listen({ host, port: number }, () => {
    endpoint.server = server;
    answer(0);
  });
}

function connect(endpoint: Endpoint, { host, port: number }: SocketAddress): void {
  if (endpoint.connection !== undefined) {
    answer(-errno.EISCONN);
    return;
  }
  const socket = new Socket({ allowHalfOpen: true });
  const onFailure = (error: Error): void => answer(failureOf(error));
  socket.once('error', onFailure);
  socket.connect({ host, port: number }, () => {
    socket.off('error', onFailure);
    endpoint.connection = follow(socket);
    answer(0);
  });
}

function read({ connection }: Endpoint, length: number): NetworkAnswer {
  if (connection === undefined) return -errno.ENOTCONN;
  const [first] = connection.unread;
  if (first === undefined) {
    if (connection.failure !== 0) return connection.failure;
    return connection.hasEnded ? new Uint8Array(0) : -errno.EAGAIN;
  }
  const bytes = first.slice(0, length);
  if (bytes.length === first.length) connection.unread.shift();
  else connection.unread[0] = first.subarray(bytes.length);
  connection.unreadBytes -= bytes.length;
  if (connection.unreadBytes <= mostUnread) connection.socket.resume();
  return bytes;
}

function write({ connection }: Endpoint, bytes: Uint8Array): void {
  if (connection === undefined) answer(-errno.ENOTCONN);
  else if (connection.failure !== 0 || connection.socket.writableEnded) answer(-errno.EPIPE);
  // The reply is sent when the system has taken the bytes, so a writer is no faster than its
  // reader.
  else connection.socket.write(bytes, error => answer(error ? failureOf(error) : bytes.length));
}

function accept({ server, clients }: Endpoint, number: number): number {
  if (server === undefined) return -errno.EINVAL;
  const connection = clients.shift();
  if (connection === undefined) return -errno.EAGAIN;
  endpoints.set(number, { clients: [], connection });
  return 0;
}

function ready({ clients, connection }: Endpoint): number {
  if (connection === undefined) return clients.length > 0 ? poll.POLLIN : 0;
  const { unread, hasEnded, failure, socket } = connection;
  const canRead = unread.length > 0 || hasEnded || failure !== 0;
  return (
    (canRead ? poll.POLLIN : 0) |
    poll.POLLOUT |
    (failure !== 0 ? poll.POLLERR : 0) |
    (hasEnded && socket.writableEnded ? poll.POLLHUP : 0)
  );
}

function nameOf({ server, connection }: Endpoint, which: 'local' | 'peer'): NetworkAnswer {
  const socket = connection?.socket;
  if (which === 'peer')
    return socket?.remoteAddress === undefined
      ? -errno.ENOTCONN
      : { host: socket.remoteAddress, port: socket.remotePort ?? 0 };
  const bound = server?.address();
  if (bound && typeof bound === 'object') return { host: bound.address, port: bound.port };
  return { host: socket?.localAddress ?? '0.0.0.0', port: socket?.localPort ?? 0 };
}

/** The other side sees the end when all was sent. */
function end({ connection }: Endpoint, then: () => void): void {
  if (connection === undefined || connection.socket.writableEnded || connection.socket.destroyed) {
    then();
    return;
  }
  connection.socket.once('error', () => undefined);
  connection.socket.end(then);
}

function close(number: number, endpoint: Endpoint): void {
  endpoints.delete(number);
  endpoint.server?.close();
  for (const { socket } of endpoint.clients) socket.destroy();
  end(endpoint, () => {
    // Unread data would keep the worker alive.
    endpoint.connection?.socket.resume();
    endpoint.connection?.socket.unref();
    answer(0);
  });
}

port.on('message', (request: NetworkRequest) => {
  if (request.kind === 'open-datagrams') datagrams.set(request.socket, new Datagrams(happened));
  const own = datagrams.get(request.socket);
  if (own === undefined) answerStream(request);
  else own.answer(request, answer);
  if (request.kind === 'close') datagrams.delete(request.socket);
});

function answerStream(request: NetworkRequest): void {
  const endpoint: Endpoint = endpoints.get(request.socket) ?? { clients: [] };
  endpoints.set(request.socket, endpoint);
  switch (request.kind) {
    case 'bind':
      bind(endpoint, request.address);
      break;
    case 'connect':
      connect(endpoint, request.address);
      break;
    case 'listen':
      if (endpoint.server === undefined) bind(endpoint, { host: '127.0.0.1', port: 0 });
      else answer(0);
      break;
    case 'accept':
      answer(accept(endpoint, request.accepted));
      break;
    case 'local':
    case 'peer':
      answer(nameOf(endpoint, request.kind));
      break;
    case 'ready':
      answer(ready(endpoint));
      break;
    case 'read':
      answer(read(endpoint, request.length));
      break;
    case 'write':
      write(endpoint, request.bytes);
      break;
    case 'shutdown':
      end(endpoint, () => answer(0));
      break;
    case 'close':
      close(request.socket, endpoint);
      break;
    case 'to':
      // A stream has its peer.
      answer(0);
      break;
    case 'from':
      answer(nameOf(endpoint, 'peer'));
      break;
    case 'open-datagrams':
      answer(-errno.EINVAL);
  }
}
