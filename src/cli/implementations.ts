/**
 * Which file implements which command, loaded when the command is run.
 *
 * To add a command: its row in `src/options/commands.ts`, a function in `src/api/NAME.ts`, a file
 * `src/cli/NAME.ts` that exports `run`, and a line here. A command without a line is listed by
 * `--help` and says plainly that it is not built yet.
 */
import type { CommandName } from '../options/commands.js';
import type { Implementation } from './invocation.js';

type Load = () => Promise<Implementation>;

/** By command, or by subcommand. */
export const implementations: Partial<Readonly<Record<CommandName, Load | Readonly<Record<string, Load>>>>> =
  {
    check: () => import('./check.js'),
    explore: () => import('./explore.js'),
    fuzz: () => import('./fuzz.js'),
    replay: () => import('./replay.js'),
    heap: {
      attack: () => import('./heap-attack.js'),
      trace: () => import('./heap-trace.js'),
      replay: () => import('./heap-replay.js'),
      compare: () => import('./heap-compare.js'),
      map: () => import('./heap-map.js'),
    },
    prove: () => import('./prove.js'),
    explain: () => import('./explain.js'),
    ir: () => import('./ir.js'),
    doctor: () => import('./doctor.js'),
  };

export function isBuilt(command: CommandName): boolean {
  return implementations[command] !== undefined;
}
