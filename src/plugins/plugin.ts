/**
 * The interface of plug-ins. A plug-in is a user-defined sanitizer: a module whose default export
 * is a `Plugin`.
 *
 *     import { definePlugin } from 'redzone';
 *     export default definePlugin({
 *       name: 'frozen',
 *       shadow: { frozen: { per: 'byte', bits: 8 } },
 *       hooks: {
 *         call: { functions: 'freeze', before: ({ arguments: [at, n] }, { shadow }) => shadow('frozen').set(at, n, 1) },
 *         store: { when: { shadow: 'frozen', has: 1 }, run: (_, { report }) => report('written', 'a frozen byte is written') },
 *       },
 *     });
 *
 * `definePlugin` only returns its argument; through it, TypeScript infers the names of shadows and
 * the type of the state in the hooks. Both engines run the same plug-in: `check` in instrumented
 * code, `explore` on every path. Guide: `docs/plugins.md`.
 *
 * **Invariant:** a plug-in keeps all data of a run in `state` and in its shadows, which the engine
 * stores and forks. Variables of the module are shared by all paths of an exploration.
 */
import type { Occurrence } from '../findings/facts.js';

/** A location of the program: data that can be stored in the state and passed to `report` later. */
export type Place = Occurrence;

/** An exact name, a regular expression, or several of them. */
export type NamePattern = string | RegExp | readonly (string | RegExp)[];

/** An integer of some bits for each byte of the program's memory, or for each 8 bytes. */
export interface ShadowKind {
  readonly per: 'byte' | 'granule';
  readonly bits: 1 | 2 | 4 | 8 | 16 | 32;
}

/**
 * A condition on the cells of an access, compiled into the program: a cell has a bit of the mask,
 * lacks one, equals a value, or differs from it.
 */
export type Condition<Name extends string = string> = { readonly shadow: Name } & (
  | { readonly has: number }
  | { readonly lacks: number }
  | { readonly is: number }
  | { readonly isNot: number }
);

/** Sets all cells of an access to this value. */
export interface Setting<Name extends string = string> {
  readonly shadow: Name;
  readonly to: number;
}

/** Cells that were never set are 0. */
export interface Shadow {
  get(address: number): number;
  /** Sets the cells of a range. */
  set(address: number, bytes: number, value: number): void;
}

export interface PluginNote {
  readonly message: string;
  readonly at?: Place;
}

/** The functions that a hook can call in addition to reading its event. */
export interface HookContext<State = unknown, Name extends string = string> {
  readonly engine: 'check' | 'explore';
  /** The state of this run or path, initialized by the plug-in's `state`. */
  readonly state: State;
  readonly shadow: (name: Name) => Shadow;
  /**
   * Reports a finding `PLUGIN/code`, at the current location unless another is given. Without
   * `--keep-going` it ends the run; under `explore` it ends the path.
   */
  readonly report: (
    code: string,
    message: string,
    notes?: readonly (string | PluginNote)[],
    at?: Place,
  ) => void;
  /** The current location, with the stack. */
  readonly here: () => Place;
  /** Bytes of the program's memory. */
  readonly bytes: (address: number, length: number) => Uint8Array;
  /** A text that ends with a zero byte. */
  readonly text: (address: number) => string;
}

/** A member of a struct, by its name in the source. */
export interface MemberName {
  readonly struct: string;
  readonly member: string;
}

/**
 * The arguments of the call: integers (signed, rounded beyond 2^53), pointers as addresses,
 * floating-point values; values wider than 64 bits and structs are NaN.
 */
export type Arguments = readonly [number, number, number, number, number, number, ...number[]];

export interface FunctionEvent {
  readonly function: string;
  readonly arguments: Arguments;
}

export interface ReturnEvent {
  readonly function: string;
  /** Undefined for `void`. */
  readonly result: number | undefined;
}

export interface CallReturnEvent extends FunctionEvent {
  /** Undefined for `void`. */
  readonly result: number | undefined;
}

export interface AccessEvent {
  readonly address: number;
  readonly bytes: number;
  /** The member, if the access names one. */
  readonly member: MemberName | undefined;
  /**
   * The type by which optimisers distinguish accesses: `int`, `double`, `pointer`, …; `char` may
   * alias any type. Undefined for ranges.
   */
  readonly type: string | undefined;
  /**
   * In a function with variables that are declared `restrict`, what the address is computed from.
   * Undefined in other functions, and where it is not known.
   */
  readonly basis: Basis | undefined;
}

export interface Basis {
  readonly function: string;
  /**
   * The variable that is declared `restrict`: a parameter, or with `--checks +restrict` a local of
   * the whole function. Undefined if the address is based on none.
   */
  readonly parameter: string | undefined;
}

export interface StoreEvent extends AccessEvent {
  /** Undefined for ranges, and for values that are symbolic or wider than 64 bits. */
  readonly value: number | undefined;
  /** With `sources`: the loads whose values were copied, added or subtracted into this one. */
  readonly sources: readonly AccessEvent[];
}

export interface AllocationEvent {
  readonly address: number;
  readonly bytes: number;
}

export interface BranchEvent {
  /** 1 or 0 for a condition; the value of a `switch`. */
  readonly value: number;
  readonly isSwitch: boolean;
}

export interface ArithmeticEvent {
  /** The pointer, and the pointer that was computed from it. */
  readonly from: number;
  readonly to: number;
}

export interface EndEvent {
  readonly exit: number;
}

export type Hook<Event, State, Name extends string> = (
  event: Event,
  context: HookContext<State, Name>,
) => void;

/** Functions that the program defines. */
export interface FunctionHook<Event, State, Name extends string> {
  readonly functions: NamePattern;
  /** Only functions with such a variable. */
  readonly restrict?: true;
  readonly run: Hook<Event, State, Name>;
}

/** Functions of the program or of the library, at the program's calls. */
export interface CallHook<State, Name extends string> {
  readonly functions: NamePattern;
  readonly before?: Hook<FunctionEvent, State, Name>;
  readonly after?: Hook<CallReturnEvent, State, Name>;
}

/**
 * If the condition holds, or if there is none, `run` is called before the access and the cells are
 * set. A condition, and `set` without `run`, are compiled into the program.
 */
export interface AccessHook<Event, State, Name extends string> {
  readonly when?: Condition<Name>;
  readonly set?: Setting<Name>;
  readonly run?: Hook<Event, State, Name>;
}

export interface StoreHook<State, Name extends string> extends AccessHook<StoreEvent, State, Name> {
  readonly sources?: boolean;
}

/** One or several. */
export type Several<T> = T | readonly T[];

export interface Hooks<State = unknown, Name extends string = string> {
  /** Called before the program's first instruction. */
  readonly start?: (context: HookContext<State, Name>) => void;
  /** Called when the program has ended by itself. */
  readonly end?: Hook<EndEvent, State, Name>;
  readonly enter?: Several<FunctionHook<FunctionEvent, State, Name>>;
  readonly return?: Several<FunctionHook<ReturnEvent, State, Name>>;
  readonly call?: Several<CallHook<State, Name>>;
  readonly load?: Several<Hook<AccessEvent, State, Name> | AccessHook<AccessEvent, State, Name>>;
  readonly store?: Several<Hook<StoreEvent, State, Name> | StoreHook<State, Name>>;
  /** Called after a block was allocated, and before one is freed. `realloc` is both. */
  readonly allocate?: Hook<AllocationEvent, State, Name>;
  readonly free?: Hook<AllocationEvent, State, Name>;
  readonly branch?: Hook<BranchEvent, State, Name>;
  readonly arithmetic?: Hook<ArithmeticEvent, State, Name>;
}

export interface Plugin<State = unknown, Name extends string = string> {
  /** In lower case, with hyphens: the first part of the codes of its findings. */
  readonly name: string;
  readonly shadow?: { readonly [Key in Name]: ShadowKind };
  /** The initial state of a run or a path: plain data, which is cloned when paths fork. */
  readonly state?: () => State;
  readonly hooks: Hooks<NoInfer<State>, NoInfer<Name>>;
}

/** Returns the plug-in: see the top of this file. */
export function definePlugin<State = undefined, const Name extends string = never>(
  plugin: Plugin<State, Name>,
): Plugin<State, Name> {
  return plugin;
}
