/**
 * For tests: random systems over a few small variables, and random formulas about them.
 */
import type { Random } from '../support/random.js';
import {
  and,
  type BoolExpr,
  chooseBool,
  div,
  eq,
  type IntExpr,
  iff,
  implies,
  int,
  ite,
  le,
  mod,
  not,
  or,
  ref,
  scale,
  sum,
  TRUE,
  type Variable,
} from './expression.js';
import { type Command, makeSystem, type System } from './system.js';

export const smallVariables: readonly Variable[] = [
  { name: 'b', domain: { kind: 'bool' } },
  { name: 'x', domain: { kind: 'int', min: 0, max: 5 } },
  { name: 'y', domain: { kind: 'int', min: -3, max: 2 } },
  { name: 'e', domain: { kind: 'int', min: 0, max: 2, names: ['red', 'green', 'blue'] } },
];

export function randomBool(random: Random, depth: number): BoolExpr {
  const bool = (): BoolExpr => randomBool(random, depth - 1);
  const integer = (): IntExpr => randomInt(random, depth - 1);
  if (depth <= 0) return random.below(2) === 0 ? ref(smallVariables[0]!) : le(integer(), integer());
  switch (random.below(8)) {
    case 0:
      return not(bool());
    case 1:
      return and(bool(), bool(), bool());
    case 2:
      return or(bool(), bool());
    case 3:
      return implies(bool(), bool());
    case 4:
      return iff(bool(), bool());
    case 5:
      return chooseBool(bool(), bool(), bool());
    case 6:
      return eq(integer(), integer());
    default:
      return le(integer(), integer());
  }
}

function randomInt(random: Random, depth: number): IntExpr {
  const integer = (): IntExpr => randomInt(random, depth - 1);
  if (depth <= 0)
    return random.below(3) === 0 ? int(random.below(9) - 4) : ref(smallVariables[1 + random.below(3)]!);
  switch (random.below(5)) {
    case 0:
      return sum(integer(), integer());
    case 1:
      return scale(random.below(7) - 3, integer());
    case 2:
      return ite(randomBool(random, depth - 1), integer(), integer());
    case 3:
      return div(integer(), 1 + random.below(4));
    default:
      return mod(integer(), 1 + random.below(4));
  }
}

/** A few commands with random guards and updates, and three random properties. */
export function randomSystem(random: Random): System {
  const commands = Array.from({ length: 2 + random.below(3) }, (_, i): Command => {
    const updates = new Map(
      smallVariables
        .filter(() => random.below(2) === 0)
        .map(variable => [
          variable,
          variable.domain.kind === 'bool' ? randomBool(random, 1) : randomInt(random, 1),
        ]),
    );
    return { name: `command ${i}`, guard: randomBool(random, 1), updates, free: [], constraint: TRUE };
  });
  return makeSystem({
    name: 'random',
    variables: smallVariables,
    init: and(not(ref(smallVariables[0]!)), ...smallVariables.slice(1).map(variable => eq(ref(variable), 0))),
    commands,
    properties: Array.from({ length: 3 }, (_, i) => ({
      name: `property ${i}`,
      formula: or(randomBool(random, 1), randomBool(random, 1)),
      role: 'goal' as const,
      restsOn: [],
    })),
  });
}
