/**
 * `redzone cc`: a compiler driver that replaces gcc.
 *
 * ```
 *   a.c ──front──▶ IR ──driver──▶ unit ──▶ a.o (an ELF file, for ar and nm)
 *   a.o libx.a -lm ──driver──▶ the units that are needed ──▶ a.out (a script with units after it)
 * ```
 *
 * Linking looks at names only. Code is generated when the program first runs (`execute.ts`), so a
 * project whose sources have not changed is built without reading any IR.
 *
 * Errors are printed in the form of gcc, and the exit status is 1.
 */

import { isArchive, membersOf } from '../driver/archive.js';
import {
  type DriverInput,
  type DriverPlan,
  quotedForMake,
  readDriverArguments,
} from '../driver/driver-arguments.js';
import { isElf, unitsInElf, writeElf } from '../driver/elf.js';
import { isProgram, unitsOfProgram, writeExecutable } from '../driver/executable.js';
import { recordOf, type WrittenFile } from '../driver/recorded-command.js';
import {
  type Candidate,
  type ChosenUnit,
  type LinkerInput,
  type Selection,
  selectUnits,
} from '../driver/select-units.js';
import { plainDataOf, readUnits, type Symbols, symbolsOf, type Unit, writeUnit } from '../driver/units.js';
import { warningFlags } from '../driver/warning-flags.js';
import { isWrapped, withWrappedSymbols } from '../driver/wrap-symbols.js';
import { type Diagnostic, formatDiagnostic, InputError } from '../findings/diagnostic.js';
import { referencedNames } from '../front/excluded-code.js';
import { IncludedFiles, realPath } from '../front/includes.js';
import { librarySymbols } from '../front/library.js';
import { readIr } from '../front/link-program.js';
import type { Outcome } from '../front/step-outcome.js';
import { ignoreComments } from '../monitor/suppressions.js';
import { deflated, inflated } from '../platform/compression.js';
import {
  absolutePath,
  cacheFolder,
  contentHash,
  fileSum,
  kindOf,
  readFileIfAny,
  readStream,
  whyUnreadable,
  workingFolder,
  writeFileAtomically,
  writeProduct,
} from '../platform/files.js';
import { dependencyFile, nodePath, packageRoot, processor } from '../platform/node.js';
import { ownVersion } from '../platform/own-version.js';
import { closestTo } from '../support/closest.js';
import { concatenate } from '../support/concatenate.js';
import { builtInLibraries } from '../support/known-flags.js';
import type { DriverIo } from './cc.js';
import { checkFlags } from './check-flags.js';
import type { CompiledInput } from './run-control.js';
import { sharedToolchain } from './shared-toolchain.js';

/** An error that ends the driver, in gcc's wording. */
class DriverError extends Error {}

/** Returns the exit status. */
export async function runDriver(args: readonly string[], io: DriverIo): Promise<number> {
  const folder = workingFolder();
  const plan = readDriverArguments(args, path => {
    const bytes = readFileIfAny(absolutePath(folder, path));
    return bytes && new TextDecoder().decode(bytes);
  });
  if ('question' in plan) {
    io.writeStdout(answerTo(plan.question));
    return 0;
  }
  if ('error' in plan) {
    io.writeStderr(`redzone-cc: error: ${plan.error}\n`);
    return 1;
  }
  try {
    return await new Driver(plan, folder, io).run();
  } catch (error) {
    if (error instanceof InputError)
      for (const diagnostic of error.diagnostics) io.writeStderr(`${formatDiagnostic(diagnostic)}\n`);
    else if (error instanceof DriverError) io.writeStderr(`redzone-cc: error: ${error.message}\n`);
    else throw error;
    return 1;
  }
}

/** The target that programs see: LP64, little endian, POSIX. */
const machineName = 'x86_64-unknown-linux-gnu';

function answerTo(question: string): string {
  const clang = '22.0.0';
  const [name = '', value = ''] = question.replace(/^--print/, '-print').split('=');
  switch (name) {
    case '--version':
      return `clang version ${clang} (redzone ${ownVersion()})\nTarget: ${machineName}\nThread model: posix\nInstalledDir: ${packageRoot}bin\n`;
    case '-dumpversion':
    case '-dumpfullversion':
      return `${clang}\n`;
    case '-dumpmachine':
      return `${machineName}\n`;
    case '-Wl,--version':
      return `GNU ld (redzone ${ownVersion()}) 2.40\n`;
    case '-print-prog-name':
    case '-print-file-name':
      return `${value}\n`;
    case '-print-libgcc-file-name':
      return 'libgcc.a\n';
    case '-print-multi-lib':
      return '.;\n';
    case '-print-multi-directory':
    case '-print-multi-os-directory':
      return '.\n';
    case '-print-multiarch':
      return 'x86_64-linux-gnu\n';
    case '-print-search-dirs':
      return `install: ${packageRoot}\nprograms: =\nlibraries: =\n`;
    case '-print-resource-dir':
      return `${packageRoot}runtime\n`;
    case '--help':
      return 'usage: redzone-cc [flags of gcc or clang] FILE...\nprograms that it links run under the monitor of redzone; see docs/projects.md\n';
    default:
      return '\n';
  }
}

class Driver {
  readonly #plan: DriverPlan;
  readonly #folder: string;
  readonly #io: DriverIo;
  /** Records the files that are read, and whether anything else may have influenced the result. */
  readonly #files = new IncludedFiles();
  #isUnforeseen = false;
  readonly #written: WrittenFile[] = [];
  #said = '';

  constructor(plan: DriverPlan, folder: string, io: DriverIo) {
    this.#plan = plan;
    this.#folder = folder;
    this.#io = {
      ...io,
      writeStderr: text => {
        this.#said += text;
        io.writeStderr(text);
      },
    };
  }

  async run(): Promise<number> {
    const status = await this.#perform();
    const record = this.#io.env.REDZONE_RECORD;
    if (status === 0 && record !== undefined && !this.#isUnforeseen) this.#record(record);
    return status;
  }

  /**
   * For `bin/redzone-cc`, which answers the same command line from the cache without starting Node.
   */
  #record(path: string): void {
    const own = [`${packageRoot}dist/bundle/stamp`, dependencyFile('@yowasp/clang', 'package.json')];
    const read = new Map(own.map(name => [name, fileSum(readFileIfAny(name))]));
    for (const [name, content] of this.#files.seen()) {
      // A missing file of the runtime is not recorded: the installation's stamp covers the runtime.
      if (content !== undefined || realPath(name) === name) read.set(realPath(name), fileSum(content));
    }
    try {
      const text = recordOf({ read, written: this.#written, said: this.#said }, (bytes, isExecutable) => {
        const name = `${path}.${fileSum(bytes).slice(0, 16)}${isExecutable ? 'x' : ''}`;
        writeFileAtomically(name, bytes, isExecutable);
        return name;
      });
      if (text !== undefined) writeFileAtomically(path, new TextEncoder().encode(text));
    } catch {
      // The disk is full, or the cache cannot be written. The next run then does the same work
      // again.
    }
  }

  async #perform(): Promise<number> {
    const { action, isVerbose, isDryRun, inputs, notes } = this.#plan;
    if (isVerbose || isDryRun) this.#io.writeStderr(`${answerTo('--version')}${searchList}`);
    if (isDryRun || inputs.length === 0) return 0;
    for (const note of notes) this.#io.writeStderr(`redzone-cc: warning: ${note}\n`);
    for (const input of inputs) this.#requireFile(input);
    if (action === 'link') return this.#link();
    const sources = inputs.filter(input => input.kind === 'source');
    for (const input of inputs)
      if (input.kind === 'linked')
        this.#io.writeStderr(
          `redzone-cc: warning: ${input.path}: linker input file unused because linking not done\n`,
        );
    if (action === 'preprocess') return this.#each(sources, source => this.#preprocess(source));
    if (action === 'dependencies') return this.#each(sources, source => this.#writeDependencies(source));
    return this.#each(sources, async source => {
      const compiled = await this.#compile(source);
      if (compiled === undefined) return false;
      if (action === 'syntax') return true;
      const own = source.isHeader
        ? `${source.path}.gch`
        : withSuffix(source.path, action === 'assembly' ? '.s' : '.o');
      const output = this.#plan.output ?? own;
      const bytes =
        action === 'assembly'
          ? new TextEncoder().encode(compiled.ir)
          : writeElf(writeUnit(compiled.unit), compiled.unit.head.symbols, processor);
      this.#write(output, bytes, false);
      this.#writeRule(compiled.dependencies, output);
      return true;
    });
  }

  #requireFile(input: DriverInput): void {
    if (input.kind === 'library' || input.path === '-') return;
    const path = absolutePath(this.#folder, input.path);
    if (input.kind === 'source' && kindOf(path) === 'other') return;
    if (this.#files.read(path) === undefined) throw new DriverError(whyUnreadable(path, input.path));
  }

  /** Compiles the sources one after the other, and continues after an error. */
  async #each(
    sources: readonly SourceInput[],
    work: (source: SourceInput) => Promise<boolean>,
  ): Promise<number> {
    const results = await Promise.all(sources.map(work));
    return results.every(Boolean) ? 0 : 1;
  }

  #write(output: string, bytes: Uint8Array, isExecutable: boolean): void {
    if (output === '-') return void this.#io.writeStdout(bytes);
    const path = absolutePath(this.#folder, output);
    const problem = writeProduct(path, bytes, isExecutable);
    if (problem !== undefined) throw new DriverError(`cannot write '${output}': ${problem}`);
    this.#written.push({ path: output, bytes, isExecutable });
    if (kindOf(path) !== 'file') this.#isUnforeseen = true;
  }

  #say(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) this.#io.writeStderr(`${formatDiagnostic(diagnostic)}\n`);
  }

  async #sourceOf({ path, isPreprocessed }: SourceInput) {
    const content = await this.#streamed(path);
    return { path, ...(content && { content }), ...(isPreprocessed && { preprocessed: true }) };
  }

  /** The contents of what can be read only once: standard input, a pipe, `/dev/null`. */
  async #streamed(path: string): Promise<Uint8Array | undefined> {
    if (path === '-') return new TextEncoder().encode(await this.#io.readStdin());
    const absolute = absolutePath(this.#folder, path);
    if (kindOf(absolute) !== 'other') return undefined;
    this.#isUnforeseen = true;
    return readStream(absolute);
  }

  #options(flags: readonly string[]) {
    return {
      flags: warningFlags(flags),
      folder: this.#folder,
      granted: ['/'],
      debugFolder: this.#folder,
      keepsFailures: true,
      files: this.#files,
      onUnforeseen: () => {
        this.#isUnforeseen = true;
      },
    };
  }

  async #compile(
    source: SourceInput,
  ): Promise<
    { readonly unit: Unit; readonly ir: string; readonly dependencies: readonly string[] } | undefined
  > {
    const outcome = await compileUnit(await this.#sourceOf(source), this.#options(this.#plan.flags));
    if (!outcome.ok) {
      this.#say(outcome.diagnostics);
      return undefined;
    }
    this.#say(outcome.warnings);
    return outcome.value;
  }

  async #preprocess(input: SourceInput): Promise<boolean> {
    const toolchain = await sharedToolchain();
    const options = this.#options(this.#plan.flags);
    const source = await this.#sourceOf(input);
    const outcome = await toolchain.preprocessedText(source, this.#plan.preprocessorFlags, options);
    this.#say(outcome.ok ? outcome.warnings : outcome.diagnostics);
    if (!outcome.ok) return false;
    this.#write(this.#plan.output ?? '-', outcome.value, false);
    if (this.#plan.dependencies !== undefined) {
      const found = await toolchain.dependenciesOf(source, [], options);
      if (found.ok) this.#writeRule(found.value, withSuffix(input.path, '.o'), this.#plan.output);
    }
    return true;
  }

  /** `-M` and `-MM` */
  async #writeDependencies(input: SourceInput): Promise<boolean> {
    const toolchain = await sharedToolchain();
    const outcome = await toolchain.dependenciesOf(
      await this.#sourceOf(input),
      this.#plan.dependencies?.expectsHeaders ? ['-MG'] : [],
      this.#options(this.#plan.flags),
    );
    if (!outcome.ok) {
      this.#say(outcome.diagnostics);
      return false;
    }
    const file = this.#plan.dependencies?.file ?? this.#plan.output ?? '-';
    this.#write(file, this.#ruleFor(outcome.value, withSuffix(input.path, '.o')), false);
    return true;
  }

  /** `-MD` and `-MMD`; the file is named like the output, or like `named` if that is given. */
  #writeRule(dependencies: readonly string[], output: string, named = output): void {
    const plan = this.#plan.dependencies;
    if (plan === undefined) return;
    this.#write(plan.file ?? named.replace(/(\.[^./]*)?$/, '.d'), this.#ruleFor(dependencies, output), false);
  }

  /** Compiling and linking in one command: `-o prog` makes `prog.d`, with the rule of `prog`. */
  #writeRuleOfLinked(dependencies: readonly string[], path: string, isOnly: boolean): void {
    const { output } = this.#plan;
    const object = withSuffix(path, '.o');
    if (output === undefined) this.#writeRule(dependencies, object, `a-${object}`);
    else this.#writeRule(dependencies, output, isOnly ? output : `${output}-${object}`);
  }

  #ruleFor(dependencies: readonly string[], output: string): Uint8Array {
    const {
      targets = [],
      withSystemHeaders = true,
      withPhonyTargets = false,
    } = this.#plan.dependencies ?? {};
    const system = withSystemHeaders ? [] : systemFolders(this.#plan.flags, this.#folder);
    const names = dependencies.filter(name => {
      const path = absolutePath(this.#folder, name);
      return (
        !/^\/(redzone|usr\/include)\//.test(path) && !system.some(folder => path.startsWith(`${folder}/`))
      );
    });
    const goal = targets.length > 0 ? targets.join(' ') : quotedForMake(output);
    const list = names.map(quotedForMake);
    const phony = withPhonyTargets ? list.slice(1).map(name => `${name}:\n`) : [];
    return new TextEncoder().encode(`${goal}: ${list.join(' \\\n  ')}\n${phony.join('')}`);
  }

  async #link(): Promise<number> {
    const { inputs, product, output = 'a.out', needed, wrapped } = this.#plan;
    const { allowsUndefined, allowsDuplicates } = this.#plan;
    const compiled = new Map<DriverInput, Unit | undefined>();
    const sources = inputs.filter(input => input.kind === 'source');
    await Promise.all(
      sources.map(async source => {
        const unit = await this.#compile(source);
        compiled.set(source, unit?.unit);
        if (unit !== undefined) this.#writeRuleOfLinked(unit.dependencies, source.path, sources.length === 1);
      }),
    );
    if (sources.some(source => compiled.get(source) === undefined)) return 1;
    const seen = new Set<string>();
    const linked = inputs.map((input): LinkerInput => {
      const own = compiled.get(input);
      if (own !== undefined) return { candidates: [{ unit: own, from: own.head.name }], isTakenWhole: true };
      const found = this.#inputsOf(input);
      // A shared library may contain a copy of a unit that is linked as well.
      return { ...found, candidates: found.candidates.filter(({ unit }) => isFirst(seen, unit)) };
    });
    const selection = selectForProduct(
      linked.map(input => wrappedInput(input, wrapped)),
      product,
      needed,
    );
    const errors = [
      ...(allowsDuplicates ? [] : selection.duplicates.map(duplicateMessage)),
      ...(allowsUndefined || product !== 'program' ? [] : undefinedMessages(neededNames(selection), linked)),
    ];
    if (errors.length > 0) {
      for (const error of errors) this.#io.writeStderr(`redzone-cc: error: ${error}\n`);
      return 1;
    }
    this.#write(
      output,
      this.#productOf(product, output, withoutDuplicates(selection)),
      product === 'program',
    );
    return 0;
  }

  #productOf(product: DriverPlan['product'], output: string, chosen: readonly ChosenUnit[]): Uint8Array {
    if (product === 'program') {
      const name = output.slice(output.lastIndexOf('/') + 1);
      const launcher = { node: nodePath, module: `${packageRoot}dist/bundle/start-program.js` };
      return writeExecutable(name, absolutePath(this.#folder, cacheFolder()), chosen, launcher);
    }
    const units = chosen.map(({ unit }) =>
      product === 'shared' ? { ...unit, head: { ...unit.head, isShared: true as const } } : unit,
    );
    return writeElf(concatenate(units.map(writeUnit)), symbolsOfAll(units), processor);
  }

  #inputsOf(input: DriverInput): LinkerInput {
    if (input.kind === 'library') return this.#library(input);
    if (input.kind === 'source') return { candidates: [], isTakenWhole: true };
    const found = readLinkerInput(absolutePath(this.#folder, input.path), input.path, this.#files);
    if (typeof found === 'string') throw new DriverError(found);
    return input.isWhole ? { ...found, isTakenWhole: true } : found;
  }

  /** `-lx`, or `-l:file` */
  #library({ name, isStatic, isWhole }: DriverInput & { readonly kind: 'library' }): LinkerInput {
    const files = name.startsWith(':')
      ? [name.slice(1)]
      : [...(isStatic ? [] : [`lib${name}.so`]), `lib${name}.a`, ...(isStatic ? [`lib${name}.so`] : [])];
    const fromVariable = (this.#io.env.LIBRARY_PATH ?? '').split(':').filter(folder => folder !== '');
    const folders = [...this.#plan.libraryFolders, ...fromVariable, '/usr/local/lib'];
    const skipped: string[] = [];
    for (const folder of folders) {
      for (const file of files) {
        const path = absolutePath(this.#folder, `${folder}/${file}`);
        if (this.#files.read(path) === undefined) continue;
        const found = readLinkerInput(path, path, this.#files);
        if (typeof found !== 'string') return isWhole ? { ...found, isTakenWhole: true } : found;
        skipped.push(path);
      }
    }
    if (builtInLibraries.has(name)) return { candidates: [], isTakenWhole: false };
    const other = skipped[0] === undefined ? '' : `: '${skipped[0]}' was not made by redzone cc`;
    throw new DriverError(`cannot find -l${name}${other}`);
  }
}

/**
 * The search path of headers, in the format that Meson and other tools parse from the output of
 * `-v`.
 */
const searchList = `#include "..." search starts here:
#include <...> search starts here:
 ${packageRoot}runtime/include
End of search list.
`;

type SourceInput = DriverInput & { readonly kind: 'source' };

/** A unit, and the files from which it was made. */
export interface CompiledSource {
  readonly unit: Unit;
  readonly ir: string;
  readonly dependencies: readonly string[];
}

/** Compiles a source in the same way as `redzone cc`. */
export async function compileUnit(
  source: { readonly path: string; readonly content?: Uint8Array; readonly preprocessed?: boolean },
  options: {
    readonly flags: readonly string[];
    readonly folder: string;
    readonly granted: readonly string[];
    readonly debugFolder: string;
  },
): Promise<Outcome<CompiledSource>> {
  const toolchain = await sharedToolchain();
  const flags = checkFlags({ arithmetic: true, bounds: true }, options.flags);
  const outcome = await toolchain.compileUnit(source, { ...options, flags });
  if (!outcome.ok) return outcome;
  const { ir, dependencies } = outcome.value;
  const name = source.path === '-' ? '<stdin>' : source.path;
  const texts = [
    ...(source.content === undefined ? [] : [source.content]),
    ...dependencies.flatMap(file => readFileIfAny(absolutePath(options.folder, file)) ?? []),
  ];
  const unit = unitOf(name, options.folder, ir, texts.some(suppresses));
  return { ...outcome, value: { unit, ir, dependencies } };
}

function suppresses(text: Uint8Array): boolean {
  return ignoreComments('', new TextDecoder().decode(text)).rules.length > 0;
}

function unitOf(name: string, folder: string, ir: string, hasIgnoreComments: boolean): Unit {
  const head = {
    ...{ version: 1 as const, name, folder, key: contentHash([ir]), symbols: symbolsOf(ir) },
    ...(hasIgnoreComments && { hasIgnoreComments: true as const }),
  };
  return { head, ir: deflated(new TextEncoder().encode(ir)), plain: plainDataOf(ir) };
}

/** A unit as an input of the engines. */
export function compiledInput({ unit, weakened }: Pick<ChosenUnit, 'unit' | 'weakened'>): CompiledInput {
  const { name, key, folder, hasIgnoreComments = false } = unit.head;
  return { name: absolutePath(folder, name), key, weakened, hasIgnoreComments, ir: unit.ir };
}

/** The units of an object, an archive, a shared library or a program; or why there are none. */
function readLinkerInput(path: string, name: string, files: IncludedFiles): LinkerInput | string {
  const bytes = files.read(path);
  if (bytes === undefined) return whyUnreadable(path, name);
  if (isProgram(bytes)) return objectOf(unitsOfProgram(bytes), name);
  if (isElf(bytes)) {
    const section = unitsInElf(bytes);
    return section === undefined ? foreign(name) : objectOf(readUnits(section), name);
  }
  if (!isArchive(bytes)) return `${name}: file format not recognized`;
  const members = membersOf(bytes);
  if (members === undefined) return `${name}: the archive is damaged`;
  const candidates: Candidate[] = [];
  const folder = path.slice(0, path.lastIndexOf('/'));
  for (const { name: member, contents } of members) {
    const object = contents ?? files.read(absolutePath(folder, member));
    if (object === undefined) return `${name}: the thin archive names '${member}', which cannot be read`;
    const section = unitsInElf(object);
    if (section === undefined) {
      if (isElf(object)) return foreign(`${name}(${member})`);
      continue;
    }
    for (const unit of readUnits(section) ?? []) candidates.push({ unit, from: `${name}(${member})` });
  }
  return { candidates, isTakenWhole: false };
}

function objectOf(units: readonly Unit[] | undefined, name: string): LinkerInput | string {
  if (units === undefined) return `${name}: the object is damaged`;
  return { candidates: units.map(unit => ({ unit, from: name })), isTakenWhole: true };
}

function foreign(name: string): string {
  return `${name}: was compiled by another compiler than redzone cc, so it holds no IR; compile it with redzone cc`;
}

/** The entry points of a program: without `main` it may be a target of libFuzzer. */
const entries = ['main', 'LLVMFuzzerTestOneInput'];

function selectForProduct(
  linked: readonly LinkerInput[],
  product: DriverPlan['product'],
  needed: readonly string[],
): Selection {
  if (product !== 'program') return selectUnits(linked, needed, isSupplied);
  // The library has a `main`, but only for targets.
  const supplies = (name: string): boolean => !entries.includes(name) && isSupplied(name);
  const [program, target] = entries.map(entry => selectUnits(linked, [entry, ...needed], supplies));
  const lacks = (selection: Selection, entry: string): boolean =>
    selection.undefined.some(({ name }) => name === entry);
  return lacks(program!, entries[0]!) && !lacks(target!, entries[1]!) ? target! : program!;
}

/** `--wrap=f`: references to `f` in objects become references to `__wrap_f`. */
function wrappedInput({ candidates, isTakenWhole }: LinkerInput, names: readonly string[]): LinkerInput {
  if (names.length === 0) return { candidates, isTakenWhole };
  const replaced = candidates.map(({ unit, from }): Candidate => {
    const { symbols, isShared } = unit.head;
    if (isShared || !isWrapped(symbols, names)) return { unit, from };
    const { name, folder, hasIgnoreComments = false } = unit.head;
    const ir = withWrappedSymbols(new TextDecoder().decode(inflated(unit.ir)), symbols, names);
    return { unit: unitOf(name, folder, ir, hasIgnoreComments), from };
  });
  return { candidates: replaced, isTakenWhole };
}

/** Symbols that programs need not define. */
export function isSupplied(name: string): boolean {
  return (
    librarySymbols().has(name) ||
    /^(__ubsan_|__rz_|rz_|__host_|setjmp$|_setjmp$)/.test(name) ||
    linkerNames.has(name)
  );
}

const linkerNames = new Set(
  '__wasm_call_ctors __heap_base __heap_end __data_end __stack_low __stack_high __global_base __memory_base __table_base __dso_handle __tls_base'.split(
    ' ',
  ),
);

function duplicateMessage({ name, from, first }: Selection['duplicates'][number]): string {
  return `${from}: multiple definition of '${name}'; ${first}: first defined here`;
}

/** The undefined names, without those that only excluded code uses. */
function neededNames({ undefined: missing, chosen }: Selection): Selection['undefined'] {
  const needed = new Set<string>();
  for (const { unit } of chosen) {
    if (!unit.head.symbols.undefined.some(used => missing.some(({ name }) => name === used))) continue;
    const read = readIr(new TextDecoder().decode(inflated(unit.ir)), unit.head.name);
    const names = read.ok ? referencedNames(read.value) : unit.head.symbols.undefined;
    for (const name of names) needed.add(name);
  }
  return missing.filter(({ name, from }) => from === '' || needed.has(name));
}

function undefinedMessages(missing: Selection['undefined'], inputs: readonly LinkerInput[]): string[] {
  const known = (): string[] => [
    ...inputs.flatMap(({ candidates }) => candidates.flatMap(({ unit }) => unit.head.symbols.strong)),
    ...librarySymbols().keys(),
  ];
  return missing.map(({ name, from }) => {
    const similar = closestTo(name, known());
    const guess = similar === undefined ? '' : `; did you mean '${similar}'?`;
    return `${from === '' ? '' : `${from}: `}undefined reference to '${name}'${guess}`;
  });
}

/** With `-Wl,--allow-multiple-definition` the first definition wins. */
function withoutDuplicates({ chosen, duplicates }: Selection): readonly ChosenUnit[] {
  if (duplicates.length === 0) return chosen;
  return chosen.map(unit => ({
    ...unit,
    weakened: [
      ...unit.weakened,
      ...duplicates.filter(({ from }) => from === unit.from).map(({ name }) => name),
    ],
  }));
}

function isFirst(seen: Set<string>, { head: { name, folder, key } }: Unit): boolean {
  const identity = `${folder}/${name} ${key}`;
  if (seen.has(identity)) return false;
  seen.add(identity);
  return true;
}

function symbolsOfAll(units: readonly Unit[]): Symbols {
  const all = (of: keyof Symbols): string[] => [...new Set(units.flatMap(({ head }) => head.symbols[of]))];
  const [strong, weak, common] = [all('strong'), all('weak'), all('common')];
  const defined = new Set([...strong, ...weak, ...common]);
  const missing = all('undefined').filter(name => !defined.has(name));
  return {
    strong,
    weak,
    common,
    undefined: missing,
    weakUndefined: all('weakUndefined').filter(name => !defined.has(name)),
  };
}

function systemFolders(flags: readonly string[], folder: string): string[] {
  return flags.flatMap((flag, i) => (flags[i - 1] === '-isystem' ? [absolutePath(folder, flag)] : []));
}

/** `dir/a.c` with `.o` is `a.o`, in the current folder. */
function withSuffix(path: string, suffix: string): string {
  return `${path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')}${suffix}`;
}
