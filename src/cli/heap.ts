/** `redzone heap SUBCOMMAND`: the malloc laboratory. */
import { closestTo } from '../support/closest.js';
import { UsageError } from './arguments.js';
import type { Implementation, Invocation } from './invocation.js';

const subcommands: Readonly<Record<string, () => Promise<Implementation>>> = {
  attack: () => import('./heap-attack.js'),
  trace: () => import('./heap-trace.js'),
  replay: () => import('./heap-replay.js'),
  compare: () => import('./heap-compare.js'),
  map: () => import('./heap-map.js'),
};

export async function run(invocation: Invocation): Promise<number> {
  const [name, ...operands] = invocation.operands;
  const names = Object.keys(subcommands);
  if (name === undefined)
    throw new UsageError('no subcommand given', `the subcommands are ${names.join(', ')}`);
  const load = subcommands[name];
  if (load === undefined) {
    const guess = closestTo(name, names);
    throw new UsageError(
      `\`redzone heap\` has no subcommand '${name}'`,
      guess === undefined
        ? `the subcommands are ${names.join(', ')}`
        : `did you mean \`redzone heap ${guess}\`?`,
    );
  }
  const implementation = await load();
  return implementation.run({ ...invocation, operands });
}
