/** The name of this process for other machines. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

export function processPlace(): string {
  return `process ${process.pid} on ${hostname()}`;
}

export function machineName(): string {
  return hostname();
}

/** A name that no other process uses. */
export function uniqueName(): string {
  return randomUUID();
}
