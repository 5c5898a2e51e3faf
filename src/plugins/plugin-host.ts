/**
 * Calls the hooks of plug-ins for both engines: it makes the events, implements the functions of
 * the hooks' context, and distinguishes a defect of a plug-in from a finding and from an internal
 * error.
 *
 * A finding ends the run by an exception that passes through the hook that reported it. If the hook
 * catches the exception, it is thrown again.
 */
import { type FindingCode, isPluginCode } from '../findings/codes.js';
import { type Diagnostic, InputError } from '../findings/diagnostic.js';
import type { PluginFacts } from '../findings/facts.js';
import { isInLibrary } from '../findings/finding.js';
import { builtInPlugins, firstShadow, type HookPlan, type LoadedPlugin, several } from './hook-plan.js';
import type { HookSite } from './hook-points.js';
import type {
  AccessEvent,
  CallHook,
  FunctionHook,
  Hook,
  HookContext,
  Place,
  PluginNote,
  Shadow,
  ShadowKind,
} from './plugin.js';

/** The operations that an engine implements for plug-ins. */
export interface PluginEngine {
  readonly name: 'check' | 'explore';
  here(): Place;
  /** Undefined for addresses outside the program's memory. */
  bytes(address: number, length: number): Uint8Array | undefined;
  text(address: number): string | undefined;
  /** Indexed by its number. */
  shadow(number: number): Shadow;
  state(plugin: number): unknown;
  /** Throws if the finding ends the run. */
  report(facts: PluginFacts, at: Place | undefined): void;
  /** The depth of the program's call stack. */
  depth(): number;
}

/** A plug-in has failed. */
class PluginFailure extends InputError {
  constructor(readonly diagnostic: Diagnostic) {
    super(diagnostic);
  }
}

type AnyHook = Hook<never, unknown, string>;

/** A stack overflow at this depth is attributed to the program, not to the plug-in. */
const deepProgram = 1000;

/** The number of frames of the plug-in's own stack that are shown. */
const shownFrames = 3;

export class PluginHost {
  readonly #contexts: readonly HookContext[];
  /** By plug-in and number, as in the plan. */
  readonly #rules: Readonly<Record<'load' | 'store', HookPlan['load']>>;
  readonly #shadows: readonly ShadowKind[];
  /** The exception that ended the run. */
  #ending: { readonly thrown: unknown } | undefined;
  /** The hook that is running, for the message about a hook that does not return. */
  running: string | undefined;

  constructor(
    private readonly plugins: readonly LoadedPlugin[],
    plan: HookPlan | undefined,
    private readonly engine: PluginEngine,
  ) {
    this.#contexts = plugins.map((_, plugin) => this.#contextOf(plugin));
    this.#rules = { load: plan?.load ?? [], store: plan?.store ?? [] };
    this.#shadows = plan?.shadows ?? [];
  }

  /** The initial states of a run. */
  static statesOf(plugins: readonly LoadedPlugin[]): unknown[] {
    return plugins.map(({ specifier, plugin }) => {
      try {
        return plugin.state?.();
      } catch (error) {
        throw failure(plugin.name, specifier, 'state', error, undefined);
      }
    });
  }

  start(): void {
    this.plugins.forEach(({ plugin: { hooks } }, plugin) => {
      const { start } = hooks;
      if (start !== undefined) this.#run(plugin, 'start', (_, context) => start(context), undefined as never);
    });
  }

  end(exit: number): void {
    this.#all('end', { exit });
  }

  allocate(address: number, bytes: number): void {
    this.#all('allocate', { address, bytes });
  }

  free(address: number, bytes: number): void {
    this.#all('free', { address, bytes });
  }

  #all(kind: 'end' | 'allocate' | 'free', event: object): void {
    this.plugins.forEach(({ plugin: { hooks } }, plugin) => {
      if (hooks[kind] !== undefined) this.#run(plugin, kind, hooks[kind] as AnyHook, event as never);
    });
  }

  /**
   * Called when the program reaches a hook. `isAsked`: compiled code has evaluated the condition,
   * and it holds.
   */
  fire(site: HookSite, values: readonly number[], isAsked: boolean): void {
    const { plugin, hook, kind } = site;
    const { hooks } = this.plugins[plugin]!.plugin;
    switch (kind) {
      case 'load':
      case 'store': {
        const [address, second] = values as [number, number];
        this.#access(kind, plugin, hook, address, site.bytes ?? second, isAsked, () =>
          accessEvent(site, values),
        );
        break;
      }
      case 'enter':
      case 'return': {
        const { run } = several<FunctionHook<never, unknown, string>>(
          hooks[kind] as FunctionHook<never, unknown, string>,
        )[hook]!;
        const event =
          kind === 'enter'
            ? { function: site.function, arguments: values }
            : { function: site.function, result: values[0] };
        this.#run(plugin, kind, run, event as never);
        break;
      }
      case 'before':
      case 'after': {
        const found = several<CallHook<unknown, string>>(hooks.call)[hook]!;
        const event = {
          function: site.function,
          arguments: site.hasValue ? values.slice(0, -1) : values,
          ...(kind === 'after' && { result: site.hasValue ? values.at(-1) : undefined }),
        };
        this.#run(plugin, `call.${kind}`, found[kind] as AnyHook, event as never);
        break;
      }
      case 'branch':
        this.#run(
          plugin,
          kind,
          hooks.branch as AnyHook,
          {
            value: values[0],
            isSwitch: site.isSwitch === true,
          } as never,
        );
        break;
      case 'arithmetic':
        this.#run(plugin, kind, hooks.arithmetic as AnyHook, { from: values[0], to: values[1] } as never);
        break;
    }
  }

  /** Called when the library accesses a range. */
  library(kind: 'load' | 'store', address: number, bytes: number): void {
    if (bytes === 0) return;
    const event = (): AccessEvent & object => ({
      ...{ address, bytes, member: undefined, type: undefined, basis: undefined },
      ...(kind === 'store' && { value: undefined, sources: [] }),
    });
    for (const { plugin, hook } of this.#rules[kind])
      this.#access(kind, plugin, hook, address, bytes, false, event);
  }

  #access(
    kind: 'load' | 'store',
    plugin: number,
    hook: number,
    address: number,
    bytes: number,
    isAsked: boolean,
    event: () => object,
  ): void {
    const rule = this.#rules[kind].find(each => each.plugin === plugin && each.hook === hook)!;
    if (bytes === 0) return;
    if (!isAsked && rule.when !== undefined) {
      const shadow = this.engine.shadow(rule.when.shadow);
      if (!someCell(shadow, this.#shadows[rule.when.shadow]!, address, bytes, testOf(rule.when))) return;
    }
    if (rule.runs) {
      const given = several<unknown>(this.plugins[plugin]!.plugin.hooks[kind])[hook];
      const run = typeof given === 'function' ? given : (given as { run: unknown }).run;
      this.#run(plugin, kind, run as AnyHook, event() as never);
    }
    if (rule.set !== undefined) this.engine.shadow(rule.set.shadow).set(address, bytes, rule.set.to);
  }

  // ----------------------------------------------------------------------------------- one hook

  #run(plugin: number, name: string, hook: AnyHook, event: never): void {
    const { specifier, plugin: own } = this.plugins[plugin]!;
    const fail: (error: unknown) => never = error => {
      throw failure(own.name, specifier, name, error, this.engine.here());
    };
    this.#ending = undefined;
    this.running = `\`${name}\` of the plug-in \`${own.name}\``;
    let result: unknown;
    try {
      result = hook(event, this.#contexts[plugin]!);
    } catch (error) {
      const isPrograms = error instanceof RangeError && this.engine.depth() > deepProgram;
      if (this.#ending === undefined && !isPrograms) fail(error);
      if (this.#ending === undefined) throw error;
    }
    this.running = undefined;
    const ending = this.#ending as { readonly thrown: unknown } | undefined;
    this.#ending = undefined;
    if (ending !== undefined) throw ending.thrown;
    if (result instanceof Promise) {
      result.catch(() => undefined);
      fail('a hook must have done its work when it returns: it must not be async');
    }
  }

  #contextOf(plugin: number): HookContext {
    const { engine, plugins } = this;
    const { name, shadow: kinds = {} } = plugins[plugin]!.plugin;
    const isOwn = Object.values(builtInPlugins).includes(plugins[plugin]!.specifier);
    const names = Object.keys(kinds);
    const first = firstShadow(plugins, plugin);
    const memory = <T>(found: T | undefined, address: number): T => {
      if (found === undefined)
        throw new RangeError(`the program has no memory at 0x${address.toString(16)} that can be read so`);
      return found;
    };
    return {
      engine: engine.name,
      get state() {
        return engine.state(plugin);
      },
      shadow: key => {
        const index = names.indexOf(key);
        if (index < 0) throw new TypeError(`the plug-in has no shadow \`${key}\``);
        return engine.shadow(first + index);
      },
      report: (code, message, notes = [], at) => {
        const whole = isOwn ? (name as FindingCode) : (`${name}/${code}` as const);
        if (!isOwn && !isPluginCode(whole))
          throw new TypeError(`the code \`${code}\` must be lower-case letters, digits and hyphens`);
        const facts: PluginFacts = { kind: 'plugin', code: whole, message, notes: notes.map(noteOf) };
        try {
          engine.report(facts, at);
        } catch (thrown) {
          this.#ending = { thrown };
          throw thrown;
        }
      },
      here: () => engine.here(),
      bytes: (address, length) => memory(engine.bytes(address, length), address),
      text: address => memory(engine.text(address), address),
    };
  }
}

function noteOf(note: string | PluginNote) {
  if (typeof note === 'string') return { message: note };
  return { message: note.message, ...(note.at && { location: note.at.location }) };
}

function accessEvent(site: HookSite, values: readonly number[]): object {
  const { bytes, member, type, basis } = site;
  const [address] = values;
  if (bytes === undefined)
    return {
      ...{ address, bytes: values[1], member: undefined, type: undefined, basis },
      ...(site.kind === 'store' && { value: undefined, sources: [] }),
    };
  if (site.kind === 'load') return { address, bytes, member, type, basis };
  const first = site.hasValue ? 2 : 1;
  const value = site.hasValue && !Number.isNaN(values[1]) ? values[1] : undefined;
  const sources = (site.sources ?? []).map((source, i) => ({
    ...{ address: values[first + i], bytes: source.bytes, member: source.member, type: source.type },
    basis: undefined,
  }));
  return { address, bytes, member, type, basis, value, sources };
}

/** Describes a failure: the plug-in, the hook, the error, and the location of the program. */
function failure(
  name: string,
  specifier: string,
  hook: string,
  error: unknown,
  at: Place | undefined,
): PluginFailure {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const frames = error instanceof Error ? (error.stack ?? '').split('\n').slice(1) : [];
  const own = frames.filter(frame => !/dist\/bundle|\/src\/plugins\/|node:|wasm/.test(frame));
  return new PluginFailure({
    severity: 'error',
    message: `the plug-in \`${name}\` failed in its hook \`${hook}\`: ${what}`,
    ...(at !== undefined && at.location.line > 0 && !isInLibrary(at.location) && { location: at.location }),
    notes: own.slice(0, shownFrames).map(frame => ({ message: frame.trim() })),
    help: `this is a defect of the plug-in '${specifier}', not of the program`,
  });
}

// ---------------------------------------------------------------------------------------- cells

/** The number of bytes of the program per cell. */
export function cellBytes({ per }: ShadowKind): 1 | 8 {
  return per === 'byte' ? 1 : 8;
}

function testOf(when: NonNullable<HookPlan['load'][number]['when']>): (cell: number) => boolean {
  if ('has' in when) return cell => (cell & when.has) !== 0;
  if ('lacks' in when) return cell => (~cell & when.lacks) !== 0;
  if ('is' in when) return cell => cell === when.is >>> 0;
  return cell => cell !== when.isNot >>> 0;
}

function someCell(
  shadow: Shadow,
  kind: ShadowKind,
  address: number,
  bytes: number,
  test: (cell: number) => boolean,
): boolean {
  const step = cellBytes(kind);
  for (let at = address - (address % step); at < address + bytes; at += step)
    if (test(shadow.get(at))) return true;
  return false;
}
