/**
 * The kinds of extensions, as `CONTRIBUTING.md` has recipes for them: what there is of
 * each kind, and which files a recipe lists.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { searcherNames } from '../src/explore/search/searcher-names.js';
import { BINARY_OPS } from '../src/expr/random-terms-testing.js';
import { Op } from '../src/expr/term.js';
import { codes } from '../src/findings/codes.js';
import { builtinPredicates } from '../src/front/acsl/builtin-predicates.js';
import { opcodes } from '../src/ir/opcodes.js';
import { mallocNames } from '../src/malloc/malloc-names.js';
import { backends } from '../src/solver/backend-names.js';

export const root: string = join(import.meta.dirname, '..');
export const read = (file: string): string => readFileSync(join(root, file), 'utf8');

export interface Kind {
  /** After `### Add `. */
  readonly recipe: string;
  readonly instances: readonly string[];
  /** Whether this text names the instance. */
  readonly names: (text: string, instance: string) => boolean;
  /** Adds an instance to the first place of the recipe, and nowhere else. */
  readonly addition?: {
    readonly file: string;
    readonly from: string;
    readonly to: string;
    /** The files in which the compiler then reports an error; a `default:` would hide one. */
    readonly shows: readonly string[];
  };
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** As a string, or as a key at the beginning of a line. */
const quoted = (text: string, instance: string): boolean =>
  new RegExp(`['\`]${escaped(instance)}['\`]|^ *${escaped(instance)}\\b[:,]`, 'm').test(text);

export const kinds: readonly Kind[] = [
  { recipe: 'a code', instances: Object.keys(codes), names: quoted },
  {
    recipe: 'an instruction',
    instances: Object.keys(opcodes),
    names: quoted,
    addition: {
      file: 'src/ir/model.ts',
      from: "'fneg' | 'freeze';",
      to: "'fneg' | 'freeze' | 'added';",
      shows: [
        'src/emit/instructions.ts',
        'src/explore/instructions/decode.ts',
        'src/ir/opcodes.ts',
        'src/ir/read/read-instruction.ts',
        'src/ir/verify-types.ts',
        'src/ir/write/write-instruction.ts',
      ],
    },
  },
  {
    recipe: 'a malloc',
    instances: mallocNames,
    names: quoted,
    addition: {
      file: 'src/malloc/malloc-names.ts',
      from: "  | 'kdalloc';",
      to: "  | 'kdalloc' | 'added';",
      shows: ['src/malloc/create-malloc.ts', 'src/malloc/malloc-names.ts'],
    },
  },
  {
    recipe: 'a searcher',
    instances: searcherNames,
    names: quoted,
    addition: {
      file: 'src/explore/search/searcher-names.ts',
      from: "'coverage'] as const",
      to: "'coverage', 'added'] as const",
      shows: ['src/explore/search/searchers.ts'],
    },
  },
  {
    recipe: 'a term operator',
    instances: BINARY_OPS.map(op => Op[op]!),
    names: (text, instance) => new RegExp(`\\bOp\\.${instance}\\b`).test(text),
    addition: {
      file: 'src/expr/term.ts',
      from: '  Ite,\n',
      to: '  Ite,\n  Added,\n',
      shows: [
        'src/expr/print-kquery.ts',
        'src/expr/print-smtlib.ts',
        'src/expr/random-terms-testing.ts',
        'src/expr/terms.ts',
        'src/solver/bit-vector-circuits.ts',
      ],
    },
  },
  {
    recipe: 'an ACSL predicate or function',
    instances: [...builtinPredicates.keys()].map(word => `\\${word}`),
    names: quoted,
  },
  {
    recipe: 'a solver back end',
    instances: backends,
    names: quoted,
    addition: {
      file: 'src/solver/backend-names.ts',
      from: "'z3'] as const",
      to: "'z3', 'added'] as const",
      shows: ['src/solver/solver.ts'],
    },
  },
];

/** The recipes of `CONTRIBUTING.md` by title: the files and folders that each lists. */
export function recipes(): Map<string, string[]> {
  const [, ...sections] = read('CONTRIBUTING.md').split(/^### Add /m);
  return new Map(
    sections.map(section => [
      section.slice(0, section.indexOf('\n')).trim(),
      [...section.matchAll(/`((?:src|tests|docs|runtime)\/[\w./-]*)`/g)].map(match => match[1]!),
    ]),
  );
}

/** Whether the file is one of the places, or in a folder that is. */
export function isListed(file: string, places: readonly string[]): boolean {
  return places.some(place => file === place || (place.endsWith('/') && file.startsWith(place)));
}
