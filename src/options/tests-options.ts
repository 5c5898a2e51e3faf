/** The options of `tests`. */
import { shown } from './shared.js';

/** The formats in which a test can be written. */
export const testFormats = ['ktest', 'json', 'c', 'xml'] as const;

export interface SourceLine {
  readonly file: string;
  readonly line: number;
}

function readLine(text: string): SourceLine | undefined {
  const [, file, line] = /^(.+):([1-9]\d*)$/.exec(text) ?? [];
  return file === undefined ? undefined : { file, line: Number(line) };
}

export const testsOptions = {
  line: {
    flags: ['--line'],
    kind: 'parsed',
    read: readLine as typeof readLine,
    expected: 'FILE:N',
    value: 'FILE:N',
    json: {
      type: 'object',
      properties: { file: { type: 'string' }, line: { type: 'integer' } },
      required: ['file', 'line'],
    },
    help: 'the test that was the first to cover this line, and those with an error there',
  },
  code: { flags: ['--code'], kind: 'text', value: 'CODE', help: 'tests of paths with this finding' },
  newCoverage: {
    flags: ['--new-coverage'],
    kind: 'flag',
    default: false,
    help: 'tests that were the first to cover a line of the program',
  },
  outDir: {
    flags: ['-o'],
    kind: 'text',
    value: 'DIR',
    help: 'write the tests to DIR instead of listing them',
  },
  format: {
    flags: ['--format'],
    kind: 'choice',
    choices: testFormats as typeof testFormats,
    default: 'ktest',
    needs: 'outDir',
    help: "with -o: KLEE's format, JSON, a C program, or the XML of Test-Comp",
  },
} as const;

export const testsOutput: Pick<typeof shown, 'json' | 'color'> = { json: shown.json, color: shown.color };
