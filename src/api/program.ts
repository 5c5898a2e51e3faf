/** From what the caller names to IR modules: C is compiled, `.ll` is read. The first step of every engine. */
import { formatDiagnostic, InputError } from '../findings/diagnostic.js';
import type { WovenSource } from '../front/acsl/weave-source.js';
import type { SourceFiles } from '../front/includes.js';
import type { CompileOptions, CSource, Toolchain } from '../front/toolchain.js';
import type { Module } from '../ir/model.js';
import { absolutePath, contentHash, readFileIfAny, whyUnreadable, workingFolder } from '../platform/files.js';
import { InternalError } from '../support/assert.js';
import type { ProgramInput, ProgramOptions, RunControl } from './control.js';
import { sharedToolchain } from './shared-toolchain.js';

export interface ReadOptions extends ProgramOptions {
  /** Let clang optimise at the level of `-O`. Engines do not: a bug that is optimised away is not found. */
  readonly optimise?: boolean;
  /** Weave ACSL annotations into the program. */
  readonly acsl?: boolean;
  /** Gets the IR of each input, as text. */
  readonly onIr?: (text: string) => void;
  /** What was read of the disk, if the inputs are read in several steps that must see the same. */
  readonly sourceFiles?: SourceFiles;
  /** Called when the modules depend on more than `keyOfInputs` says. */
  readonly onUnforeseen?: () => void;
}

/** The key of all that `readModules` makes its modules of; undefined when it has none (see `Toolchain.keyOf`). */
export async function keyOfInputs(options: ReadOptions): Promise<string | undefined> {
  const toolchain = await sharedToolchain(options.clang);
  const keys: string[] = [];
  for (const input of options.inputs) {
    const key = isIr(input)
      ? textOf(input, options)
      : toolchain.keyOf(sourceOf(input), compileOptionsOf(options));
    if (key === undefined) return undefined;
    keys.push(nameOf(input), key);
  }
  // Annotations are read under absolute names.
  return contentHash([workingFolder(), String(options.acsl ?? false), ...keys]);
}

/** One module per input. Throws InputError; what clang warns of are events. */
export async function readModules(options: ReadOptions, control: RunControl = {}): Promise<Module[]> {
  const modules: Module[] = [];
  for (const input of options.inputs) {
    modules.push(await (isIr(input) ? readIrFile(input, options) : compile(input, options, control)));
  }
  return modules;
}

async function readIrFile(input: ProgramInput, options: ReadOptions): Promise<Module> {
  const name = nameOf(input);
  const text = textOf(input, options);
  if (text === undefined) {
    const path = absolutePath(workingFolder(), name);
    throw new InputError({ severity: 'error', message: whyUnreadable(path, name) });
  }
  options.onIr?.(text);
  const { readIr } = await import('../front/program.js');
  const module = readIr(text, name);
  if (!module.ok) throw new InputError(...module.diagnostics);
  return module.value;
}

async function compile(
  input: ProgramInput,
  options: ReadOptions,
  { signal, onEvent }: RunControl,
): Promise<Module> {
  const name = nameOf(input);
  const toolchain = await sharedToolchain(options.clang);
  onEvent?.({ kind: 'phase', text: `compiling ${name}` });
  const source = sourceOf(input);
  refuseBinary(name, source);
  const compiling = { ...compileOptionsOf(options), signal };
  const woven = options.acsl ? await weave(toolchain, source, compiling, onEvent) : undefined;
  const outcome = await toolchain.compileToIr(woven?.source ?? source, {
    ...compiling,
    ...(woven && { flags: woven.flags }),
  });
  if (!outcome.ok && woven !== undefined)
    throw new InternalError(
      `the woven form of '${name}' does not compile:\n${outcome.diagnostics.map(formatDiagnostic).join('\n')}`,
    );
  if (!outcome.ok) throw new InputError(...outcome.diagnostics);
  for (const diagnostic of outcome.warnings) onEvent?.({ kind: 'warning', diagnostic });
  options.onIr?.(outcome.value);
  const { readIr } = await import('../front/program.js');
  const module = readIr(outcome.value, name);
  if (module.ok) return module.value;
  const problems = `in the IR of ${module.diagnostics.map(formatDiagnostic).join('\n')}`;
  // What the embedded clang writes we must be able to read; another may be of another time.
  if (options.clang === undefined) throw new InternalError(problems);
  const message = `'${options.clang}' writes what Redzone cannot read: ${problems}`;
  throw new InputError({ severity: 'error', message });
}

/** The program that checks its annotations, or undefined when it has none. */
async function weave(
  toolchain: Toolchain,
  source: CSource,
  options: CompileOptions,
  onEvent: RunControl['onEvent'],
): Promise<WovenSource | undefined> {
  const { weaveSource } = await import('../front/acsl/weave-source.js');
  const woven = await weaveSource(toolchain, source, options);
  if (woven === undefined) return undefined;
  if (!woven.ok) throw new InputError(...woven.diagnostics);
  for (const diagnostic of woven.warnings) onEvent?.({ kind: 'warning', diagnostic });
  return woven.value;
}

/** The translated C of each annotated input, as `redzone ir --woven` shows it. */
export async function weaveInputs(options: ReadOptions, control: RunControl = {}): Promise<string> {
  const toolchain = await sharedToolchain(options.clang);
  const texts: string[] = [];
  for (const input of options.inputs) {
    const compiling = { ...compileOptionsOf(options), signal: control.signal };
    const woven = await weave(toolchain, sourceOf(input), compiling, control.onEvent);
    if (woven !== undefined) texts.push(new TextDecoder().decode(woven.source.content));
  }
  return texts.join('\n');
}

function sourceOf(input: ProgramInput): CSource {
  const path = nameOf(input);
  return typeof input === 'string' ? { path } : { path, content: new TextEncoder().encode(input.text) };
}

/** clang has a complaint for each byte of a program that was compiled already. */
function refuseBinary(name: string, { path, content }: CSource): void {
  const start = (content ?? readFileIfAny(path))?.subarray(0, 4096);
  if (start?.includes(0))
    throw new InputError({
      severity: 'error',
      message: `'${name}' is not a text, so it cannot be C`,
      help: 'give the `.c` or `.ll` files of the program',
    });
}

function compileOptionsOf(options: ReadOptions): CompileOptions {
  const { clangFlags: flags = [], optimise = false, sourceFiles: files, onUnforeseen } = options;
  return { flags, optimise, ...(files && { files }), ...(onUnforeseen && { onUnforeseen }) };
}

/** Of a `.ll` file. */
function textOf(input: ProgramInput, { sourceFiles }: ReadOptions): string | undefined {
  if (typeof input !== 'string') return input.text;
  const path = absolutePath(workingFolder(), input);
  const bytes = sourceFiles === undefined ? readFileIfAny(path) : sourceFiles.read(path);
  return bytes && new TextDecoder().decode(bytes);
}

const nameOf = (input: ProgramInput): string => (typeof input === 'string' ? input : input.name);
const isIr = (input: ProgramInput): boolean => nameOf(input).endsWith('.ll');
