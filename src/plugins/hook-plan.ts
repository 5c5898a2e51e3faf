/**
 * Validates plug-ins and converts them to plain data: the hooks that must be compiled into the
 * program.
 *
 * A plan does not contain the hooks that the engines call by themselves (start, end, allocations):
 * a program that only has such plug-ins is identical, byte for byte, to one without any.
 */
import { type Diagnostic, InputError } from '../findings/diagnostic.js';
import { closestTo } from '../support/closest.js';
import { plural } from '../support/plural.js';
import type { Condition, NamePattern, Plugin, Setting, ShadowKind } from './plugin.js';

/**
 * The specifiers of the built-in plug-ins (`built-in.ts`), indexed by their names in `--checks`.
 * Their codes are Redzone's own.
 */
export const builtInPlugins: Readonly<Record<BuiltInCheck, string>> = {
  aliasing: 'redzone:strict-aliasing',
  restrict: 'redzone:restrict-violation',
};
export type BuiltInCheck = 'aliasing' | 'restrict';
export const builtInChecks: readonly BuiltInCheck[] = ['aliasing', 'restrict'];

/** A module and its default export. */
export interface LoadedPlugin {
  /** The specifier that the user gave. */
  readonly specifier: string;
  readonly plugin: Plugin<unknown, string>;
}

/** A name pattern as data: an exact name, or a regular expression with its flags. */
export type NameTest = string | { readonly source: string; readonly flags: string };

export interface AccessRule {
  readonly plugin: number;
  /** The index among the hooks of that kind. */
  readonly hook: number;
  readonly when?: { readonly shadow: number } & ConditionTest;
  readonly set?: { readonly shadow: number; readonly to: number };
  readonly runs: boolean;
  readonly sources: boolean;
}

export type ConditionTest = DistributiveOmit<Condition, 'shadow'>;
type DistributiveOmit<T, Key extends string> = T extends unknown ? Omit<T, Key> : never;

export interface NameRule {
  readonly plugin: number;
  readonly hook: number;
  readonly names: readonly NameTest[];
  /** Only functions with a parameter that is declared `restrict`. */
  readonly restrict?: true;
}

/** The hooks that are compiled into a program. Shadows are numbered across all plug-ins. */
export interface HookPlan {
  readonly shadows: readonly ShadowKind[];
  readonly load: readonly AccessRule[];
  readonly store: readonly AccessRule[];
  readonly enter: readonly NameRule[];
  readonly return: readonly NameRule[];
  readonly before: readonly NameRule[];
  readonly after: readonly NameRule[];
  /** Indices of plug-ins. */
  readonly branch: readonly number[];
  readonly arithmetic: readonly number[];
}

const hookNames = [
  ...['start', 'end', 'enter', 'return', 'call', 'load', 'store', 'allocate', 'free', 'branch', 'arithmetic'],
] as const;
const named = ['enter', 'return', 'call'];
const accesses = ['load', 'store'];
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  plugin: ['name', 'shadow', 'state', 'hooks'],
  enter: ['functions', 'restrict', 'run'],
  return: ['functions', 'restrict', 'run'],
  call: ['functions', 'before', 'after'],
  load: ['when', 'set', 'run'],
  store: ['when', 'set', 'run', 'sources'],
};
const tests = ['has', 'lacks', 'is', 'isNot'];

/** The largest number of shadows of all plug-ins together. */
export const mostShadows = 16;

/**
 * Undefined if nothing must be compiled in. Throws InputError for a module that is not a plug-in.
 */
export function planOf(plugins: readonly LoadedPlugin[]): HookPlan | undefined {
  plugins.forEach(requirePlugin);
  plugins.forEach(({ specifier, plugin }, i) => {
    if (plugins.findIndex(other => other.plugin.name === plugin.name) !== i)
      throw wrong(specifier, `there is another plug-in of the name \`${plugin.name}\``);
  });
  const shadows = plugins.flatMap(({ plugin }) => Object.values<ShadowKind>(plugin.shadow ?? {}));
  if (shadows.length > mostShadows)
    throw wrong(plugins[0]!.specifier, `plug-ins can have ${mostShadows} shadows in all`);
  const plan: HookPlan = {
    shadows,
    load: accessRules(plugins, 'load'),
    store: accessRules(plugins, 'store'),
    enter: nameRules(plugins, 'enter', 'run'),
    return: nameRules(plugins, 'return', 'run'),
    before: nameRules(plugins, 'call', 'before'),
    after: nameRules(plugins, 'call', 'after'),
    branch: plugins.flatMap(({ plugin }, i) => (plugin.hooks.branch === undefined ? [] : [i])),
    arithmetic: plugins.flatMap(({ plugin }, i) => (plugin.hooks.arithmetic === undefined ? [] : [i])),
  };
  const { shadows: _, ...compiled } = plan;
  return Object.values(compiled).every(({ length }) => length === 0) ? undefined : plan;
}

/**
 * The shadows whose cells decide whether a load or a store has an effect on plug-ins. Undefined if
 * one has an effect where all cells are 0.
 */
export function decidingShadows({ load, store }: HookPlan): ReadonlySet<number> | undefined {
  const shadows = new Set<number>();
  for (const { when } of [...load, ...store]) {
    if (when === undefined || holdsForZeros(when)) return undefined;
    shadows.add(when.shadow);
  }
  return shadows;
}

/** Whether a condition may hold where all cells are 0. */
export function holdsForZeros(test: ConditionTest): boolean {
  return 'lacks' in test || 'isNot' in test || ('is' in test && test.is === 0);
}

/** The number of the first shadow of a plug-in. */
export function firstShadow(plugins: readonly LoadedPlugin[], plugin: number): number {
  return plugins
    .slice(0, plugin)
    .reduce((sum, { plugin: { shadow = {} } }) => sum + Object.keys(shadow).length, 0);
}

export function several<T>(given: T | readonly T[] | undefined): readonly T[] {
  if (given === undefined) return [];
  return Array.isArray(given) ? (given as readonly T[]) : [given as T];
}

function accessRules(plugins: readonly LoadedPlugin[], kind: 'load' | 'store'): AccessRule[] {
  return plugins.flatMap(({ plugin: { hooks, shadow = {} } }, plugin) => {
    const first = firstShadow(plugins, plugin);
    const number = (name: string): number => first + Object.keys(shadow).indexOf(name);
    return several<unknown>(hooks[kind]).map((given, hook): AccessRule => {
      if (typeof given === 'function') return { plugin, hook, runs: true, sources: false };
      const { when, set, run, sources } = given as {
        when?: Condition;
        set?: Setting;
        run?: unknown;
        sources?: boolean;
      };
      return {
        ...{ plugin, hook, runs: run !== undefined, sources: sources === true },
        ...(when && { when: { ...when, shadow: number(when.shadow) } }),
        ...(set && { set: { to: set.to, shadow: number(set.shadow) } }),
      };
    });
  });
}

function nameRules(
  plugins: readonly LoadedPlugin[],
  kind: 'enter' | 'return' | 'call',
  function_: 'run' | 'before' | 'after',
): NameRule[] {
  return plugins.flatMap(({ plugin: { hooks } }, plugin) =>
    several<unknown>(hooks[kind]).flatMap((given, hook): NameRule[] => {
      const each = given as { functions: NamePattern } & Record<string, unknown>;
      if (each[function_] === undefined) return [];
      const restrict = each.restrict === true && { restrict: true as const };
      return [{ plugin, hook, names: namesIn(each.functions), ...restrict }];
    }),
  );
}

function namesIn(pattern: NamePattern): NameTest[] {
  return several<string | RegExp>(pattern).map(each =>
    typeof each === 'string' ? each : { source: each.source, flags: each.flags },
  );
}

export function matches(names: readonly NameTest[], name: string): boolean {
  return names.some(test =>
    typeof test === 'string' ? test === name : new RegExp(test.source, test.flags).test(name),
  );
}

// -------------------------------------------------------------------------------------- validation

function wrong(specifier: string, message: string, help?: string): InputError {
  const diagnostic: Diagnostic = {
    severity: 'error',
    message: `'${specifier}' is not a plug-in: ${message}`,
    ...(help !== undefined && { help }),
  };
  return new InputError(diagnostic);
}

/**
 * Throws InputError unless the value is a valid plug-in, because plug-ins in JavaScript have not
 * been type-checked.
 */
function requirePlugin({ specifier, plugin: given }: LoadedPlugin): void {
  const fail: Fail = (message, help) => {
    throw wrong(specifier, message, help);
  };
  const plugin: unknown = given;
  if (!isRecord(plugin))
    fail('its default export is not an object', 'write `export default definePlugin({ … })`');
  requireFields(plugin, fieldsOf.plugin!, 'a plug-in', fail);
  const { name, shadow = {}, state, hooks } = plugin;
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]*$/.test(name))
    fail('its `name` must be lower-case letters, digits and hyphens');
  if (state !== undefined && typeof state !== 'function')
    fail('`state` must be a function that returns what a run begins with');
  if (!isRecord(shadow)) fail('`shadow` must be an object');
  for (const [key, kind] of Object.entries(shadow)) requireShadow(key, kind, fail);
  if (!isRecord(hooks)) fail('it has no `hooks`');
  requireFields(hooks, hookNames, '`hooks`', fail);
  const bitsOf = new Map(Object.entries(shadow).map(([key, kind]) => [key, (kind as ShadowKind).bits]));
  for (const [kind, hook] of Object.entries(hooks)) {
    if (hook === undefined) continue;
    const isShared = named.includes(kind) || accesses.includes(kind);
    for (const each of isShared ? several<unknown>(hook) : [hook]) requireHook(kind, each, bitsOf, fail);
  }
}

type Fail = (message: string, help?: string) => never;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function requireFields(given: object, known: readonly string[], of: string, fail: Fail): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const near = closestTo(name, known);
    fail(
      `${of} has no \`${name}\``,
      near === undefined ? `it has ${known.join(', ')}` : `did you mean \`${near}\`?`,
    );
  }
}

function requireShadow(name: string, kind: unknown, fail: Fail): void {
  const { per, bits } = isRecord(kind) ? kind : {};
  if ((per !== 'byte' && per !== 'granule') || ![1, 2, 4, 8, 16, 32].includes(bits as number))
    fail(`the shadow \`${name}\` must be { per: 'byte' or 'granule', bits: 1, 2, 4, 8, 16 or 32 }`);
}

/** `shadows` has the number of bits of a cell. */
function requireHook(kind: string, hook: unknown, shadows: ReadonlyMap<unknown, number>, fail: Fail): void {
  if (typeof hook === 'function' && !named.includes(kind)) return;
  if (!isRecord(hook) || fieldsOf[kind] === undefined)
    fail(`the hook \`${kind}\` must be ${named.includes(kind) ? 'an object' : 'a function'}`);
  requireFields(hook, fieldsOf[kind], `the hook \`${kind}\``, fail);
  for (const field of ['run', 'before', 'after'])
    if (hook[field] !== undefined && typeof hook[field] !== 'function')
      fail(`\`${field}\` of the hook \`${kind}\` must be a function`);
  if (named.includes(kind)) {
    const patterns = several<unknown>(hook.functions as unknown);
    const isPattern = (each: unknown): boolean => typeof each === 'string' || each instanceof RegExp;
    if (patterns.length === 0 || !patterns.every(isPattern))
      fail(`\`functions\` of the hook \`${kind}\` must be names or regular expressions`);
    if (['run', 'before', 'after'].every(field => hook[field] === undefined))
      fail(`the hook \`${kind}\` has nothing to run`);
    return;
  }
  for (const field of ['when', 'set']) requireUse(kind, field, hook[field], shadows, fail);
  if (hook.run === undefined && hook.set === undefined) fail(`the hook \`${kind}\` has nothing to do`);
}

function requireUse(
  kind: string,
  field: string,
  use: unknown,
  shadows: ReadonlyMap<unknown, number>,
  fail: Fail,
): void {
  if (use === undefined) return;
  const where = `\`${field}\` of the hook \`${kind}\``;
  if (!isRecord(use)) fail(`${where} must be an object`);
  const expected = field === 'when' ? tests : ['to'];
  requireFields(use, ['shadow', ...expected], where, fail);
  const bits = shadows.get(use.shadow);
  if (bits === undefined)
    fail(`${where} names the shadow \`${String(use.shadow)}\`, which the plug-in does not have`);
  const given = expected.filter(name => use[name] !== undefined);
  if (given.length !== 1 || !Number.isInteger(use[given[0]!]))
    fail(`${where} must have one of ${expected.join(', ')}, an integer`);
  const value = use[given[0]!] as number;
  // A mask may have more bits than a cell, as -1 has; a value may not.
  const isMask = given[0] === 'has' || given[0] === 'lacks';
  const cell = BigInt.asUintN(bits, BigInt(value));
  if (isMask ? cell === 0n : cell !== BigInt.asUintN(32, BigInt(value)))
    fail(`${where} has ${value}, which no cell of ${plural(bits, 'bit')} can have`);
}
