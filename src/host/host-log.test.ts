/** The answers of a recorded host are those of the host that repeats its log. */
import { expect, test } from 'vitest';
import type { Host } from './host.js';
import { BeyondLog, createHostLog, LoggedHost, recordedHost } from './host-log.js';
import { socketCall } from './wire.js';

const start = { arguments: [], environment: [] };
const { __HOST_SOCKET_WAIT: WAIT, __HOST_SOCKET_NAME: NAME, __HOST_SOCKET_OPEN: OPEN } = socketCall;
const address = Uint8Array.of(2, 0, 31, 144, 127, 0, 0, 1);

/** All methods return 0; a socket has a name. */
const host = new Proxy({} as Host, {
  get: (_, method) =>
    method !== 'socket'
      ? () => 0
      : (call: number, _handle: number, memory: Uint8Array, at: number, length: number): number => {
          if (call !== NAME) return 0;
          memory.set(address.subarray(0, length), at);
          return address.length;
        },
});

test('of sockets, only the addresses that they have stored', () => {
  const log = createHostLog();
  const recorded = recordedHost(host, log);
  const memory = new Uint8Array(4096).fill(7);
  // The last argument of a wait is a time, and that of an opened socket is its kind.
  recorded.socket(OPEN, -1, memory, 0, 1);
  recorded.socket(WAIT, -1, memory, 0, 1000);
  recorded.socket(NAME, 3, memory, 100, 128);
  recorded.socket(NAME, 3, memory, 100, 4);
  const logged = new LoggedHost(log, start);
  const none = new Uint8Array(0);
  expect(logged.socket(OPEN, -1, none, 0)).toBe(0);
  expect(logged.socket(WAIT, -1, none, 0)).toBe(0);
  const all = new Uint8Array(128);
  expect(logged.socket(NAME, 3, all, 0)).toBe(address.length);
  expect(all.subarray(0, 9)).toEqual(Uint8Array.of(...address, 0));
  const some = new Uint8Array(4);
  expect(logged.socket(NAME, 3, some, 0)).toBe(address.length);
  expect(some).toEqual(address.subarray(0, 4));
});

test('a call with other arguments has no result, wherever its memory is', () => {
  const log = createHostLog();
  const recorded = recordedHost(host, log);
  const memory = new Uint8Array(16);
  recorded.open('a', 0, 0);
  recorded.write(3, memory, 8, 4, -1);
  const logged = new LoggedHost(log, start);
  expect(() => logged.open('b', 0, 0)).toThrow(BeyondLog);
  expect(() => logged.write(3, memory, 8, 4, -1)).toThrow(BeyondLog);
  expect(logged.open('a', 0, 0)).toBe(0);
  expect(() => logged.write(3, memory, 8, 5, -1)).toThrow(BeyondLog);
  expect(logged.write(3, memory, 0, 4, -1)).toBe(0);
});
