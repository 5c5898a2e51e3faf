/**
 * What is done once for a function of a module, although each program of the module decodes it
 * anew: a worker explores many tasks with one module.
 *
 *     module ──Program, of one task──▶ f: passes, decoded ──Program, of the next task──▶ f: decoded
 *
 * The passes change the function. So what has to be known of it as clang wrote it is kept: its
 * lines and its fingerprint.
 *
 * **Invariant:** a program is the same whether earlier ones have prepared its functions or not.
 * Passes may declare intrinsics in the module, which would get addresses in the next program;
 * therefore a program consists of the functions that the module had for the first one.
 */
import type { Print } from '../../expr/term-print.js';
import type { Block, IrFunction, Module } from '../../ir/model.js';

export interface PreparedFunction {
  readonly lines: ReadonlyMap<Block, readonly number[]> | undefined;
  /** Undefined if fingerprints were not recorded. */
  readonly print: Print | undefined;
}

const functions = new WeakMap<Module, readonly IrFunction[]>();
const prepared = new WeakMap<IrFunction, PreparedFunction>();

/** The functions that the module had before any was prepared. */
export function functionsOf(module: Module): readonly IrFunction[] {
  const first = functions.get(module) ?? [...module.functions];
  functions.set(module, first);
  return first;
}

export function preparedFunction(target: IrFunction): PreparedFunction | undefined {
  return prepared.get(target);
}

export function keepPrepared(target: IrFunction, known: PreparedFunction): void {
  prepared.set(target, known);
}
