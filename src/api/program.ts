/** From what the caller names to IR modules: C is compiled, `.ll` is read. The first step of every engine. */
import { formatDiagnostic, InputError } from '../findings/diagnostic.js';
import type { WovenSource } from '../front/acsl/weave-source.js';
import type { CompileOptions, CSource, Toolchain } from '../front/toolchain.js';
import type { Module } from '../ir/model.js';
import { absolutePath, readFileIfAny, whyUnreadable, workingFolder } from '../platform/files.js';
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
}

/** One module per input. Throws InputError; what clang warns of are events. */
export async function readModules(options: ReadOptions, control: RunControl = {}): Promise<Module[]> {
  const modules: Module[] = [];
  for (const input of options.inputs) {
    const isIr = nameOf(input).endsWith('.ll');
    modules.push(await (isIr ? readIrFile(input, options) : compile(input, options, control)));
  }
  return modules;
}

async function readIrFile(input: ProgramInput, { onIr }: ReadOptions): Promise<Module> {
  const name = nameOf(input);
  const text = typeof input === 'string' ? decode(readFileIfAny(input)) : input.text;
  if (text === undefined) {
    const path = absolutePath(workingFolder(), name);
    throw new InputError({ severity: 'error', message: whyUnreadable(path, name) });
  }
  onIr?.(text);
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
  const { clangFlags: flags = [], optimise = false } = options;
  const woven = options.acsl ? await weave(toolchain, source, { flags, signal }, onEvent) : undefined;
  const outcome = await toolchain.compileToIr(woven?.source ?? source, {
    flags: woven?.flags ?? flags,
    optimise,
    signal,
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
    const source = sourceOf(input);
    const { clangFlags: flags = [] } = options;
    const woven = await weave(toolchain, source, { flags, signal: control.signal }, control.onEvent);
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

const nameOf = (input: ProgramInput): string => (typeof input === 'string' ? input : input.name);
const decode = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && new TextDecoder().decode(bytes);
