/** The name of this process for other machines. */
import { hostname } from 'node:os';

export function processPlace(): string {
  return `process ${process.pid} on ${hostname()}`;
}

export function machineName(): string {
  return hostname();
}
