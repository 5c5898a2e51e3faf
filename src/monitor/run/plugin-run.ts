/**
 * Plug-ins in a run under the monitor: the imports that compiled hooks call, and the shadows in the
 * program's memory (`instrument/inline-shadow.ts` draws them).
 */
import { inputError } from '../../findings/diagnostic.js';
import type { PluginFacts } from '../../findings/facts.js';
import type { ImportFunctions } from '../../host/bind.js';
import {
  type AccessRule,
  decidingShadows,
  type HookPlan,
  type LoadedPlugin,
  mostShadows,
} from '../../plugins/hook-plan.js';
import { type HookSite, libraryLoad, libraryStore } from '../../plugins/hook-points.js';
import type { Place, Shadow, ShadowKind } from '../../plugins/plugin.js';
import { cellBytes, type PluginEngine, PluginHost } from '../../plugins/plugin-host.js';
import {
  bitsOfGranule,
  directoryBytes,
  kindWord,
  orderedPages,
  pageSpan,
  zeroPageBytes,
} from '../instrument/inline-shadow.js';
import { hookImport } from '../instrument/weave-hooks.js';
import { clientEnd, nullPageEnd, pluginDirectories, pluginPages, pluginPagesEnd } from '../memory-map.js';

/** The plug-ins of a run. */
export interface PluginRequest {
  readonly plugins: readonly LoadedPlugin[];
  readonly plan: HookPlan | undefined;
  readonly sites: readonly HookSite[];
}

/** The operations of the run that plug-ins use. */
export interface RunForPlugins {
  /** The location of a hook's site; 0 for the current call. */
  here(site: number): Place;
  report(facts: PluginFacts, at: Place): void;
  depth(): number;
  /**
   * The outermost slot of the call stack that belongs to the program, unless the library runs
   * before or after it.
   */
  programSlot(): number | undefined;
  /** Whether the run is over, so that hooks are ignored. */
  isOver(): boolean;
}

/** Exports of the runtime. */
export interface MarkExports {
  readonly __rz_marking: WebAssembly.Global;
  readonly __rz_watched: WebAssembly.Global;
  readonly __rz_cut_marked: (first: number, bytes: number) => void;
  readonly __rz_library_settings: WebAssembly.Global;
}

/** `MARKING_CELLS` of `runtime/monitor/marks.h`. */
const markingCells = 2;

export class PluginRun implements PluginEngine {
  readonly name = 'check';
  readonly #host: PluginHost;
  readonly #states: readonly unknown[];
  readonly #shadows: readonly PagedShadow[];
  readonly #bytes: Uint8Array;
  /** The site of the current hook. */
  #site = 0;
  /** The index of `program_slot` of `runtime/monitor/marks.h` among the words of memory. */
  #programSlot: number | undefined;

  constructor(
    private readonly request: PluginRequest,
    memory: WebAssembly.Memory,
    private readonly run: RunForPlugins,
  ) {
    const { plugins, plan } = request;
    const kinds =
      plan?.shadows ?? plugins.flatMap(({ plugin }) => Object.values<ShadowKind>(plugin.shadow ?? {}));
    this.#bytes = new Uint8Array(memory.buffer);
    const pages = new PageSupply();
    const ordered = orderedPages(kinds);
    this.#shadows = kinds.map((kind, i) => new PagedShadow(memory, i, kind, pages, ordered[i]));
    for (const rules of [plan?.load, plan?.store])
      for (const { set } of rules?.filter(setsOnly) ?? []) this.#shadows[set!.shadow]!.preparePages();
    this.#states = PluginHost.statesOf(plugins);
    this.#host = new PluginHost(plugins, plan, this);
  }

  /**
   * Called before the program starts. Fast loops evaluate no conditions, so the runtime must know
   * which shadows decide conditions, and when their cells are set (`runtime/monitor/marks.h`).
   */
  connect({ __rz_watched, __rz_marking, __rz_cut_marked, __rz_library_settings }: MarkExports): void {
    const { plan } = this.request;
    if (plan === undefined) return;
    const words = new Uint32Array(this.#bytes.buffer);
    this.#programSlot = Number(__rz_library_settings.value) / 4;
    const rows = [plan.load, plan.store].flatMap(rules => settingRows(rules, plan.shadows));
    words.set(rows, this.#programSlot + 1);
    const deciding = decidingShadows(plan);
    if (deciding === undefined || deciding.size === 0) return;
    words[Number(__rz_marking.value) / 4]! |= markingCells;
    for (const number of deciding) {
      words[Number(__rz_watched.value) / 4 + number] = this.#shadows[number]!.bitsOfGranule;
      this.#shadows[number]!.onSet = (address, bytes) => __rz_cut_marked(address, bytes);
    }
  }

  /** Whether a plug-in has hooks for allocations. */
  get watchesHeap(): boolean {
    return this.request.plugins.some(
      ({ plugin: { hooks } }) => hooks.allocate !== undefined || hooks.free !== undefined,
    );
  }

  start(): void {
    this.#host.start();
  }

  end(exit: number): void {
    this.#site = 0;
    this.#host.end(exit);
  }

  allocated(address: number, bytes: number): void {
    this.#site = 0;
    this.#host.allocate(address, bytes);
  }

  freed(address: number, bytes: number): void {
    this.#site = 0;
    this.#host.free(address, bytes);
  }

  /** The hooks that the module imports. */
  imports(module: WebAssembly.Module): ImportFunctions {
    return Object.fromEntries(
      WebAssembly.Module.imports(module).flatMap(({ name }) => {
        const hook = hookImport(name);
        const fire = (index: number, site: number, ...values: number[]): void =>
          this.#fire(index, site, values, hook?.isAsked === true);
        return hook === undefined ? [] : [[name, fire]];
      }),
    );
  }

  #fire(index: number, site: number, values: readonly number[], isAsked: boolean): void {
    if (this.run.isOver()) return;
    this.#site = site;
    const isLibrarys = index === libraryLoad || index === libraryStore;
    if (!isLibrarys) this.#host.fire(this.request.sites[index]!, values, isAsked);
    else {
      const slot = this.run.programSlot();
      if (slot === undefined) return;
      new Uint32Array(this.#bytes.buffer)[this.#programSlot!] = slot;
      this.#host.library(index === libraryLoad ? 'load' : 'store', values[0]!, values[1]!);
    }
  }

  // ------------------------------------------------------------------------------- PluginEngine

  here(): Place {
    return this.run.here(this.#site);
  }

  bytes(address: number, length: number): Uint8Array | undefined {
    if (!(address >= nullPageEnd && length >= 0 && address + length <= clientEnd)) return undefined;
    return this.#bytes.slice(address, address + length);
  }

  text(address: number): string | undefined {
    if (!(address >= nullPageEnd && address < clientEnd)) return undefined;
    const end = this.#bytes.indexOf(0, address);
    return end < 0 || end >= clientEnd
      ? undefined
      : new TextDecoder().decode(this.#bytes.slice(address, end));
  }

  shadow(number: number): Shadow {
    return this.#shadows[number]!;
  }

  state(plugin: number): unknown {
    return this.#states[plugin];
  }

  report(facts: PluginFacts, at: Place | undefined): void {
    this.run.report(facts, at ?? this.here());
  }

  depth(): number {
    return this.run.depth();
  }
}

/**
 * A row of `library_settings` (`runtime/monitor/marks.h`): what the rules set, or nothing if they
 * do more than that.
 */
function settingRows(rules: readonly AccessRule[], shadows: readonly ShadowKind[]): number[] {
  const row = new Array<number>(1 + 3 * mostShadows).fill(0);
  const sets = rules.filter(setsOnly).map(({ set }) => set!);
  if (sets.length < rules.length || sets.length > mostShadows) return row;
  row[0] = sets.length;
  for (const [i, { shadow, to }] of sets.entries()) {
    row.splice(1 + 3 * i, 3, shadow, kindWord(shadows[shadow]!), to);
  }
  return row;
}

function setsOnly({ set, when, runs }: AccessRule): boolean {
  return set !== undefined && when === undefined && !runs;
}

/** Allocates pages, identified by their distance from the first one. */
class PageSupply {
  #next = zeroPageBytes;

  take(bytes: number): number {
    const page = this.#next;
    this.#next += bytes;
    if (pluginPages + this.#next > pluginPagesEnd)
      throw inputError(
        `the shadows of the plug-ins take more than ${(pluginPagesEnd - pluginPages) >>> 20} MiB`,
        'fewer bits, or cells per granule, let them cover more memory of the program',
      );
    return page;
  }
}

class PagedShadow implements Shadow {
  readonly #bytes: Uint8Array;
  readonly #directory: Uint32Array;
  readonly #pageBytes: number;
  /** Called after cells have been set to another value than 0. */
  onSet: (address: number, bytes: number) => void = () => {};

  constructor(
    memory: WebAssembly.Memory,
    number: number,
    private readonly kind: ShadowKind,
    private readonly pages: PageSupply,
    /** The place of the page for address 0, if the pages lie in the order of their addresses. */
    private readonly start: number | undefined,
  ) {
    this.#bytes = new Uint8Array(memory.buffer);
    this.#directory = new Uint32Array(
      memory.buffer,
      pluginDirectories + number * directoryBytes,
      directoryBytes / 4,
    );
    this.#pageBytes = ((pageSpan / cellBytes(kind)) * kind.bits) / 8;
  }

  get bitsOfGranule(): number {
    return bitsOfGranule(this.kind);
  }

  /** Compiled code sets cells without a look at the directory, if the pages are in order. */
  preparePages(): void {
    if (this.start === undefined) return;
    for (let number = 0; number < this.#directory.length; number++)
      this.#directory[number] = this.#newPage(number);
  }

  #newPage(number: number): number {
    return this.start === undefined
      ? this.pages.take(this.#pageBytes)
      : this.start + number * this.#pageBytes;
  }

  get(address: number): number {
    if (!(address >= 0 && address < clientEnd)) return 0;
    const { bits } = this.kind;
    const bit = this.#bitOf(address);
    const at = pluginPages + this.#directory[address >>> 16]! + (bit >>> 3);
    if (bits < 8) return (this.#bytes[at]! >>> (bit & 7)) & ((1 << bits) - 1);
    let value = 0;
    for (let i = bits / 8 - 1; i >= 0; i--) value = value * 256 + this.#bytes[at + i]!;
    return value;
  }

  set(address: number, bytes: number, value: number): void {
    const step = cellBytes(this.kind);
    const end = Math.min(address + bytes, clientEnd);
    for (let at = address - (address % step); at < end; at += step) this.#setCell(at, value);
    if (value !== 0 && address >= 0 && end > address) this.onSet(address, end - address);
  }

  #setCell(address: number, value: number): void {
    if (!(address >= 0)) return;
    const { bits } = this.kind;
    const number = address >>> 16;
    if (this.#directory[number] === 0) {
      if (value === 0) return;
      this.#directory[number] = this.#newPage(number);
    }
    const bit = this.#bitOf(address);
    const at = pluginPages + this.#directory[number]! + (bit >>> 3);
    if (bits < 8) {
      const mask = (1 << bits) - 1;
      this.#bytes[at] = (this.#bytes[at]! & ~(mask << (bit & 7))) | ((value & mask) << (bit & 7));
      return;
    }
    for (let i = 0; i < bits / 8; i++) this.#bytes[at + i] = value >>> (8 * i);
  }

  #bitOf(address: number): number {
    return Math.floor((address & (pageSpan - 1)) / cellBytes(this.kind)) * this.kind.bits;
  }
}
