/** Reads the tests of an exploration from its journal. */
import type { SnippetProgram } from '../explore/output/c-snippet.js';
import { EarlierJournal, journalFile, whyUnreadable } from '../explore/output/journal.js';
import type { Test } from '../explore/output/test-files.js';
import { asTest } from '../explore/output/test-folder.js';
import { inputError } from '../findings/diagnostic.js';
import { kindOf } from '../platform/files.js';
import { ownVersion } from '../platform/own-version.js';
import type { Identity, JournalStart, SavedProgram } from './explore-journal.js';

export interface StoredTests {
  readonly program: SnippetProgram;
  /** The function with which the program begins. */
  readonly entryPoint: string;
  /** The tests by number. */
  readonly tests: readonly Test[];
  /** The offset of the first damaged record. */
  readonly damagedAt: number | undefined;
}

/** Throws InputError if nothing was explored in the folder. */
export function storedTests(folder: string): StoredTests {
  const journal = EarlierJournal.read(folder);
  if (journal === undefined) throw inputError(`no exploration in '${folder}': ${whyNone(folder)}`);
  const { program, identity } = journal.start as JournalStart;
  const version = identity['the version of Redzone'];
  if (version !== ownVersion())
    throw inputError(`cannot read the tests in '${folder}': version ${version} of Redzone has written them`);
  // A run that was killed and resumed may have recorded the end of a path twice.
  const tests = new Map<number, Test>();
  journal.visit({
    end: end => {
      const test = asTest(end);
      if (test !== undefined) tests.set(test.number, test);
    },
  });
  return {
    program: { ...program, called: new Set(program.called) },
    entryPoint: entryPointOf(program, identity),
    tests: [...tests.values()].sort((a, b) => a.number - b.number),
    damagedAt: journal.damagedAt,
  };
}

function entryPointOf({ entry }: SavedProgram, identity: Identity): string {
  if (entry === undefined) return identity['--entry-point']!;
  return entry === 'LLVMFuzzerTestOneInput' ? entry : 'main';
}

function whyNone(folder: string): string {
  if (kindOf(folder) !== 'folder') return 'there is no such folder';
  return kindOf(`${folder}/${journalFile}`) === undefined
    ? `it has no '${journalFile}'`
    : whyUnreadable(folder);
}
