/**
 * Reads the sources of a program from the `compile_commands.json` of its build folder.
 *
 * The file says how each source is compiled but not what is linked. So all sources are compiled,
 * which the cache makes cheap, and linked like an archive: the unit with `main`, or the units of
 * the target, and those of the others that they need.
 */
import { readDriverArguments, wordsOf } from '../driver/driver-arguments.js';
import { type Candidate, type Selection, selectUnits } from '../driver/select-units.js';
import { warningFlags } from '../driver/warning-flags.js';
import { type Diagnostic, InputError, inputError } from '../findings/diagnostic.js';
import { absolutePath, readFileIfAny, workingFolder } from '../platform/files.js';
import { compiledInput, compileUnit, isSupplied } from './cc-pipeline.js';
import type { CompiledInput } from './run-control.js';

interface CompileCommand {
  readonly directory: string;
  readonly file: string;
  readonly command?: string;
  readonly arguments?: readonly string[];
  readonly output?: string;
}

interface BuiltUnit extends Candidate {
  readonly command: CompileCommand;
}

/**
 * `target` is the name of a target in CMake or Meson, or the path of a source or its end. If it has
 * no `main`, it stands for the first program that needs it.
 */
export async function inputsOfBuild(folder: string, target: string | undefined): Promise<CompiledInput[]> {
  const commands = readCommands(folder);
  const failures: Diagnostic[] = [];
  const units = (await Promise.all(commands.map(command => compile(command, failures)))).flat();
  const own = units.filter(({ command }) => target !== undefined && belongsTo(command, target));
  const mains = units.filter(hasMain);
  const roots = target === undefined ? mains : own.some(hasMain) ? own : firstUser(own, mains, units);
  if (roots.length === 0 && failures.length > 0) throw new InputError(...failures);
  if (roots.length === 0 || (target === undefined && mains.length > 1)) throw choose(mains, target);
  const selection = link(roots, units);
  const missing = selection.undefined.map(
    ({ name, from }): Diagnostic => ({
      severity: 'error',
      message: `undefined symbol '${name}'${from === '' ? '' : `, used in '${from}'`}`,
    }),
  );
  if (missing.length > 0) throw new InputError(...failures, ...missing);
  return selection.chosen.map(compiledInput);
}

const hasMain = ({ unit }: BuiltUnit): boolean => unit.head.symbols.strong.includes('main');

/** Links `roots` with those of the other units that they need. */
function link(roots: readonly BuiltUnit[], units: readonly BuiltUnit[]): Selection {
  const others = units.filter(candidate => !roots.includes(candidate) && !hasMain(candidate));
  return selectUnits(
    [
      { candidates: roots, isTakenWhole: true },
      { candidates: others, isTakenWhole: false },
    ],
    ['main'],
    isSupplied,
  );
}

/** The `main` of the first program with one of the units; `used` if there is none. */
function firstUser(
  used: readonly BuiltUnit[],
  mains: readonly BuiltUnit[],
  units: readonly BuiltUnit[],
): readonly BuiltUnit[] {
  const names = new Set(used.map(({ unit }) => unit));
  const user = mains.find(main => link([main], units).chosen.some(({ unit }) => names.has(unit)));
  return user === undefined ? used : [user];
}

function readCommands(folder: string): CompileCommand[] {
  const path = absolutePath(
    workingFolder(),
    folder.endsWith('.json') ? folder : `${folder}/compile_commands.json`,
  );
  const bytes = readFileIfAny(path);
  const help =
    'CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, Meson always, `bear -- make` for a Makefile';
  if (bytes === undefined) throw inputError(`no such file: '${path}'`, help);
  try {
    const read: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (Array.isArray(read)) return (read as CompileCommand[]).filter(({ file }) => /\.c$/.test(file));
  } catch {
    // This case is reported below.
  }
  throw inputError(`'${path}' is not a list of compile commands`, help);
}

async function compile(command: CompileCommand, failures: Diagnostic[]): Promise<BuiltUnit[]> {
  const [, ...words] = command.arguments ?? wordsOf(command.command ?? '');
  const plan = readDriverArguments(words, () => undefined);
  if (!('flags' in plan)) {
    const message = 'error' in plan ? plan.error : `'${command.file}' has no compile command`;
    failures.push({ severity: 'error', message: `${command.file}: ${message}` });
    return [];
  }
  const folder = absolutePath(workingFolder(), command.directory);
  const path = absolutePath(folder, command.file);
  const outcome = await compileUnit(
    { path },
    { flags: warningFlags(plan.flags), folder, granted: ['/'], debugFolder: folder },
  );
  if (outcome.ok) return [{ unit: outcome.value.unit, from: command.file, command }];
  failures.push(...outcome.diagnostics);
  return [];
}

/** CMake puts the objects of a target into `NAME.dir`, Meson into `NAME.p`. */
function belongsTo(
  { directory, output, command = '', arguments: words = [], file }: CompileCommand,
  target: string,
): boolean {
  const text = `${output ?? ''} ${command} ${words.join(' ')}`;
  return (
    text.includes(`/${target}.dir/`) ||
    text.includes(`${target}.p/`) ||
    new RegExp(`(^|/)${escaped(target)}(\\.c)?$`).test(
      absolutePath(absolutePath(workingFolder(), directory), file),
    )
  );
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function choose(mains: readonly BuiltUnit[], target: string | undefined): InputError {
  const names = mains.map(({ command }) => {
    const [, name] = /\/([^/ ]+)\.(?:dir|p)\//.exec(`${command.output ?? ''} ${command.command ?? ''}`) ?? [];
    return name ?? command.file;
  });
  const message =
    target !== undefined
      ? `no source belongs to the target '${target}'`
      : names.length === 0
        ? 'no source of the build has a `main`'
        : `the build has ${names.length} programs`;
  return inputError(
    message,
    names.length > 0 ? `choose one with --target: ${[...new Set(names)].join(', ')}` : undefined,
  );
}
