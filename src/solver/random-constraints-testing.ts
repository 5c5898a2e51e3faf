/** For tests: random constraint sets, and confirmation of unsatisfiable ones by Z3. */

import { printSmtLib } from '../expr/print-smtlib.js';
import { type Leaves, randomTwin } from '../expr/random-terms-testing.js';
import type { Term } from '../expr/term.js';
import type { Terms } from '../expr/terms.js';
import { Random } from '../support/random.js';
import { Z3 } from './z3-layer.js';

/**
 * Bytes of an input, a word of them, and variables of several widths; an input and a table to read
 * from.
 */
export function smallLeaves(t: Terms): Leaves {
  const input = t.symbolicArray('input', 8);
  const table = Uint8Array.from({ length: 16 }, (_, i) => (i * 51) & 255);
  const bytes = [0, 1, 2, 3].map(i => t.read(input, t.constant(32, i)));
  const word = t.concat(bytes[3]!, t.concat(bytes[2]!, t.concat(bytes[1]!, bytes[0]!)));
  const variables = [t.variable('n', 32), t.variable('m', 16), t.variable('k', 4), t.variable('flag', 1)];
  return {
    terms: [...bytes, ...bytes, word, ...variables].map(term => ({ term, value: 0n })),
    arrays: [
      { array: input, bytes: new Uint8Array(8) },
      { array: t.constantArray(table), bytes: table },
    ],
  };
}

/** Sets of one to five random constraints, some of which exclude each other. */
export function randomSets(t: Terms, seed: number, count: number): Term[][] {
  const random = new Random(seed);
  const leaves = smallLeaves(t);
  const pool: Term[] = [];
  while (pool.length < count) {
    const { term } = randomTwin(t, random, leaves, 1, 3);
    if (!term.isConst) pool.push(random.below(2) === 0 ? term : t.not(term));
  }
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + random.below(5) }, () => pool[random.below(pool.length)]!),
  );
}

/** Constraints that are claimed to be unsatisfiable together. */
export interface UnsatCore {
  readonly t: Terms;
  readonly terms: readonly Term[];
}

const MOST_IN_A_CALL = 200;

/**
 * Checks cores with one Z3, many per call; throws if one is satisfiable. Returns how many Z3 left
 * undecided for lack of time.
 */
export function confirmUnsat(cores: readonly UnsatCore[], millisecondsEach: number): number {
  const z3 = new Z3();
  let open = 0;
  for (let first = 0; first < cores.length; first += MOST_IN_A_CALL) {
    const scripts = cores.slice(first, first + MOST_IN_A_CALL).map(core => scriptOf(core, millisecondsEach));
    const reply = z3.run(scripts.join(''), Number.POSITIVE_INFINITY);
    const answers = reply.kind === 'reply' ? reply.reply.trim().split('\n') : [];
    if (answers.length !== scripts.length) throw new Error(`Z3 answered: ${answers.join(' ').slice(0, 500)}`);
    for (const [i, answer] of answers.entries()) {
      if (answer === 'unknown') open++;
      else if (answer !== 'unsat') throw new Error(`we say unsatisfiable, Z3 says ${answer}:\n${scripts[i]}`);
    }
  }
  z3.close();
  return open;
}

function scriptOf({ t, terms }: UnsatCore, milliseconds: number): string {
  const { preamble, roots } = printSmtLib(t, terms, 'ites');
  const assertions = roots.map(root => `(assert ${root})\n`).join('');
  return `(reset)(set-option :timeout ${milliseconds})(set-logic QF_ABV)\n${preamble}${assertions}(check-sat)\n`;
}
