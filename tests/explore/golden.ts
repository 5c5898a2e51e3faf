/**
 * The golden programs of `check` under `explore`: what one engine finds the other finds too, at the
 * same line.
 *
 * A program with many cases chooses one by its first argument. Made symbolic, that argument leads
 * to all of them in one exploration.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, explore, type Finding } from '../../src/index.js';
import { filesBelow } from '../../src/platform/files.js';
import { type GoldenProgram, parseGolden } from '../golden-runner/annotations.js';
import { goldenText } from '../golden-runner/voice.js';

const root = join(import.meta.dirname, '..');

export const goldenFiles: readonly string[] = ['golden', 'templist'].flatMap(folder =>
  filesBelow(join(root, folder))
    // Annotations are checked by `check` alone; schedules are explored by `threads.test.ts`.
    .filter(file => file.endsWith('.c') && !/^(?:acsl-|threads\.)/.test(file))
    .map(file => `${folder}/${file}`),
);

export interface Comparison {
  /** What was found and what the program expects, as `code:line`. */
  readonly found: readonly string[];
  readonly expected: readonly string[];
  /** The functions with findings that `check` describes in other words. */
  readonly differing: readonly string[];
}

/**
 * Functions, or files for `main`, with errors whose text differs between the engines, each with the
 * reason. All other texts are the same to the letter (`golden-runner/voice.ts`).
 */
export const differentWords: Readonly<Record<string, string>> = {
  into_another_global: 'the distance is that between two objects, which each engine lays out itself',
  into_a_neighbour: 'the same',
  into_another_local: 'the same',
  by_a_difference_of_pointers: 'the same',
  [join(root, 'golden/jump-over-neighbour.c')]: 'the same',
  after_the_arguments: 'the arguments differ: one of them chooses the case under explore',
  other_bits_of_a_copy: 'explore knows the first origin of copied bits, check only that of the last copy',
  only_member_of_a_result: 'the same',
  before_a_block: 'a pointer just before its block has no provenance under explore when it is freed',
};

/** A path ends with its first error, as a run of `check` does. */
export async function compareGolden(file: string): Promise<Comparison> {
  const path = join(root, file);
  const program = parseGolden(readFileSync(path, 'utf8'));
  const isOneOfMany = program.cases !== undefined && !file.endsWith('.fixed.c');
  const settings = {
    inputs: [path],
    clangFlags: program.flags,
    arguments: program.args,
    taint: program.taint,
    secret: program.secret,
    checks: program.checks,
  };
  const { findings } = await explore({
    ...settings,
    ...(isOneOfMany ? { symArgs: { min: 1, max: 1, bytes: 2 } } : {}),
  });
  const errors = program.expectations.filter(
    ({ kind, engine }) => kind === 'ERROR' && (engine === undefined || engine === 'explore'),
  );
  // A tainted value at a sink does not end a path.
  const met = isOneOfMany || program.taint !== undefined ? errors : errors.slice(0, 1);
  const isCompared = findings.length > 0 && !hasNotesOfConfirmation(program);
  const ofCheck = isCompared ? (await check({ ...settings, keepGoing: isOneOfMany })).findings : findings;
  return {
    differing: differingFunctions(findings, ofCheck),
    found: findings.map(({ code, location }) => `${code}:${location.line}`).sort(),
    expected: met.map(({ text, line }) => `${text}:${line}`).sort(),
  };
}

/** Only the run that confirms a tainted value adds notes on its way. */
const hasNotesOfConfirmation = ({ taint, secret }: GoldenProgram): boolean => (taint ?? secret) !== undefined;

function differingFunctions(ours: readonly Finding[], theirs: readonly Finding[]): string[] {
  const sources = new Map<string, string>();
  const readSource = (file: string): string => {
    const text = sources.get(file) ?? readFileSync(file, 'utf8');
    sources.set(file, text);
    return text;
  };
  const textOf = (finding: Finding): string => goldenText([finding], readSource);
  const texts = new Set(theirs.map(textOf));
  return ours
    .filter(finding => !texts.has(textOf(finding)))
    .map(({ location }) => (location.function === 'main' ? location.file : (location.function ?? '')));
}
