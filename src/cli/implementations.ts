/**
 * Which file implements which command, loaded when the command is run.
 *
 * To add a command: its row in `command-table.ts`, a function in `src/api/NAME.ts`, a file `src/cli/NAME.ts` that exports `run`, and
 * a line here. A command without a line is listed by `--help` and says plainly that it is not built yet.
 */
import type { CommandName } from './command-table.js';
import type { Implementation } from './invocation.js';

export const implementations: Partial<Readonly<Record<CommandName, () => Promise<Implementation>>>> = {
  check: () => import('./check.js'),
  explore: () => import('./explore.js'),
  replay: () => import('./replay.js'),
  heap: () => import('./heap.js'),
  prove: () => import('./prove.js'),
  explain: () => import('./explain.js'),
  ir: () => import('./ir.js'),
  doctor: () => import('./doctor.js'),
};

export function isBuilt(command: CommandName): boolean {
  return implementations[command] !== undefined;
}
