/**
 * Regular expressions and texts to try them on, generated, for a comparison with glibc.
 *
 * Left out is what glibc itself gets wrong (each seen, and checked by hand): \b and \B after
 * repetitions; assertions inside repeated groups; ^ and $ in the middle of a pattern, next to a
 * newline, without REG_NEWLINE; a backslash before a letter under REG_ICASE; repetitions of
 * repetitions and of empty groups; back-references that are repeated, or refer to repeated groups.
 * So is an empty alternative, which glibc, unlike any other, passes over for a later one. Groups
 * within repetitions are generated, but only the whole match is compared then: glibc keeps what a
 * group matched in an earlier round.
 */
import type { Random } from '../../src/support/random.js';

export interface RegexCase {
  pattern: string;
  text: string;
  /** As in `<regex.h>`. */
  compileFlags: number;
  executeFlags: number;
  /** How many pairs to compare: 1 is the match alone. */
  pairs: number;
}

const flag = { extended: 1, icase: 2, newline: 4 };
const notBol = 1;
const notEol = 2;

export function regexCase(random: Random): RegexCase {
  const extended = random.below(3) !== 0;
  const byLine = random.below(4) === 0;
  const withBackrefs = random.below(8) === 0;
  const writer = new PatternWriter(random, extended, withBackrefs);
  const pattern = writer.alternatives(3, false);
  const letters = byLine ? 'aaabbbcxAB \n_.*' : 'aaabbbcxAB _.*-';
  const text = Array.from({ length: random.below(14) }, () => letters[random.below(letters.length)]).join('');
  const icase = random.below(5) === 0;
  const compileFlags =
    (extended ? flag.extended : 0) | (icase ? flag.icase : 0) | (byLine ? flag.newline : 0);
  const executeFlags = (random.below(6) === 0 ? notBol : 0) | (random.below(6) === 0 ? notEol : 0);
  return { pattern, text, compileFlags, executeFlags, pairs: writer.repeatsGroups ? 1 : 10 };
}

class PatternWriter {
  repeatsGroups = false;
  #groups = 0;
  /** Groups that are closed here, so that a back-reference may name them. */
  #closed: number[] = [];

  constructor(
    readonly random: Random,
    readonly extended: boolean,
    readonly withBackrefs: boolean,
  ) {}

  alternatives(depth: number, isRepeated: boolean): string {
    const count = this.random.below(4) === 0 ? 2 : 1;
    const before = [...this.#closed];
    const closed: number[] = [];
    const sequences = Array.from({ length: count }, () => {
      this.#closed = [...before];
      const first = count > 1 ? this.#pick(atoms) : '';
      const text = first + this.#sequence(depth, isRepeated);
      closed.push(...this.#closed);
      return text;
    });
    this.#closed = closed;
    return sequences.join(this.extended ? '|' : '\\|');
  }

  #sequence(depth: number, isRepeated: boolean): string {
    const length = this.random.below(4) + (this.random.below(8) === 0 ? 0 : 1);
    return Array.from({ length }, () => this.#repeatedAtom(depth, isRepeated)).join('');
  }

  #repeatedAtom(depth: number, isRepeated: boolean): string {
    if (!isRepeated && this.random.below(9) === 0) return this.#pick(assertions);
    const suffix =
      this.random.below(3) === 0 ? this.#pick(this.extended ? repetitions : basicRepetitions) : '';
    const isGroup = depth > 0 && this.#groups < 9 && this.random.below(5) === 0;
    if (!isGroup) return this.#backref() ?? this.#pick(atoms) + suffix;
    const number = ++this.#groups;
    if (suffix !== '' || isRepeated) this.repeatsGroups = true;
    const inside = this.alternatives(depth - 1, isRepeated || suffix !== '') || 'a';
    if (suffix === '' && !isRepeated) this.#closed.push(number);
    return this.extended ? `(${inside})${suffix}` : `\\(${inside}\\)${suffix}`;
  }

  #backref(): string | undefined {
    if (!this.withBackrefs || this.random.below(3) !== 0) return undefined;
    const group = this.#closed[this.random.below(this.#closed.length + 1)];
    return group === undefined ? undefined : `\\${group}`;
  }

  #pick(list: readonly string[]): string {
    return list[this.random.below(list.length)]!;
  }
}

const atoms = [
  ...[
    'a',
    'a',
    'a',
    'a',
    'b',
    'b',
    'b',
    'c',
    'x',
    'A',
    '.',
    '.',
    '[ab]',
    '[^a]',
    '[a-c]',
    '[]a]',
    '[^]a]',
    '[a-]',
  ],
  ...[
    '[[:alpha:]]',
    '[[:upper:]b]',
    '[[.a.]-c]',
    '[[=b=]]',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\.',
    '\\*',
    '\\[',
    '_',
  ],
];
const assertions = ['^', '$', '\\<', '\\>', '\\`', "\\'"];
const repetitions = ['*', '*', '+', '?', '{2}', '{1,2}', '{0,2}', '{2,}', '{,2}', '{0}'];
const basicRepetitions = [
  '*',
  '*',
  '\\+',
  '\\?',
  '\\{2\\}',
  '\\{1,2\\}',
  '\\{0,2\\}',
  '\\{2,\\}',
  '\\{,2\\}',
  '\\{0\\}',
];

/** One case for each line, its parts in hexadecimal, as `programs/regex-driver.c` reads them. */
export function writeCases(cases: readonly RegexCase[]): string {
  const hex = (text: string) => Buffer.from(text).toString('hex') || '-';
  return cases
    .map(c => `${c.compileFlags} ${c.executeFlags} ${c.pairs} ${hex(c.pattern)} ${hex(c.text)}\n`)
    .join('');
}
