/**
 * Instruments a module: from the IR of a program as clang wrote it to the same program that checks itself.
 *
 * ```
 *   module ──▶ globals.ts    definitions to a module of their own, references with numbers
 *          ──▶ function.ts   for each function: locals, accesses, calls
 *          ──▶ { code, data, sites }, compiled to two objects by clang -O2
 * ```
 *
 * Functions named `__rz_raw_*` are the C library's own range loops: they stay as they are.
 */
import { attribute } from '../../ir/attributes.js';
import { variablesOf } from '../../ir/debug.js';
import { DataLayout } from '../../ir/layout.js';
import type { IrFunction, Module } from '../../ir/model.js';
import { removeUnreachableBlocks } from '../../passes/dead-code.js';
import { markLiteralScopes } from '../../passes/literal-scopes.js';
import { promoteLocals } from '../../passes/mem2reg.js';
import { numberBlockAddresses } from '../../passes/number-block-addresses.js';
import { splitCleanups } from '../../passes/split-cleanups.js';
import { threadBranches } from '../../passes/thread-branches.js';
import { copyVariadicStructures } from '../../passes/variadic-copies.js';
import type { ObjectSites } from '../sites.js';
import { askedAbout } from './asked.js';
import { CheckBuilder } from './checks.js';
import { FunctionInstrumenter } from './function.js';
import { Globals } from './globals.js';
import { makeHonest } from './honest-attributes.js';
import { mayFreeIn, mayUnsettleIn } from './may-free.js';
import type { InstrumentOptions } from './options.js';
import { compareWithLimits } from './overflow-limits.js';
import { subtractAddresses } from './pointer-differences.js';
import { Runtime } from './runtime.js';
import { SiteTable } from './site-table.js';

/** In instructions, checks included: into its caller. */
const largestToMove = 100;

export interface InstrumentedModule {
  readonly code: Module;
  readonly data: Module;
  readonly sites: ObjectSites;
}

/** Changes the module in place: it becomes the code. */
export function instrument(module: Module, options: InstrumentOptions): InstrumentedModule {
  const layout = new DataLayout(module.dataLayout);
  numberBlockAddresses(module);
  const globals = new Globals(module, layout, options.id);
  globals.separate();
  for (const target of [...module.functions]) {
    if (target.blocks.length === 0) continue;
    if (options.optimise) splitCleanups(target);
    removeUnreachableBlocks(target);
    subtractAddresses(target);
    copyVariadicStructures(module, target, layout);
    markLiteralScopes(module, target);
    if (options.preAnalysis)
      promoteLocals(target, { promoteUninitialized: !options.init || options.annotationsOnly === true });
    if (options.optimise) threadBranches(target);
  }
  const sites = new SiteTable();
  const mayFree = mayFreeIn(module);
  const context = {
    module,
    layout,
    options,
    globals,
    sites,
    runtime: new Runtime(module, options.id),
    checks: new CheckBuilder(module, options),
    mayFree,
    mayUnsettle: options.init ? mayUnsettleIn(module, mayFree) : mayFree,
    isAskedAbout: askedAbout(module, layout, options),
  };
  for (const target of [...module.functions]) {
    const variables = variablesOf(target);
    for (const block of target.blocks)
      block.instructions = block.instructions.filter(instruction => instruction.op !== 'debug-record');
    if (target.blocks.length > 0 && !target.name.startsWith('__rz_raw_')) {
      new FunctionInstrumenter(context, target, variables).run();
      if (options.optimise) {
        compareWithLimits(target);
        keepApart(target);
      }
    }
    makeHonest(target);
    stripDebugInfo(target);
  }
  module.namedMetadata.clear();
  globals.finish(sites.list.length);
  return {
    code: module,
    data: globals.data,
    sites: { id: options.id, sites: sites.list, globals: globals.sites },
  };
}

/**
 * clang moves a function that is called from one place into its caller, however large it is, and then optimises it there once more. A
 * call costs little where so much is done.
 */
function keepApart(target: IrFunction): void {
  const size = target.blocks.reduce((sum, block) => sum + block.instructions.length, 0);
  if (size > largestToMove && !target.attributes.has('alwaysinline'))
    target.attributes = target.attributes.with(attribute('noinline'));
}

/** Locations live in the sites; the optimiser need not carry them. */
function stripDebugInfo(target: IrFunction): void {
  target.metadata = undefined;
  for (const block of target.blocks)
    for (const instruction of block.instructions) instruction.debugLocation = undefined;
}
