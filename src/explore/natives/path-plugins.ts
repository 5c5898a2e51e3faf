/**
 * Plug-ins on a path. The calls that `plugins/insert-hooks.ts` has inserted are executed here.
 *
 * The values that a hook receives are concretized first, as for every native: so nothing forks
 * while a hook runs, and its effects happen once. A symbolic value that is stored is not passed to
 * the hook.
 */
import { describe } from '../../findings/describe.js';
import type { PluginFacts } from '../../findings/facts.js';
import type { HookPlan, LoadedPlugin } from '../../plugins/hook-plan.js';
import { type HookSite, libraryLoad, libraryStore, type ValueKind } from '../../plugins/hook-points.js';
import type { Place, Shadow, ShadowKind } from '../../plugins/plugin.js';
import { cellBytes, type PluginEngine, PluginHost } from '../../plugins/plugin-host.js';
import { assert } from '../../support/assert.js';
import type { Native } from '../state/decoded.js';
import { isLibrarys, occurrenceAt } from '../state/make-finding.js';
import { PluginState } from '../state/plugin-state.js';
import type { Accesses, PluginCalls } from '../state/running.js';
import type { Scalar } from '../values/register-value.js';
import { bytesAt, textAt } from './text.js';

/** The native of `llvm.rz.hook`. */
export const runHook: Native = (machine, [index, isMeant, ...values]) => {
  const what = 'a symbolic value that a plug-in receives';
  if (Number(machine.fewValues(isMeant, what)) !== 0) machine.plugins?.fire(machine, Number(index), values);
  return undefined;
};

export class PathPlugins implements PluginCalls, PluginEngine {
  readonly name = 'explore';
  readonly #host: PluginHost;
  readonly #kinds: readonly ShadowKind[];
  #machine: Accesses | undefined;

  /** `table` grows as functions are called for the first time. */
  constructor(
    private readonly plugins: readonly LoadedPlugin[],
    plan: HookPlan | undefined,
    private readonly table: readonly HookSite[],
  ) {
    this.#kinds =
      plan?.shadows ?? plugins.flatMap(({ plugin }) => Object.values<ShadowKind>(plugin.shadow ?? {}));
    this.#host = new PluginHost(plugins, plan, this);
  }

  /** The hook that is running, if any. */
  get running(): string | undefined {
    return this.#host.running;
  }

  start(machine: Accesses): void {
    machine.state.plugins = new PluginState(PluginHost.statesOf(this.plugins), this.#kinds.length);
    this.#machine = machine;
    this.#host.start();
  }

  fire(machine: Accesses, index: number, values: readonly Scalar[]): void {
    const isOfLibrary = index === libraryLoad || index === libraryStore;
    if (isOfLibrary && isLibrarys(machine.trace())) return;
    const site = isOfLibrary ? undefined : this.table[index]!;
    const kinds: readonly ValueKind[] = site?.values ?? ['pointer', 'u64'];
    const told = values.map((value, i) => {
      const isStored = site?.kind === 'store' && site.hasValue === true && i === 1;
      return numberOf(machine, value, kinds[i]!, isStored);
    });
    this.#machine = machine;
    if (site === undefined) this.#host.library(index === libraryLoad ? 'load' : 'store', told[0]!, told[1]!);
    else this.#host.fire(site, told, false);
  }

  allocated(machine: Accesses, address: number, bytes: number): void {
    if (isLibrarys(machine.trace())) return;
    this.#machine = machine;
    this.#host.allocate(address, bytes);
  }

  freed(machine: Accesses, address: number, bytes: number): void {
    if (isLibrarys(machine.trace())) return;
    this.#machine = machine;
    this.#host.free(address, bytes);
  }

  ended(machine: Accesses, status: number): void {
    this.#machine = machine;
    this.#host.end(status);
  }

  // ------------------------------------------------------------------------------- PluginEngine

  get #path(): Accesses {
    assert(this.#machine !== undefined, 'a hook runs on a path');
    return this.#machine;
  }

  get #state(): PluginState {
    const { plugins } = this.#path.state;
    assert(plugins !== undefined, 'every path has what its plug-ins remember');
    return plugins;
  }

  here(): Place {
    return occurrenceAt(this.#path.trace());
  }

  bytes(address: number, length: number): Uint8Array | undefined {
    const object = this.#path.state.memory.find(address);
    const end = address + length - (object?.info.base ?? 0);
    if (object === undefined || object.life !== 'live' || end > object.info.bytes) return undefined;
    return bytesAt(this.#path, address, length);
  }

  text(address: number): string | undefined {
    return this.bytes(address, 1) && textAt(this.#path, address);
  }

  shadow(number: number): Shadow {
    const kind = this.#kinds[number]!;
    return this.#state.shadow(number, cellBytes(kind), kind.bits);
  }

  state(plugin: number): unknown {
    return this.#state.state(plugin);
  }

  report(facts: PluginFacts, at: Place | undefined): void {
    this.#path.end({ kind: 'finding', finding: describe(facts, at ?? this.here()) });
  }

  depth(): number {
    return this.#path.state.frame.depth;
  }
}

function numberOf(machine: Accesses, value: Scalar, kind: ValueKind, isStored: boolean): number {
  if (kind === 'none' || Array.isArray(value) || (isStored && typeof value === 'object')) return Number.NaN;
  const what = 'a symbolic value that a plug-in receives';
  if (kind === 'float') return machine.float(typeof value === 'object' ? value.width : 64, value);
  const known = machine.fewValues(value, what);
  if (kind === 'pointer' || kind.startsWith('u')) return Number(known);
  return Number(BigInt.asIntN(Number(kind.slice(1)), BigInt(known)));
}
