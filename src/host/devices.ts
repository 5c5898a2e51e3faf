/**
 * The few device files that every program may open, on either host; they are implemented in code.
 */
import { errno } from './errno.js';
import { mode } from './wire.js';

export type Device = 'null' | 'zero' | 'full' | 'random';

const devices: Readonly<Record<string, Device>> = {
  '/dev/null': 'null',
  '/dev/zero': 'zero',
  '/dev/full': 'full',
  '/dev/random': 'random',
  '/dev/urandom': 'random',
};

/** Requires a path as the program wrote it: links to devices are not followed. */
export function deviceAt(path: string): Device | undefined {
  return path.startsWith('/dev/') ? devices[path] : undefined;
}

/** Names of the standard streams, as handles. */
export const streamPaths: Readonly<Record<string, number>> = {
  '/dev/stdin': 0,
  '/dev/stdout': 1,
  '/dev/stderr': 2,
};

/** As `st_rdev`: the major number 1 is Linux's for devices of memory. */
export const deviceNumbers: Readonly<Record<Device, number>> = {
  null: 0x103,
  zero: 0x105,
  full: 0x107,
  random: 0x109,
};

export const deviceMode: number = mode.S_IFCHR | 0o666;

export type RandomFill = (memory: Uint8Array, start: number, length: number) => void;

export function readDevice(
  device: Device,
  memory: Uint8Array,
  start: number,
  length: number,
  random: RandomFill,
): number {
  switch (device) {
    case 'null':
      return 0;
    case 'zero':
    case 'full':
      memory.fill(0, start, start + length);
      return length;
    case 'random':
      random(memory, start, length);
      return length;
  }
}

export function writeDevice(device: Device, length: number): number {
  return device === 'full' ? -errno.ENOSPC : length;
}
