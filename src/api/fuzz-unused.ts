/**
 * Options of `fuzz` that would be accepted and ignored: contradictions are refused before anything
 * is compiled, and each option that has no effect on what is asked for, or for this program, is
 * named in a note.
 *
 * It reads what the caller gave, not the settings: there, a default looks like a choice.
 */
import { inputError } from '../findings/diagnostic.js';
import { fuzzOptions } from '../options/fuzz-options.js';
import type { FuzzOptions } from './fuzz.js';
import type { TargetNotes } from './kept-programs.js';

type Option = keyof typeof fuzzOptions;

/** Work other than a search, which an option selects, and the options that do not affect it. */
interface Activity {
  readonly name: string;
  readonly isAsked: (given: FuzzOptions) => boolean;
  readonly ignores: readonly (Option | 'artifactPrefix')[];
}

const ofSearches = [
  ...['mode', 'dictionary', 'seed', 'onlyAscii', 'coverage', 'workers', 'queue'],
] as readonly Option[];
const ofFindings = ['maxRuns', 'folder', 'artifactPrefix'] as const;

const activities: readonly Activity[] = [
  {
    name: '--minimize',
    isAsked: ({ minimize }) => minimize !== undefined,
    ignores: [...ofSearches, 'corpus', 'maxLength'],
  },
  {
    name: '--minimize-corpus',
    isAsked: ({ minimizeCorpus }) => minimizeCorpus !== undefined,
    ignores: [...ofSearches, ...ofFindings],
  },
  {
    name: '-merge=1',
    isAsked: ({ merge }) => merge === true,
    ignores: [...ofSearches, ...ofFindings],
  },
];

/** Throws InputError. */
export function refuseContradictions(given: FuzzOptions): void {
  const [first, second] = activities.filter(({ isAsked }) => isAsked(given));
  if (second !== undefined)
    refuse(`\`${first!.name}\` cannot be combined with \`${second.name}\``, 'leave one of the two out');
  const { input, merge, corpus = [] } = given;
  if (hasPlaceholder(given) && input !== undefined && input !== 'file')
    refuse(
      `\`@@\` cannot be combined with \`--input ${input}\`: it stands for a file with the input`,
      'leave one of the two out',
    );
  if (merge === true && corpus.length < 2)
    refuse(
      '`-merge=1` adds inputs to the first corpus folder, and no other is given',
      'name a second folder',
    );
}

/** One sentence for each option without effect. `hasStart`: LLVMFuzzerInitialize gets arguments. */
export function optionsWithoutEffect(
  given: FuzzOptions,
  { isTarget, hasStart }: Pick<TargetNotes, 'isTarget' | 'hasStart'>,
): string[] {
  const activity = activities.find(({ isAsked }) => isAsked(given));
  const ignored = activity?.ignores.filter(option => isChosen(given, option)) ?? [];
  const sentences = ignored.map(option => `\`${flagOf(option)}\` has no effect with \`${activity!.name}\``);
  if (given.run !== undefined && given.queue === undefined)
    sentences.push('`--run` has no effect without `--queue`');
  if (!isTarget) return sentences;
  const why = 'the input of a program with LLVMFuzzerTestOneInput is the arguments of that function';
  if (given.input !== undefined) sentences.push(`\`--input\` has no effect: ${why}`);
  if (hasPlaceholder(given)) sentences.push(`\`@@\` has no effect: ${why}`);
  else if ((given.arguments ?? []).length > 0 && !hasStart)
    sentences.push('arguments after `--` have no effect: the program has no LLVMFuzzerInitialize');
  return sentences;
}

function hasPlaceholder({ arguments: words = [] }: FuzzOptions): boolean {
  return words.some(word => word.includes('@@'));
}

/** Whether the option is given, with another value than its default. */
function isChosen(given: FuzzOptions, option: Option | 'artifactPrefix'): boolean {
  const value = given[option];
  if (Array.isArray(value)) return value.length > 0;
  const row = option === 'artifactPrefix' ? {} : fuzzOptions[option];
  return value !== undefined && value !== ('default' in row ? row.default : undefined);
}

function flagOf(option: Option | 'artifactPrefix'): string {
  return option === 'artifactPrefix' ? '-artifact_prefix' : fuzzOptions[option].flags[0];
}

function refuse(message: string, help: string): never {
  throw inputError(message, help);
}
