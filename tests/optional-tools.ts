/**
 * Tools of the machine that some tests compare with. Where one is missing the tests are left out,
 * and the run says so in its last lines: a request for a tool names what is left out without it
 * (`left-out.ts` prints it).
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const known = new Map<string, boolean>();

/** Whether the program is installed; `leftOut` names what is not tested without it. */
export function hasTool(tool: string, leftOut: string): boolean {
  let isThere = known.get(tool);
  if (isThere === undefined) {
    isThere = spawnSync(tool, ['--version'], { stdio: 'ignore' }).status === 0;
    known.set(tool, isThere);
  }
  if (!isThere) noteLeftOut(tool, leftOut);
  return isThere;
}

export function noteLeftOut(tool: string, leftOut: string): void {
  const file = process.env.REDZONE_LEFT_OUT;
  if (file === undefined) console.warn(`left out for lack of ${tool}: ${leftOut}`);
  else appendFileSync(file, `left out for lack of ${tool}: ${leftOut}\n`);
}
