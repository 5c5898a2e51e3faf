/**
 * The functions of `runtime/monitor` and the constants that instrumented code refers to, declared
 * in a module when they are first needed.
 *
 * The slow paths of checks are declared to read memory and to write only what the program cannot
 * see. This is sound for the optimiser: they only change tag words from special to plain, and an
 * outdated special word merely takes the slow path again. So loads can be forwarded, and checks
 * merged, across them.
 */
import { type Attribute, AttributeSet, attribute } from '../../ir/attributes.js';
import { makeFunction, makeVariable } from '../../ir/builder.js';
import { integerConstant } from '../../ir/constants.js';
import type { Constant, GlobalVariable, IrFunction, Module } from '../../ir/model.js';
import { arrayType, type FunctionType, functionType, i8, i32, i64, ptr, voidType } from '../../ir/types.js';

const pure = [attribute('nounwind')];
const unseen = attribute('memory', 'read, inaccessiblemem: readwrite');
const question = [attribute('nounwind'), unseen];
const lookup = [attribute('nounwind'), attribute('willreturn'), attribute('memory', 'read')];
/** Functions with effects that other threads see: nothing is forwarded across them. */
const told = [attribute('nounwind'), attribute('cold'), attribute('noinline')];
const check = [attribute('nounwind'), attribute('cold'), attribute('noinline'), unseen];

/** Functions of labels that only compute: a call whose result is unused can be removed. */
const cold = [attribute('nounwind'), attribute('cold'), attribute('noinline')];
const asked = [...cold, attribute('willreturn'), attribute('memory', 'read')];
const computed = [...cold, attribute('willreturn'), attribute('memory', 'none')];

/** The prefix of the functions that clang's own checks call when they fail. */
export const handlerPrefix = '__ubsan_handle_';

export type RuntimeFunction =
  | '__rz_load_slow'
  | '__rz_load_strict'
  | '__rz_store_slow'
  | '__rz_load_bits'
  | '__rz_maybe_loaded'
  | '__rz_store_bits'
  | '__rz_read'
  | '__rz_read_bits'
  | '__rz_write'
  | '__rz_write_bits'
  | '__rz_use'
  | '__rz_settled_read'
  | '__rz_settled_write'
  | '__rz_shadow_read'
  | '__rz_shadow_write'
  | '__rz_window'
  | '__rz_first_window'
  | '__rz_unmarked'
  | '__rz_no_cells'
  | '__rz_set_cells'
  | '__rz_library_access'
  | '__rz_seldom'
  | '__rz_undefined_used'
  | '__rz_unboxed'
  | '__rz_range_read'
  | '__rz_range_write'
  | '__rz_range_copy'
  | '__rz_range_output'
  | '__rz_range_scan'
  | '__rz_range_is_accessible'
  | '__rz_range_is_written'
  | '__rz_range_takes_write'
  | '__rz_range_takes_copy'
  | '__rz_range_allowed'
  | '__rz_receive'
  | '__rz_local_begin'
  | '__rz_local_end'
  | '__rz_dynamic_bytes'
  | '__rz_overlap'
  | '__rz_call_slow'
  | '__rz_trap'
  | '__rz_lost_goto'
  | '__rz_mismatched_call'
  | '__rz_unsupported_assembly'
  | '__rz_variadic_begin'
  | '__rz_variadic_end'
  | '__rz_stack_cut'
  | '__rz_stack_abandon'
  | '__rz_over_depth'
  | '__rz_race_access'
  | '__rz_atomic'
  | '__rz_atomic_point'
  | '__rz_atomic_done'
  | '__rz_refuel'
  | '__rz_thread_local'
  | '__rz_label_load'
  | '__rz_label_store'
  | '__rz_label_copy'
  | '__rz_label_union'
  | '__rz_label_step'
  | '__rz_label_receive'
  | '__rz_label_new'
  | '__rz_label_mark'
  | '__rz_label_sanitize'
  | '__rz_label_sink'
  | '__rz_label_sink_bytes';

const signatures: Readonly<Record<RuntimeFunction, readonly [FunctionType, readonly Attribute[]]>> = {
  __rz_load_slow: [functionType(i64, [ptr, i32, i32]), check],
  __rz_load_strict: [functionType(voidType, [ptr, i32, i32]), check],
  __rz_store_slow: [functionType(ptr, [ptr, i32, i32]), check],
  __rz_load_bits: [functionType(i64, [ptr, i32, i32]), check],
  __rz_store_bits: [functionType(ptr, [ptr, i32, i32, i64]), check],
  __rz_read: [functionType(voidType, [ptr, i32, i32]), question],
  __rz_read_bits: [functionType(i64, [ptr, i32, i32]), question],
  __rz_write: [functionType(ptr, [ptr, i32, i32]), question],
  __rz_write_bits: [functionType(ptr, [ptr, i32, i32, i64]), question],
  __rz_use: [functionType(voidType, [i64, i32, i32, ptr, i32]), question],
  __rz_settled_read: [functionType(i32, [ptr, i32]), check],
  __rz_settled_write: [functionType(i32, [ptr, i32]), check],
  __rz_shadow_read: [functionType(voidType, [ptr, i32, i32]), check],
  __rz_shadow_write: [functionType(ptr, [ptr, i32, i32]), check],
  __rz_window: [functionType(i64, [ptr, i32, i32]), check],
  __rz_first_window: [functionType(i64, [ptr, i32, i32]), question],
  __rz_unmarked: [functionType(i32, [ptr, i32]), question],
  __rz_no_cells: [functionType(i32, [ptr, i64]), question],
  __rz_set_cells: [functionType(i32, [ptr, i64, i32, i32, i32]), question],
  __rz_library_access: [functionType(i32, [ptr, i64, i32]), question],
  __rz_seldom: [functionType(voidType, []), check],
  __rz_maybe_loaded: [functionType(voidType, [i32]), check],
  __rz_undefined_used: [functionType(voidType, [i32, i32, ptr, i32]), check],
  __rz_unboxed: [functionType(ptr, [ptr]), lookup],
  __rz_range_read: [functionType(voidType, [ptr, i64]), pure],
  __rz_range_write: [functionType(voidType, [ptr, i64]), pure],
  __rz_range_copy: [functionType(voidType, [ptr, ptr, i64, i32]), pure],
  __rz_range_output: [functionType(voidType, [ptr, i64]), pure],
  __rz_range_scan: [functionType(i64, [ptr, i64]), pure],
  __rz_range_is_accessible: [functionType(i32, [ptr, i64]), question],
  __rz_range_is_written: [functionType(i32, [ptr, i64]), question],
  __rz_range_takes_write: [functionType(i32, [ptr, i64]), question],
  __rz_range_takes_copy: [functionType(i32, [ptr, ptr, i64, i32]), question],
  __rz_range_allowed: [functionType(i64, [ptr, i64]), pure],
  __rz_receive: [functionType(voidType, [ptr, ptr, i64]), pure],
  __rz_local_begin: [functionType(ptr, [ptr, i64, i32]), pure],
  __rz_dynamic_bytes: [functionType(i64, [i64, i32]), pure],
  __rz_local_end: [functionType(voidType, [ptr, i64]), pure],
  __rz_overlap: [functionType(voidType, [i32, i32, i32, i32]), check],
  __rz_call_slow: [functionType(i32, [ptr, i32, i32]), check],
  __rz_trap: [functionType(voidType, [i32]), pure],
  __rz_lost_goto: [functionType(voidType, [i32]), pure],
  __rz_mismatched_call: [functionType(voidType, [i32]), pure],
  __rz_unsupported_assembly: [functionType(voidType, [i32]), pure],
  __rz_variadic_begin: [functionType(ptr, [ptr, ptr, i32, i32]), pure],
  __rz_variadic_end: [functionType(voidType, [ptr, i32]), pure],
  __rz_stack_cut: [functionType(voidType, [ptr, ptr]), pure],
  __rz_stack_abandon: [functionType(voidType, [ptr]), pure],
  __rz_over_depth: [functionType(voidType, [i32]), check],
  __rz_race_access: [functionType(voidType, [ptr, i32, i32]), told],
  __rz_atomic: [functionType(voidType, [ptr, i32, i32, i32, i32]), pure],
  __rz_atomic_point: [functionType(voidType, [i32]), pure],
  __rz_atomic_done: [functionType(voidType, [ptr, i32, i32, i32, i32]), pure],
  __rz_refuel: [functionType(voidType, [i32]), pure],
  __rz_thread_local: [functionType(ptr, [ptr, ptr, i64]), pure],
  __rz_label_load: [functionType(i32, [ptr, i64]), asked],
  __rz_label_store: [functionType(voidType, [ptr, i64, i32, i32]), cold],
  __rz_label_copy: [functionType(voidType, [ptr, ptr, i64, i32]), pure],
  __rz_label_union: [functionType(i32, [i32, i32]), computed],
  __rz_label_step: [functionType(i32, [i32, i32]), computed],
  __rz_label_receive: [functionType(voidType, [ptr, i32]), pure],
  __rz_label_new: [functionType(i32, [i32]), pure],
  __rz_label_mark: [functionType(voidType, [ptr, i64, i32]), pure],
  __rz_label_sanitize: [functionType(voidType, [ptr, i64]), pure],
  __rz_label_sink: [functionType(voidType, [i32, i32, i32]), check],
  __rz_label_sink_bytes: [functionType(voidType, [ptr, i64, i32, i32]), question],
};

/** Whether the function is called only when a check fails, one of ours or of clang's. */
export function isSlowPath(name: string): boolean {
  if (name.startsWith(handlerPrefix)) return true;
  const attributes = Object.hasOwn(signatures, name) ? signatures[name as RuntimeFunction][1] : [];
  return [check, told, cold, asked, computed].includes(attributes as Attribute[]);
}

export class Runtime {
  readonly #functions = new Map<string, IrFunction>();
  readonly #variables = new Map<string, GlobalVariable>();

  /** The id of the part that is being instrumented, to which the indices of `site` belong. */
  siteOwner = '';

  constructor(private readonly module: Module) {}

  function(name: RuntimeFunction): IrFunction {
    const known = this.#functions.get(name) ?? this.module.functions.find(made => made.name === name);
    if (known !== undefined) return known;
    const [type, attributes] = signatures[name];
    const made = makeFunction(name, type);
    made.attributes = AttributeSet.of(...attributes);
    this.#functions.set(name, made);
    this.module.functions.push(made);
    return made;
  }

  /** The cell with the top of the call stack, an i32. */
  get depth(): GlobalVariable {
    return this.#variable('__rz_depth');
  }

  /** The cell with the limit of the call stack, an i32. */
  get depthLimit(): GlobalVariable {
    return this.#variable('__rz_depth_limit');
  }

  /** The signature number of each entry of the function table, or 0; i32s. */
  get signatures(): GlobalVariable {
    return this.#variable('__rz_signatures');
  }

  /** The cell through which a call passes the size of its variadic arguments, an i32. */
  get variadicBytes(): GlobalVariable {
    return this.#variable('__rz_variadic_bytes');
  }

  /**
   * The cell with the first shadow word of the current time slice, and the counter of loop
   * iterations.
   */
  get slice(): GlobalVariable {
    return this.#variable('__rz_slice');
  }

  get fuel(): GlobalVariable {
    return this.#variable('__rz_fuel');
  }

  /** The undefined bits of one-member structs that a call passes and returns, i64s. */
  get undefinedArguments(): GlobalVariable {
    return this.#variable('__rz_undefined_arguments');
  }

  get undefinedResult(): GlobalVariable {
    return this.#variable('__rz_undefined_result');
  }

  /** Where these bits were loaded from, pointers or null. */
  get undefinedArgumentOrigins(): GlobalVariable {
    return this.#variable('__rz_undefined_argument_origins');
  }

  get undefinedResultOrigin(): GlobalVariable {
    return this.#variable('__rz_undefined_result_origin');
  }

  /** Where a value was loaded from that is about to be stored with undefined bits. */
  get undefinedOrigin(): GlobalVariable {
    return this.#variable('__rz_undefined_origin');
  }

  get undefinedOriginBytes(): GlobalVariable {
    return this.#variable('__rz_undefined_origin_bytes');
  }

  /** The labels of the arguments and the result of a call, i32s: `runtime/monitor/labels.c`. */
  get labelArguments(): GlobalVariable {
    return this.#variable('__rz_label_arguments');
  }

  get labelResult(): GlobalVariable {
    return this.#variable('__rz_label_result');
  }

  get labelVariadic(): GlobalVariable {
    return this.#variable('__rz_label_variadic');
  }

  /** A site as the i32 that reports receive: sites are the addresses of an array. */
  site(index: number): Constant {
    const sites = this.#variable(sitesName(this.siteOwner));
    const address = constantExpression('ptrtoint', i64, [offsetBy(sites, BigInt(index))]);
    return constantExpression('trunc', i32, [address]);
  }

  #variable(name: string): GlobalVariable {
    let variable = this.#variables.get(name);
    if (variable === undefined) {
      variable = makeVariable(name, i8);
      this.#variables.set(name, variable);
      this.module.variables.push(variable);
    }
    return variable;
  }
}

function sitesName(id: string): string {
  return `__rz_sites.${id}`;
}

export function sitesDefinition(id: string, count: number): GlobalVariable {
  const type = arrayType(i8, count);
  return makeVariable(sitesName(id), type, { kind: 'zero', type });
}

function constantExpression(op: 'ptrtoint' | 'trunc', type: typeof i64, operands: Constant[]): Constant {
  return { kind: 'expression', op, type, operands, flags: 0, sourceType: undefined, inRange: undefined };
}

/** `base + bytes` as a constant: the reference to a numbered global, or to a site. */
export function offsetBy(base: Constant, bytes: bigint): Constant {
  if (bytes === 0n) return base;
  return {
    kind: 'expression',
    op: 'getelementptr',
    type: ptr,
    operands: [base, integerConstant(i64, bytes)],
    flags: 0,
    sourceType: i8,
    inRange: undefined,
  };
}
