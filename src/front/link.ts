/**
 * The IR linker: several modules become one, as `llvm-link` would do it.
 *
 * 1. *Choose.* For each external name, one of its definitions wins (see `strength`); references to
 *    the others, and to declarations, refer to the winner from now on. `appending` arrays are
 *    joined.
 * 2. *Rename.* A name that is private to its module (`static`) gives way to a visible one, or to
 *    another module's private one, by a suffix: `counter`, `counter.1`. So do identified structs;
 *    pointers are opaque, so it does not matter that two modules have each their own
 *    `%struct.point`.
 * 3. *Replace.* One walk over all code and initialisers puts the winner where a loser was referred
 *    to.
 * 4. *Collect.* Module flags, compile units and the rest of the named metadata are concatenated.
 *
 * The modules are consumed: the result consists of their parts, and they must not be used
 * afterwards.
 *
 * Invariants of the result: a name occurs once; no operand, initialiser or alias refers to a global
 * that is not a member of the result.
 *
 * A definition of a library module gives way to one of the program silently, as an archive member
 * that was not pulled would; two of the program's own are an error.
 */
import type { Diagnostic } from '../findings/diagnostic.js';
import type { SourceLocation } from '../findings/finding.js';
import { makeModule } from '../ir/builder.js';
import { functionLocation, globalVariable } from '../ir/debug.js';
import { type Replacement, replaceGlobals } from '../ir/global-references.js';
import type { Metadata, MetadataNode } from '../ir/metadata.js';
import type { Constant, GlobalValue, GlobalVariable, Module } from '../ir/model.js';
import { arrayType } from '../ir/types.js';
import { assert } from '../support/assert.js';
import { failure, type Outcome, success } from './step-outcome.js';

/** A module to be linked. */
export interface LinkInput {
  readonly module: Module;
  /** Part of a library, whose definitions yield to the program's. */
  readonly isLibrary?: boolean;
}

/** The strength of a global's definition; the strongest wins, the first among equals. */
enum Strength {
  reference,
  /** `extern inline`: a copy of a definition that is elsewhere, used if there is no other. */
  copy,
  weak,
  common,
  library,
  strong,
}

interface Candidate {
  readonly global: GlobalValue;
  readonly input: LinkInput;
  readonly strength: Strength;
}

export function linkModules(inputs: readonly LinkInput[]): Outcome<Module> {
  const [first] = inputs;
  assert(first !== undefined, 'nothing to link');
  const mismatches = inputs.flatMap(({ module }) => targetMismatch(first.module, module));
  if (mismatches.length > 0) return failure(...mismatches);

  const result = makeModule(first.module.file);
  result.sourceFilename = first.module.sourceFilename;
  const layouts = inputs.map(({ module }) => module.dataLayout);
  result.dataLayout = layouts.find(layout => layout?.includes(wideAlignment)) ?? first.module.dataLayout;
  result.triple = first.module.triple;

  const { winners, losers, appending, locals, errors } = chooseGlobals(inputs);
  if (errors.length > 0) return failure(...errors);

  const replacement: Replacement = new Map();
  for (const [name, global] of losers) replacement.set(global, winners.get(name)!.global);
  for (const { global, strength } of winners.values()) {
    if (strength === Strength.copy) global.linkage = 'linkonce_odr'; // no other module defines it
    if (strength === Strength.common) global.linkage = 'external'; // no other file can enlarge it now
    if (strength === Strength.library) global.linkage = 'weak_odr'; // wasm-ld may meet the same member as an object
  }

  const kept = [...[...winners.values()].map(({ global }) => global), ...appending.values()];
  const names = new Names();
  for (const { name } of kept) names.take(name);
  for (const local of locals) if (local.name !== '') local.name = names.claim(local.name);
  for (const global of [...kept, ...locals]) addGlobal(result, global);
  replaceGlobals(result, replacement);

  addOtherParts(result, inputs);
  return success(result);
}

/** The globals of all modules, by what happens to them. */
interface ChosenGlobals {
  /** The definition of each name. */
  readonly winners: ReadonlyMap<string, Candidate>;
  /** The others of that name, which it replaces. */
  readonly losers: readonly (readonly [name: string, global: GlobalValue])[];
  /** Lists that all modules append to, such as that of constructors. */
  readonly appending: ReadonlyMap<string, GlobalVariable>;
  readonly locals: readonly GlobalValue[];
  readonly errors: readonly Diagnostic[];
}

function chooseGlobals(inputs: readonly LinkInput[]): ChosenGlobals {
  const errors: Diagnostic[] = [];
  const winners = new Map<string, Candidate>();
  const losers: [name: string, global: GlobalValue][] = [];
  const appending = new Map<string, GlobalVariable>();
  const locals: GlobalValue[] = [];
  for (const input of inputs) {
    for (const global of globalsOf(input.module)) {
      if (isLocal(global)) locals.push(global);
      else if (global.linkage === 'appending' && global.kind === 'variable') append(appending, global);
      else {
        const candidate = { global, input, strength: strengthOf(global, input) };
        const winner = winners.get(global.name);
        if (winner === undefined) winners.set(global.name, candidate);
        else errors.push(...settle(winners, losers, winner, candidate));
      }
    }
  }
  return { winners, losers, appending, locals, errors };
}

/** What modules have beside globals: types, assembly, comdats and metadata. */
function addOtherParts(result: Module, inputs: readonly LinkInput[]): void {
  const structNames = new Names();
  for (const { module } of inputs) {
    for (const struct of module.structs) {
      if (struct.name !== undefined) struct.name = structNames.claim(struct.name);
      result.structs.push(struct);
    }
    result.assembly.push(...module.assembly);
    for (const comdat of module.comdats) {
      if (!result.comdats.some(({ name }) => name === comdat.name)) result.comdats.push(comdat);
    }
  }
  mergeNamedMetadata(
    result.namedMetadata,
    inputs.map(({ module }) => module.namedMetadata),
  );
}

export function* globalsOf(module: Module): Iterable<GlobalValue> {
  yield* module.variables;
  yield* module.functions;
  yield* module.aliases;
  yield* module.ifuncs;
}

export function isLocal(global: GlobalValue): boolean {
  return global.linkage === 'internal' || global.linkage === 'private' || global.name === '';
}

export function isDeclaration(global: GlobalValue): boolean {
  if (global.kind === 'variable') return global.initializer === undefined;
  return global.kind === 'function' && global.blocks.length === 0;
}

/** Whether the engine, not a module, implements this function (`import_module("redzone")` in C). */
export function isImport(global: GlobalValue): boolean {
  return global.kind === 'function' && global.attributes.has('wasm-import-module');
}

function strengthOf(global: GlobalValue, input: LinkInput): Strength {
  if (isDeclaration(global)) return Strength.reference;
  switch (global.linkage) {
    case 'available_externally':
      return Strength.copy;
    case 'weak':
    case 'weak_odr':
    case 'linkonce':
    case 'linkonce_odr':
      return Strength.weak;
    case 'common':
      return Strength.common;
    case 'external':
    case 'extern_weak':
    case 'appending':
    case 'internal':
    case 'private':
      return input.isLibrary ? Strength.library : Strength.strong;
  }
}

/** Decides between two globals of one name. */
function settle(
  winners: Map<string, Candidate>,
  losers: [string, GlobalValue][],
  winner: Candidate,
  challenger: Candidate,
): Diagnostic[] {
  const { name } = challenger.global;
  if (winner.strength === challenger.strength && winner.strength >= Strength.library) {
    return [duplicate(name, winner, challenger)];
  }
  if (!agree(winner.global, challenger.global)) return [differentKind(name, winner, challenger)];
  const takes = challengerWins(winner, challenger);
  const [chosen, other] = takes ? [challenger, winner] : [winner, challenger];
  winners.set(name, chosen);
  losers.push([name, other.global]);
  if ('align' in chosen.global && 'align' in other.global && chosen.strength === Strength.common) {
    chosen.global.align = Math.max(chosen.global.align, other.global.align);
  }
  // A name that some module needs strongly is not weakly needed.
  const isNeeded = [winner, challenger].some(({ global }) => global.linkage !== 'extern_weak');
  if (chosen.global.linkage === 'extern_weak' && isNeeded) chosen.global.linkage = 'external';
  return [];
}

function challengerWins(winner: Candidate, challenger: Candidate): boolean {
  if (winner.strength !== challenger.strength) return challenger.strength > winner.strength;
  if (winner.strength === Strength.reference) return isImport(challenger.global) && !isImport(winner.global);
  // The larger of `int table[10];` in one file and `int table[20];` in another is taken.
  return winner.strength === Strength.common && lengthOf(challenger.global) > lengthOf(winner.global);
}

function lengthOf(global: GlobalValue): number {
  return global.kind === 'variable' && global.valueType.kind === 'array' ? global.valueType.length : 1;
}

/** A function and a variable cannot share a name. An alias may be either. */
function agree(a: GlobalValue, b: GlobalValue): boolean {
  const isFunction = (global: GlobalValue) =>
    global.kind === 'variable' ? false : global.kind === 'function' ? true : undefined;
  return isFunction(a) === undefined || isFunction(b) === undefined || isFunction(a) === isFunction(b);
}

/** `llvm.global_ctors`, `llvm.used`: the elements of all modules, in their order. */
function append(known: Map<string, GlobalVariable>, variable: GlobalVariable): void {
  const earlier = known.get(variable.name);
  if (earlier === undefined) {
    known.set(variable.name, variable);
    return;
  }
  const elements = [...elementsOf(earlier), ...elementsOf(variable)];
  assert(variable.valueType.kind === 'array', `${variable.name} is not an array`);
  const type = arrayType(variable.valueType.element, elements.length);
  earlier.valueType = type;
  earlier.initializer = { kind: 'aggregate', type, elements };
}

function elementsOf({ initializer }: GlobalVariable): Constant[] {
  return initializer?.kind === 'aggregate' ? initializer.elements : [];
}

function addGlobal(module: Module, global: GlobalValue): void {
  switch (global.kind) {
    case 'variable':
      module.variables.push(global);
      return;
    case 'function':
      module.functions.push(global);
      return;
    case 'alias':
      module.aliases.push(global);
      return;
    case 'ifunc':
      module.ifuncs.push(global);
  }
}

/** Names that occur once each. */
class Names {
  /** For each name that is taken, the last suffix that was tried on it. */
  readonly #taken = new Map<string, number>();

  take(name: string): void {
    this.#taken.set(name, 0);
  }

  /** `name`, or the first of `name.1`, `name.2`, … that is free; taken from now on. */
  claim(name: string): string {
    let free = name;
    let suffix = this.#taken.get(name) ?? 0;
    while (this.#taken.has(free)) free = `${name}.${++suffix}`;
    this.#taken.set(name, suffix);
    this.#taken.set(free, free === name ? suffix : 0);
    return free;
  }
}

/** Lists are concatenated, but each module flag and compiler identification occurs once. */
function mergeNamedMetadata(
  into: Map<string, MetadataNode[]>,
  all: readonly ReadonlyMap<string, readonly MetadataNode[]>[],
): void {
  for (const named of all) {
    for (const [name, nodes] of named) {
      const merged = into.get(name) ?? [];
      into.set(name, merged);
      const keyOf = { 'llvm.module.flags': flagName, 'llvm.ident': identification }[name];
      const known = new Set(keyOf === undefined ? [] : merged.map(keyOf));
      merged.push(...nodes.filter(node => keyOf === undefined || !known.has(keyOf(node))));
    }
  }
}

/**
 * The name of a flag such as `!{i32 7, !"PIC Level", i32 2}`. All modules come from one compiler,
 * so they agree on the value.
 */
function flagName(node: MetadataNode): string {
  return textOf(operandOf(node, 1));
}

function identification(node: MetadataNode): string {
  return textOf(operandOf(node, 0));
}

function operandOf({ body }: MetadataNode, index: number): Metadata | undefined {
  return body.kind === 'tuple' ? body.operands[index] : undefined;
}

function textOf(metadata: Metadata | undefined): string {
  return metadata?.kind === 'string' ? metadata.text : '';
}

// ------------------------------------------------------------------------------------------ errors

function targetMismatch(first: Module, other: Module): Diagnostic[] {
  const fields = [
    ['target triple', first.triple, other.triple],
    ['data layout', first.dataLayout, other.dataLayout],
  ] as const;
  return fields
    .filter(([, ours, theirs]) => ours !== undefined && theirs !== undefined && differ(ours, theirs))
    .map(([what, ours, theirs]) => ({
      severity: 'error' as const,
      message: `'${other.file}' has the ${what} '${theirs}' but '${first.file}' has '${ours}'`,
      help: 'compile both for wasm64-unknown-unknown',
    }));
}

/**
 * From version 20 on, LLVM aligns integers of 128 bits to 16 bytes. clang has always done so, with
 * explicit padding, so modules of earlier versions mean the same in both layouts.
 */
const wideAlignment = '-i128:128';

function differ(ours: string, theirs: string): boolean {
  return ours.replace(wideAlignment, '') !== theirs.replace(wideAlignment, '');
}

function duplicate(name: string, first: Candidate, second: Candidate): Diagnostic {
  return {
    severity: 'error',
    message: `'${name}' is defined in '${second.input.module.file}' and in '${first.input.module.file}'`,
    location: locationOf(second),
    notes: [{ message: `first definition of '${name}'`, location: locationOf(first) }],
    help: 'keep one definition, or make them static',
  };
}

function differentKind(name: string, first: Candidate, second: Candidate): Diagnostic {
  return {
    severity: 'error',
    message: `'${name}' is a ${second.global.kind} in '${second.input.module.file}' but a ${first.global.kind} in '${first.input.module.file}'`,
    location: locationOf(second),
    notes: [{ message: `'${name}' as a ${first.global.kind}`, location: locationOf(first) }],
  };
}

function locationOf({ global, input }: Candidate): SourceLocation {
  return definitionOf(global, input.module);
}

/**
 * The location of a global's definition, from debug information; only the file if there is none.
 */
export function definitionOf(global: GlobalValue, module: Module): SourceLocation {
  const known =
    global.kind === 'function'
      ? functionLocation(global)
      : global.kind === 'variable'
        ? globalVariable(global)?.location
        : undefined;
  return known ?? { file: module.sourceFilename ?? module.file, line: 0, column: 0 };
}
