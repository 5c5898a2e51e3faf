/** `redzone replay`: runs one test of `explore` or of KLEE under the monitor. */
import type { KTest } from '../explore/inputs/ktest.js';
import type { scheduleObject as ScheduleObject } from '../explore/inputs/test-input.js';
import { inputError } from '../findings/diagnostic.js';
import type { CheckReport } from '../findings/report.js';
import { replayOptions } from '../options/check-options.js';
import type { Given } from '../options/schema.js';
import { settingsOf } from '../options/settings.js';
import { readFileIfAny } from '../platform/files.js';
import { type CheckOptions, check, type ProgramTest } from './check.js';
import type { RunControl } from './run-control.js';

/** `files` and `stdin` of the modelled machine apply where they are not inputs of the test. */
export interface ReplayOptions
  extends Omit<CheckOptions, 'arguments' | 'test' | 'folders' | 'dirs'>,
    Given<typeof replayOptions> {
  /** The path of a `.ktest` file, or `DIR#N`: a test of the exploration in a folder. */
  readonly test: string;
  /** The output of the program is not shown. */
  readonly isSilent?: boolean;
}

/** Throws InputError when the test cannot be read or the program does not compile. */
export async function replay(options: ReplayOptions, control: RunControl = {}): Promise<CheckReport> {
  const { arguments: args, objects } = await readTest(options.test);
  const { files = {} } = settingsOf(replayOptions, options);
  const test = { ...testOf(objects, files, options.stdin), isSilent: options.isSilent ?? false };
  const programArguments = [...args.slice(1), ...symbolicArguments(objects)];
  const report = await check({ ...options, arguments: programArguments, test }, control);
  return { ...report, command: 'replay' };
}

async function readTest(test: string): Promise<KTest> {
  const file = readFileIfAny(test);
  const [, folder, number] = /^(.+)#(\d+)$/.exec(test) ?? [];
  if (file === undefined && folder !== undefined) {
    const { storedTests } = await import('./stored-tests.js');
    const { noSuchTest } = await import('./tests.js');
    const stored = storedTests(folder);
    const found = stored.tests.find(other => other.number === Number(number));
    if (found === undefined) throw noSuchTest(folder, Number(number), stored);
    return { arguments: stored.program.arguments, objects: found.inputs };
  }
  if (file === undefined) throw inputError(`no such file: '${test}'`);
  const { readKTest } = await import('../explore/inputs/ktest.js');
  const result = readKTest(file);
  if (result.kind === 'invalid') throw inputError(`'${test}' is not a test: ${result.problem}`);
  return result.test;
}

type Objects = readonly { readonly name: string; readonly bytes: Uint8Array }[];

/** `arg00`, `arg01`, ... up to the number that `n_args` says; a zero ends an argument. */
function symbolicArguments(objects: Objects): string[] {
  const given = objects.filter(({ name }) => /^arg\d+$/.test(name));
  const count = objects.find(({ name }) => name === 'n_args')?.bytes[0] ?? given.length;
  return given.slice(0, count).map(({ bytes }) => {
    const end = bytes.indexOf(0);
    return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
  });
}

/** Files are named by one capital letter, as `--sym-files` makes them. */
function testOf(
  objects: Objects,
  given: NonNullable<ReplayOptions['files']>,
  usual: ReplayOptions['stdin'],
): ProgramTest {
  const stdin = objects.find(({ name }) => name === 'stdin')?.bytes ?? usual;
  const symbolic = objects.filter(({ name }) => /^[A-Z]$/.test(name));
  const files = [
    ...Object.entries(given).map(([name, contents]) => [name, bytesOf(contents)] as const),
    ...symbolic.map(({ name, bytes }) => [name, bytes] as const),
  ];
  const schedule = objects.find(({ name }) => name === scheduleObject)?.bytes;
  return {
    inputs: objects.filter(({ name }) => name !== scheduleObject),
    ...(schedule && { schedule }),
    ...(stdin === undefined ? {} : { stdin: bytesOf(stdin) }),
    files: Object.fromEntries(files),
  };
}

/** The same name as in `explore/inputs/test-input.ts`, which is not loaded here. */
const scheduleObject: typeof ScheduleObject = 'redzone_schedule';

function bytesOf(contents: Uint8Array | string): Uint8Array {
  return typeof contents === 'string' ? new TextEncoder().encode(contents) : contents;
}
