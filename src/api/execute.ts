/**
 * Runs a program that `redzone cc` has linked in place of the process that was started: with its
 * arguments, streams, environment and current folder.
 *
 * The first lines of the file hold the keys of its units. If the cache has a program for them, the
 * rest of the file is not read.
 */
import { isProgram, type ProgramHead, readProgramHead } from '../driver/executable.js';
import { inputError } from '../findings/diagnostic.js';
import type { CheckReport } from '../findings/report.js';
import type { linkedProgramOptions } from '../options/linked-program-options.js';
import type { Given } from '../options/schema.js';
import { readFileIfAny, readFileStart, workingFolder } from '../platform/files.js';
import { check } from './check.js';
import type { CompiledInput, RunControl } from './run-control.js';

export interface ExecuteOptions extends Given<typeof linkedProgramOptions> {
  /** The file. */
  readonly program: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const usualHeadBytes = 65_536;

export async function execute(
  { program, arguments: args, environment, ...options }: ExecuteOptions,
  control: RunControl = {},
): Promise<CheckReport> {
  const inputs = linkedInputs(program);
  return check(
    {
      ...options,
      inputs,
      programName: nameAsCalled(program, environment.PATH ?? ''),
      arguments: args,
      environment,
      // Like any program it may access all files of its user, unless folders are named.
      folders: [workingFolder(), ...(options.dirs === undefined ? ['/'] : [])],
      allowRun: options.allowRun ?? options.dirs === undefined,
      allowNet: options.allowNet ?? options.dirs === undefined,
      stdio: 'inherit',
    },
    control,
  );
}

/**
 * `argv[0]`. A linked program is a script, which gets the path at which it was found; a shell that
 * has searched `PATH` calls a program by its name alone.
 */
function nameAsCalled(program: string, searchPath: string): string {
  const end = program.lastIndexOf('/');
  const isFound = end > 0 && searchPath.split(':').includes(program.slice(0, end));
  return isFound ? program.slice(end + 1) : program;
}

/** The cache folder that was in use when the program was linked. */
export function cacheOfProgram(program: string): string | undefined {
  return headOf(program)?.cache;
}

function headOf(program: string): ProgramHead | undefined {
  const start = readFileStart(program, usualHeadBytes);
  if (start === undefined || !isProgram(start)) return undefined;
  return readProgramHead(start) ?? readProgramHead(readFileIfAny(program)!);
}

/** Whether `redzone cc` has linked the file. */
export function isLinkedProgram(path: string): boolean {
  const start = readFileStart(path, 64);
  return start !== undefined && isProgram(start);
}

/** The units of a linked program, whose IR is read on demand. */
export function linkedInputs(program: string): CompiledInput[] {
  const head = headOf(program);
  if (head === undefined) throw inputError(`'${program}' is not a program that redzone cc has linked`);
  return head.units.map(({ name, key, weakened, hasIgnoreComments = false }, unit) => ({
    ...{ name, key, weakened, hasIgnoreComments },
    ir: { program, unit },
  }));
}
