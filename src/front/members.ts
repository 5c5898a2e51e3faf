/**
 * The members of the library in the forms that linking needs: outlines for the walk, modules for an
 * engine, and objects that an engine makes of them.
 *
 * A member is the same for every program, so outlines and objects are cached under its name and the
 * stamp of this installation: when a program changes, its members are not even read.
 */
import type { Module } from '../ir/model.js';
import { readModule } from '../ir/reader.js';
import { widenVariadicArguments } from '../ir/variadic-slots.js';
import { writeModule } from '../ir/writer.js';
import { installationStamp } from '../platform/installation-stamp.js';
import { Turns } from '../platform/turns.js';
import { assert } from '../support/assert.js';
import { concatenate } from '../support/concatenate.js';
import { Cache } from './cache.js';
import { type LibraryVariant, libraryFlags, memberPath } from './library.js';
import { type Outline, outlineOf } from './outline.js';
import { valueOrThrow } from './step-outcome.js';
import type { Toolchain } from './toolchain.js';

/** The result of an engine for a member: IR modules to compile, and metadata as JSON. */
export interface MemberParts<Notes> {
  readonly ir: readonly string[];
  readonly notes: Notes;
}

export interface MemberObjects<Notes> {
  readonly objects: readonly Uint8Array[];
  readonly notes: Notes;
}

export class Members {
  readonly #toolchain: Toolchain;
  readonly #variant: LibraryVariant;
  readonly #signal: AbortSignal | undefined;
  /** Modules that were read for their outlines, or in advance. */
  readonly #read = new Map<string, Module>();
  readonly #outlines = new Map<string, Outline>();

  constructor(toolchain: Toolchain, variant: LibraryVariant, signal: AbortSignal | undefined) {
    this.#toolchain = toolchain;
    this.#variant = variant;
    this.#signal = signal;
  }

  async outlines(names: readonly string[]): Promise<Outline[]> {
    const unknown = names.filter(name => !this.#outlines.has(name));
    const found = await this.#cached<Outline>('outline', unknown, async missing => {
      const modules = await this.#compile(missing);
      for (const [i, module] of modules.entries()) this.#read.set(missing[i]!, module);
      return modules.map(module => ({ notes: outlineOf(module), result: new Uint8Array() }));
    });
    for (const [i, { notes }] of found.entries()) this.#outlines.set(unknown[i]!, notes);
    return names.map(name => this.#outlines.get(name)!);
  }

  /** Reads modules in advance that will probably be used. */
  async prepare(names: readonly string[]): Promise<void> {
    const unread = names.filter(name => !this.#read.has(name));
    const modules = await this.#compile(unread);
    for (const [i, module] of modules.entries()) this.#read.set(unread[i]!, module);
  }

  /** Each name may be taken once, because the caller may change the module. */
  async modules(names: readonly string[]): Promise<Module[]> {
    await this.prepare(names);
    return names.map(name => {
      const module = this.#read.get(name);
      assert(module !== undefined, `${name} is taken twice`);
      this.#read.delete(name);
      return module;
    });
  }

  /** `recipe` identifies what `make` does, with all its choices; `flags` are clang's. */
  async objects<Notes>(
    names: readonly string[],
    recipe: string,
    make: (module: Module, name: string) => MemberParts<Notes>,
    flags: readonly string[] = [],
  ): Promise<MemberObjects<Notes>[]> {
    interface Packed {
      readonly lengths: readonly number[];
      readonly notes: Notes;
    }
    const found = await this.#cached<Packed>([recipe, ...flags].join(' '), names, async missing => {
      const parts: MemberParts<Notes>[] = [];
      const turns = new Turns(this.#signal);
      for (const [i, module] of (await this.modules(missing)).entries()) {
        await turns.next();
        parts.push(make(module, missing[i]!));
      }
      const ir = parts.flatMap(part => part.ir);
      const compiled = await this.#toolchain.compileIrToObjects(ir, { flags, signal: this.#signal });
      const objects = compiled.map(valueOrThrow);
      return parts.map(part => {
        const own = objects.splice(0, part.ir.length);
        return {
          notes: { lengths: own.map(({ length }) => length), notes: part.notes },
          result: concatenate(own),
        };
      });
    });
    return found.map(({ notes: { lengths, notes }, result }) => {
      let end = 0;
      const objects = lengths.map(length => {
        end += length;
        return result.subarray(end - length, end);
      });
      return { objects, notes };
    });
  }

  /** Objects without instrumentation. */
  async plainObjects(names: readonly string[]): Promise<Uint8Array[]> {
    const made = await this.objects(names, 'plain', module => ({ ir: [writeModule(module)], notes: null }));
    return made.flatMap(({ objects }) => objects);
  }

  async #compile(names: readonly string[]): Promise<Module[]> {
    if (names.length === 0) return [];
    const options = { flags: libraryFlags(this.#variant), signal: this.#signal };
    const outcomes = await this.#toolchain.compileRuntime(names.map(memberPath), options);
    const modules: Module[] = [];
    const turns = new Turns(this.#signal);
    for (const [i, outcome] of outcomes.entries()) {
      await turns.next();
      const read = readModule(valueOrThrow(outcome), memberPath(names[i]!));
      assert(read.kind === 'module', `${names[i]} cannot be read`);
      widenVariadicArguments(read.module);
      modules.push(read.module);
    }
    return modules;
  }

  /** One entry for each name; missing ones are made together. */
  async #cached<Notes>(
    what: string,
    names: readonly string[],
    make: (missing: readonly string[]) => Promise<Entry<Notes>[]>,
  ): Promise<Entry<Notes>[]> {
    const { cache } = this.#toolchain;
    const keyOf = (name: string) => Cache.keyOf([installationStamp(), this.#variant, what, name]);
    const entries = new Map<string, Entry<Notes>>();
    for (const name of names) {
      const known = cache?.get(keyOf(name));
      if (known !== undefined) entries.set(name, { notes: JSON.parse(known.notes), result: known.result });
    }
    const missing = names.filter(name => !entries.has(name));
    const made = missing.length === 0 ? [] : await make(missing);
    for (const [i, name] of missing.entries()) {
      const { notes, result } = made[i]!;
      cache?.put(keyOf(name), { notes: JSON.stringify(notes), result });
      entries.set(name, { notes, result });
    }
    return names.map(name => entries.get(name)!);
  }
}

interface Entry<Notes> {
  readonly notes: Notes;
  readonly result: Uint8Array;
}
