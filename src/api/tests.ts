/** `redzone tests`: lists or writes the tests of an exploration. */

import type { Test } from '../explore/output/test-files.js';
import { codes, isFindingCode } from '../findings/codes.js';
import { type InputError, inputError } from '../findings/diagnostic.js';
import type { Given } from '../options/schema.js';
import { settingsOf } from '../options/settings.js';
import { type SourceLine, type testFormats, testsOptions } from '../options/tests-options.js';
import { fileSum, readFileIfAny, reasonOf, writeNewFile } from '../platform/files.js';
import { closestTo } from '../support/closest.js';
import type { StoredTests } from './stored-tests.js';

export interface TestsOptions extends Given<typeof testsOptions> {
  /** The output folder of the exploration. */
  readonly folder: string;
  /** Only the tests with these numbers. */
  readonly numbers?: readonly number[];
}

/** A test as it is listed. */
export interface ListedTest {
  readonly number: number;
  /** How the path ended, as text. */
  readonly end: string;
  /** The inputs as text, if they are short. */
  readonly inputs?: string;
  readonly instructions: number;
  readonly forks: number;
  /** The lines of the program that this test was the first to cover. */
  readonly newLines: readonly SourceLine[];
  /** The file that was written. */
  readonly file?: string;
}

export interface TestsReport {
  readonly schema: 1;
  readonly command: 'tests';
  /** The number of tests in the journal. */
  readonly count: number;
  /** The selected tests. */
  readonly tests: readonly ListedTest[];
  /** The offset at which the journal is damaged; later tests are lost. */
  readonly damagedAt?: number;
}

/** Throws InputError if there are no such tests. */
export async function tests(given: TestsOptions): Promise<TestsReport> {
  const { folder, numbers = [] } = given;
  const { line, code, newCoverage, outDir, format } = settingsOf(testsOptions, given);
  if (code !== undefined && !isFindingCode(code)) throw noSuchCode(code);
  const { storedTests } = await import('./stored-tests.js');
  const stored = storedTests(folder);
  const known = new Set(stored.tests.map(({ number }) => number));
  for (const number of numbers) if (!known.has(number)) throw noSuchTest(folder, number, stored);
  const { coversNew, endInWords, inputsInWords } = await import('../explore/output/test-files.js');
  const { findingsOf } = await import('../explore/state/path-end.js');
  const chosen = stored.tests.filter(
    test =>
      (numbers.length === 0 || numbers.includes(test.number)) &&
      (!newCoverage || coversNew(test.news)) &&
      (code === undefined || findingsOf(test.ending).some(finding => finding.code === code)) &&
      (line === undefined ||
        newLinesOf(test).some(other => isSameLine(other, line)) ||
        findingsOf(test.ending).some(({ location }) => isSameLine(location, line))),
  );
  const files = outDir === undefined ? undefined : await writeTests(chosen, stored, outDir, format);
  return {
    schema: 1,
    command: 'tests',
    count: stored.tests.length,
    tests: chosen.map((test, i) => {
      const inputs = inputsInWords(test.inputs);
      return {
        number: test.number,
        end: endInWords(test.ending),
        ...(inputs !== undefined && { inputs }),
        instructions: test.instructions,
        forks: test.forks,
        newLines: newLinesOf(test),
        ...(files?.[i] !== undefined && { file: files[i] }),
      };
    }),
    ...(stored.damagedAt !== undefined && { damagedAt: stored.damagedAt }),
  };
}

function newLinesOf({ news }: Test): SourceLine[] {
  const lines = new Map(
    news.flatMap(block => block.lines.map(([file, line]) => [`${file}:${line}`, { file, line }])),
  );
  return [...lines.values()];
}

/** A file may be named by the end of its path. */
function isSameLine(a: SourceLine, { file, line }: SourceLine): boolean {
  return a.line === line && (a.file === file || a.file.endsWith(`/${file.replace(/^\.\//, '')}`));
}

/** Returns their paths. */
async function writeTests(
  chosen: readonly Test[],
  { program, entryPoint }: StoredTests,
  folder: string,
  format: (typeof testFormats)[number],
): Promise<(string | undefined)[]> {
  const { nameOfTest, testAsC, testAsJson, testAsKTest, testAsXml } = await import(
    '../explore/output/test-files.js'
  );
  const write = (name: string, contents: string | Uint8Array): string => {
    const path = `${folder}/${name}`;
    try {
      writeNewFile(path, typeof contents === 'string' ? new TextEncoder().encode(contents) : contents);
    } catch (error) {
      throw inputError(`cannot write '${path}': ${reasonOf(error as Error)}`);
    }
    return path;
  };
  const textOf = (test: Test): string | Uint8Array | undefined => {
    switch (format) {
      case 'ktest':
        return testAsKTest(test, program);
      case 'json':
        return testAsJson(test);
      case 'c':
        return testAsC(test, program);
      case 'xml':
        return testAsXml(test);
    }
  };
  if (format === 'c' && program.entry === undefined)
    throw inputError(
      'with `--entry-point` there is no C program of a test',
      '`--format json` shows its inputs',
    );
  if (format === 'xml' && chosen.length > 0) write('metadata.xml', metadata(program.sources, entryPoint));
  return chosen.map(test => {
    const text = textOf(test);
    return text === undefined ? undefined : write(`${nameOfTest(test.number)}.${format}`, text);
  });
}

/** The metadata that Test-Comp requires for a test suite. */
function metadata(sources: readonly string[], entryPoint: string): string {
  const [file = ''] = sources;
  const fields = {
    sourcecodelang: 'C',
    producer: 'Redzone',
    specification: 'COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )',
    programfile: file,
    programhash: fileSum(readFileIfAny(file) ?? new Uint8Array()),
    entryfunction: entryPoint,
    architecture: '64bit',
    creationtime: new Date().toISOString(),
  };
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
    '<!DOCTYPE test-metadata PUBLIC "+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN" "https://sosy-lab.org/test-format/test-metadata-1.1.dtd">',
    '<test-metadata>',
    ...Object.entries(fields).map(([name, text]) => `  <${name}>${asXmlText(text)}</${name}>`),
    '</test-metadata>\n',
  ].join('\n');
}

/** Names of files may have characters that no XML document can have. */
function asXmlText(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function noSuchCode(code: string): InputError {
  const guess = closestTo(code, Object.keys(codes));
  const help = guess === undefined ? '`redzone explain` lists all codes' : `did you mean ${guess}?`;
  return inputError(`there is no code '${code}'`, help);
}

export function noSuchTest(folder: string, number: number, { tests: all }: StoredTests): InputError {
  const last = all.at(-1)?.number;
  const help =
    last === undefined ? 'there are no tests' : `\`redzone tests ${folder}\` lists those that there are`;
  return inputError(`there is no test ${number} in '${folder}'`, help);
}
