/**
 * Reads the inputs of a caller as IR modules: C is compiled, `.ll` is parsed. This is the first
 * step of every engine.
 */
import type { Unit } from '../driver/units.js';
import { type Diagnostic, formatDiagnostic, InputError, inputError } from '../findings/diagnostic.js';
import type { WovenSource } from '../front/acsl/weave-source.js';
import type { IncludedFiles } from '../front/includes.js';
import type { Outcome } from '../front/step-outcome.js';
import type { CompileOptions, CSource, Toolchain } from '../front/toolchain.js';
import type { Module } from '../ir/model.js';
import type { VerifyProblem } from '../ir/verify.js';
import { inflated } from '../platform/compression.js';
import { absolutePath, contentHash, readFileIfAny, whyUnreadable, workingFolder } from '../platform/files.js';
import { InternalError } from '../support/assert.js';
import {
  type CompiledInput,
  isCompiled,
  nameOfInput,
  type ProgramInput,
  type ProgramOptions,
  type RunControl,
} from './run-control.js';
import { sharedToolchain } from './shared-toolchain.js';

export interface ReadOptions extends ProgramOptions {
  /**
   * Let clang optimise at the level of `-O`. The engines do not, because an optimised-away bug
   * cannot be found.
   */
  readonly optimise?: boolean;
  /** Report the expressions that clang warns about as unsequenced when they are evaluated. */
  readonly marksUnsequenced?: boolean;
  /** clang's warnings about them, if they are known from the cache. */
  readonly unsequenced?: readonly string[] | undefined;
  /** Called with clang's warnings about them. */
  readonly onUnsequenced?: (texts: readonly string[]) => void;
  /** The function that is called instead of `main`. */
  readonly entryPoint?: string | undefined;
  /**
   * Weave ACSL annotations into the program; with `lenient`, annotations that cannot be translated
   * are treated as comments.
   */
  readonly acsl?: boolean | 'lenient';
  /** Called with the IR of each input, as text. */
  readonly onIr?: (text: string) => void;
  /**
   * The files read so far, if the inputs are read in several steps that must see the same contents.
   */
  readonly sourceFiles?: IncludedFiles;
  /** Additional folders whose files may be included. */
  readonly granted?: readonly string[];
  /** Called when the modules depend on files that `keyOfInputs` did not include. */
  readonly onUnforeseen?: () => void;
}

/**
 * The key of everything from which `readModules` makes its modules, except the entry point;
 * undefined when there is none (see `Toolchain.keyOf`).
 */
export async function keyOfInputs(options: ReadOptions): Promise<string | undefined> {
  const keys: string[] = [];
  for (const input of options.inputs) {
    if (isCompiled(input)) {
      keys.push(input.name, input.key, input.weakened.join(' '));
      continue;
    }
    const key = isIr(input)
      ? textOf(input, options)
      : (await sharedToolchain(options.clang)).keyOf(sourceOf(input), compileOptionsOf(options));
    if (key === undefined) return undefined;
    keys.push(nameOfInput(input), key);
  }
  // Annotations are read with absolute paths.
  const folder = options.inputs.every(isCompiled) ? '' : workingFolder();
  return contentHash([folder, String(options.acsl ?? false), ...keys]);
}

/**
 * Reads one module per input. Throws InputError with the errors of all inputs; clang's warnings are
 * events. Inputs are compiled in parallel, but events are emitted in the order of the inputs.
 */
export async function readModules(
  options: ReadOptions,
  { signal, onEvent }: RunControl = {},
): Promise<Module[]> {
  const waiting = options.inputs.map(nameOfInput);
  const tellPhase = (): void => {
    if (waiting.length > 0) onEvent?.({ kind: 'phase', text: `compiling ${waiting[0]}` });
  };
  tellPhase();
  const outcomes = await Promise.all(
    options.inputs.map(async input => {
      const outcome = await (isCompiled(input)
        ? readCompiled(input)
        : isIr(input)
          ? readIrFile(input, options)
          : compile(input, options, signal));
      waiting.splice(waiting.indexOf(nameOfInput(input)), 1);
      tellPhase();
      return outcome;
    }),
  );
  const diagnostics = outcomes.flatMap(outcome => (outcome.ok ? outcome.warnings : outcome.diagnostics));
  const readings = outcomes.flatMap(outcome => (outcome.ok ? [outcome.value] : []));
  if (readings.length < outcomes.length) throw new InputError(...withoutRepetitions(diagnostics));
  for (const diagnostic of diagnostics) onEvent?.({ kind: 'warning', diagnostic });
  for (const { text } of readings) options.onIr?.(text);
  const modules = readings.map(({ module }) => module);
  for (const module of modules) leaveAssemblyOut(module, onEvent);
  if (options.marksUnsequenced) await markUnsequenced(modules, diagnostics, options);
  if (options.entryPoint !== undefined) await changeEntryPoint(modules, options.entryPoint);
  return modules;
}

/** Directives that version or hide symbols of a shared library have no effect in a program. */
const withoutMeaning = /^\s*($|[#/]|\.(symver|ident|hidden|protected|internal|version)\b)/;

/** Removes module-level assembly, which no engine supports. */
function leaveAssemblyOut(module: Module, onEvent: RunControl['onEvent']): void {
  const lines = module.assembly.flatMap(text => text.split(/[\n;]/));
  module.assembly = [];
  const code = lines.find(line => !withoutMeaning.test(line));
  if (code === undefined) return;
  const message = `${module.file}: assembly outside functions is ignored: '${code.trim()}'`;
  onEvent?.({ kind: 'warning', diagnostic: { severity: 'warning', message } });
}

async function markUnsequenced(
  modules: readonly Module[],
  diagnostics: readonly Diagnostic[],
  { unsequenced = [], onUnsequenced }: ReadOptions,
): Promise<void> {
  const own = diagnostics.map(formatDiagnostic).filter(text => text.includes('-Wunsequenced'));
  const texts = [...unsequenced, ...own];
  onUnsequenced?.(texts);
  if (texts.length === 0) return;
  const { markUnsequenced: mark } = await import('../passes/unsequenced.js');
  for (const module of modules) mark(module, texts);
}

async function changeEntryPoint(modules: readonly Module[], name: string): Promise<void> {
  const { setEntryPoint } = await import('../passes/entry-point.js');
  const problem = setEntryPoint(modules, name);
  if (problem === undefined) return;
  const message = `--entry-point ${name}: ${problem}`;
  throw inputError(message, 'write a `main` that calls it');
}

/** An error in the flags is reported for every input; keeps one of each. */
function withoutRepetitions(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map(diagnostic => [formatDiagnostic(diagnostic), diagnostic])).values()];
}

/** An input as IR. */
interface Reading {
  readonly text: string;
  readonly module: Module;
}

async function readCompiled({ name, ir, weakened }: CompiledInput): Promise<Outcome<Reading>> {
  const { readIr } = await import('../front/link-program.js');
  const text = new TextDecoder().decode(inflated(ir instanceof Uint8Array ? ir : await irInProgram(ir)));
  const read = readIr(text, name);
  if (!read.ok) return read;
  const module = read.value;
  const names = new Set(weakened);
  for (const global of [...module.functions, ...module.variables, ...module.aliases])
    if (names.has(global.name)) global.linkage = 'weak';
  return { ...read, value: { text, module } };
}

/**
 * The units of the last program that was read; all units of a program are read one after the other.
 */
let lastProgram: { readonly path: string; readonly units: readonly Unit[] } | undefined;

async function irInProgram({ program, unit }: { program: string; unit: number }): Promise<Uint8Array> {
  const { unitsOfProgram } = await import('../driver/executable.js');
  if (lastProgram?.path !== program)
    lastProgram = { path: program, units: unitsOfProgram(readFileIfAny(program) ?? new Uint8Array()) ?? [] };
  const found = lastProgram.units[unit];
  if (found === undefined) throw inputError(`'${program}' was changed while it was read`);
  return found.ir;
}

async function readIrFile(input: TextInput, options: ReadOptions): Promise<Outcome<Reading>> {
  const name = nameOfInput(input);
  const text = textOf(input, options);
  if (text === undefined) {
    const path = absolutePath(workingFolder(), name);
    return { ok: false, diagnostics: [{ severity: 'error', message: whyUnreadable(path, name) }] };
  }
  const [{ readIr }, { verifyModule }] = await Promise.all([
    import('../front/link-program.js'),
    import('../ir/verify.js'),
  ]);
  const module = readIr(text, name);
  if (!module.ok) return module;
  const problems = verifyModule(module.value);
  if (problems.length > 0)
    return { ok: false, diagnostics: problems.map(problem => notValid(problem, name, text)) };
  return { ...module, value: { text, module: module.value } };
}

/** The diagnostic for IR that LLVM would reject as well. */
function notValid({ where, instruction, message }: VerifyProblem, file: string, text: string): Diagnostic {
  const line = lineOf(where, instruction, text);
  return {
    severity: 'error',
    message:
      instruction === undefined
        ? `@${where}: ${message}`
        : `in @${where}: ${message}: \`${instruction.trim()}\``,
    ...(line !== undefined && { location: { file, line, column: 1 } }),
  };
}

/**
 * The line where the text defines the global, or the result of the instruction in that function;
 * undefined if it is not found.
 */
function lineOf(where: string, instruction: string | undefined, text: string): number | undefined {
  const lines = text.split('\n');
  const defines =
    (name: string) =>
    (line: string): boolean =>
      line.startsWith('define') ? line.includes(`@${name}(`) : line.startsWith(`@${name} `);
  const start = lines.findIndex(defines(where));
  if (start < 0 || instruction === undefined) return start < 0 ? undefined : start + 1;
  const words = instruction.trim().split(' ').slice(0, 3).join(' ');
  const found = lines.findIndex((line, i) => i > start && line.trim().startsWith(words));
  return (found < 0 ? start : found) + 1;
}

async function compile(
  input: TextInput,
  options: ReadOptions,
  signal: AbortSignal | undefined,
): Promise<Outcome<Reading>> {
  const name = nameOfInput(input);
  const toolchain = await sharedToolchain(options.clang);
  const source = sourceOf(input);
  if (isBinary(source)) return { ok: false, diagnostics: [notC(name)] };
  const compiling = { ...compileOptionsOf(options), signal };
  const isLenient = options.acsl === 'lenient';
  const attempt = options.acsl ? await weave(toolchain, source, compiling, isLenient) : undefined;
  if (attempt?.ok === false && !isLenient) return attempt;
  const woven = attempt?.ok ? attempt : undefined;
  const notWoven = attempt?.ok === false ? [await notAnnotated(attempt.diagnostics)] : [];
  const compiled = await toolchain.compileToIr(woven?.value.source ?? source, {
    ...compiling,
    ...(woven && { flags: woven.value.flags }),
  });
  if (!compiled.ok && woven !== undefined)
    throw new InternalError(
      `the woven form of '${name}' does not compile:\n${compiled.diagnostics.map(formatDiagnostic).join('\n')}`,
    );
  if (!compiled.ok) return compiled;
  const text = compiled.value;
  const { readIr } = await import('../front/link-program.js');
  const module = readIr(text, name);
  if (module.ok)
    return {
      ok: true,
      value: { text, module: module.value },
      warnings: [...notWoven, ...(woven?.warnings ?? []), ...compiled.warnings],
    };
  const problems = `in the IR of ${module.diagnostics.map(formatDiagnostic).join('\n')}`;
  // The IR of the embedded clang must be readable, so this is an internal error; another clang may
  // have another version of IR.
  if (options.clang === undefined) throw new InternalError(problems);
  const message = `'${options.clang}' writes what Redzone cannot read: ${problems}`;
  return { ok: false, diagnostics: [{ severity: 'error', message }] };
}

/** The program that checks its annotations, or undefined when it has none. */
async function weave(
  toolchain: Toolchain,
  source: CSource,
  options: CompileOptions,
  isLenient = false,
): Promise<Outcome<WovenSource> | undefined> {
  const { weaveSource } = await import('../front/acsl/weave-source.js');
  return weaveSource(toolchain, source, options, isLenient);
}

/** None of the annotations of a source is checked if some cannot be translated. */
async function notAnnotated(diagnostics: readonly Diagnostic[]): Promise<Diagnostic> {
  const { notAnnotations } = await import('../front/acsl/weave.js');
  const { message, ...rest } = notAnnotations(diagnostics);
  return {
    ...rest,
    message: message.replace(
      /^this is treated as a comment, since it is not an annotation/,
      'the annotations of this source are treated as comments',
    ),
  };
}

/** The translated C of each annotated input, as `redzone ir --woven` shows it. */
export async function weaveInputs(options: ReadOptions, control: RunControl = {}): Promise<string> {
  const toolchain = await sharedToolchain(options.clang);
  const texts: string[] = [];
  for (const input of options.inputs) {
    if (isCompiled(input)) continue;
    const compiling = { ...compileOptionsOf(options), signal: control.signal };
    const woven = await weave(toolchain, sourceOf(input), compiling);
    if (woven === undefined) continue;
    if (!woven.ok) throw new InputError(...woven.diagnostics);
    for (const diagnostic of woven.warnings) control.onEvent?.({ kind: 'warning', diagnostic });
    texts.push(new TextDecoder().decode(woven.value.source.content));
  }
  return texts.join('\n');
}

/** An input that is compiled, or parsed as IR. */
type TextInput = Exclude<ProgramInput, CompiledInput>;

function sourceOf(input: TextInput): CSource {
  const path = nameOfInput(input);
  return typeof input === 'string' ? { path } : { path, content: new TextEncoder().encode(input.text) };
}

function isBinary({ path, content }: CSource): boolean {
  const start = (content ?? readFileIfAny(path))?.subarray(0, 4096);
  return start?.includes(0) === true;
}

/**
 * Rejects an input that is not text: clang would report an error for each byte of a compiled
 * program.
 */
function notC(name: string): Diagnostic {
  return {
    severity: 'error',
    message: `'${name}' is not text, so it cannot be C`,
    help: 'give the `.c` or `.ll` files of the program',
  };
}

function compileOptionsOf(options: ReadOptions): CompileOptions {
  const {
    clangFlags: flags = [],
    optimise = false,
    sourceFiles: files,
    onUnforeseen,
    granted = [],
  } = options;
  return { flags, optimise, granted, ...(files && { files }), ...(onUnforeseen && { onUnforeseen }) };
}

/** The text of a `.ll` file. */
function textOf(input: TextInput, { sourceFiles }: ReadOptions): string | undefined {
  if (typeof input !== 'string') return input.text;
  const path = absolutePath(workingFolder(), input);
  const bytes = sourceFiles === undefined ? readFileIfAny(path) : sourceFiles.read(path);
  return bytes && new TextDecoder().decode(bytes);
}

const isIr = (input: TextInput): boolean => nameOfInput(input).endsWith('.ll');
