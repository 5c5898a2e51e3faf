/**
 * Which file implements which command, loaded when the command is run.
 *
 * To add a command: its row in `src/options/commands.ts`, a function in `src/api/NAME.ts`, a
 * file `src/cli/NAME-command.ts` that exports `run`, and a line here. The compiler reports a
 * missing line.
 */
import type { CommandName } from '../options/commands.js';
import type { Implementation } from './invocation.js';

type Load = () => Promise<Implementation>;

/** By command, or by subcommand. */
export const implementations: Readonly<Record<CommandName, Load | Readonly<Record<string, Load>>>> = {
  check: () => import('./check-command.js'),
  explore: () => import('./explore-command.js'),
  fuzz: () => import('./fuzz-command.js'),
  replay: () => import('./replay-command.js'),
  heap: {
    attack: () => import('./heap-attack-command.js'),
    trace: () => import('./heap-trace-command.js'),
    replay: () => import('./heap-replay-command.js'),
    compare: () => import('./heap-compare-command.js'),
    map: () => import('./heap-map-command.js'),
  },
  prove: () => import('./prove-command.js'),
  explain: () => import('./explain-command.js'),
  ir: () => import('./ir-command.js'),
  cc: () => import('./cc-command.js'),
  lsp: () => import('./lsp-command.js'),
  run: () => import('./run-command.js'),
  worker: () => import('./worker-command.js'),
  status: () => import('./status-command.js'),
  tests: () => import('./tests-command.js'),
  serve: () => import('./serve-command.js'),
  doctor: () => import('./doctor-command.js'),
};
