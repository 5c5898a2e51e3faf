/**
 * Instruments a module: turns the IR that clang wrote into a program that checks itself.
 *
 * ```
 *   module ──▶ globals.ts    definitions to a module of their own, references with numbers
 *          ──▶ function.ts   for each function: locals, accesses, calls
 *          ──▶ { code, data, sites }, compiled to two objects by clang -O2, or to more if the code is divided (parts.ts)
 * ```
 *
 * Raw functions (`raw-functions.ts`) are not changed.
 */
import { attribute } from '../../ir/attributes.js';
import { DataLayout } from '../../ir/data-layout.js';
import { functionLocation, stackOf, variablesOf } from '../../ir/debug.js';
import type { Argument, Instruction, IrFunction, Module, Value } from '../../ir/model.js';
import { signatureOf } from '../../ir/signatures.js';
import type { FunctionType } from '../../ir/types.js';
import { readByValueArguments } from '../../passes/by-value-arguments.js';
import { foldConstantBranches } from '../../passes/constant-branches.js';
import { removeUnreachableBlocks } from '../../passes/dead-code.js';
import { makeLocalsIntegers } from '../../passes/integer-locals.js';
import { markLiteralScopes } from '../../passes/literal-scopes.js';
import { promoteLocals } from '../../passes/mem2reg.js';
import { numberBlockAddresses } from '../../passes/number-block-addresses.js';
import { placeReturns } from '../../passes/returned-values.js';
import { splitCleanups } from '../../passes/split-cleanups.js';
import { isDivisible, splitModule } from '../../passes/split-module.js';
import { splitStructs } from '../../passes/split-structs.js';
import { calleesFirst, inlineStructCalls, isStructFunction } from '../../passes/struct-calls.js';
import { threadBranches } from '../../passes/thread-branches.js';
import { copyVariadicStructures } from '../../passes/variadic-copies.js';
import { accessElements } from '../../passes/vector-elements.js';
import type { HookSite } from '../../plugins/hook-points.js';
import { Members } from '../../plugins/member-names.js';
import type { ObjectSites } from '../sites.js';
import { askedAbout } from './asked.js';
import { returnsTwice } from './call-kinds.js';
import { CheckBuilder } from './checks.js';
import { type Context, FunctionInstrumenter } from './function.js';
import { Globals } from './globals.js';
import { makeHonest } from './honest-attributes.js';
import { assignmentsIn, followLabelsAlone } from './label-flow.js';
import { mayFreeIn, mayUnsettleIn } from './may-free.js';
import type { InstrumentOptions } from './options.js';
import { compareWithLimits } from './overflow-limits.js';
import { divide, idOfPart, sizeOf } from './parts.js';
import { subtractAddresses } from './pointer-differences.js';
import { isRaw } from './raw-functions.js';
import { Runtime } from './runtime.js';
import { declareAsCalled, numberFunctions } from './signature-numbers.js';
import { SiteTable } from './site-table.js';
import { expandSmallCopies } from './small-copies.js';
import { copyThreadLocals } from './thread-locals.js';
import type { WeaveContext } from './weave-hooks.js';

/** The largest function that clang may inline, in instructions including checks. */
const largestToMove = 100;

export interface InstrumentedModule {
  /** One module, or several if it is divided into parts. */
  readonly code: readonly Module[];
  readonly data: Module;
  /** The sites of each part of the code; the first one has the globals. */
  readonly sites: readonly ObjectSites[];
  /** The meaning of the hooks' indices. */
  readonly hooks: readonly HookSite[];
}

/** Changes the module in place. */
export function instrument(module: Module, options: InstrumentOptions): InstrumentedModule {
  const layout = new DataLayout(module.dataLayout);
  numberBlockAddresses(module);
  declareAsCalled(module, layout);
  const functions = numberFunctions(module, layout);
  const initialCopies = options.threads ? copyThreadLocals(module) : new Map();
  const globals = new Globals(module, layout, options.id);
  globals.separate();
  const assigned = new Map<Value, Instruction>();
  const readAtEntry = new Set<Argument>();
  const inlinable = new Set<IrFunction>();
  for (const target of calleesFirst(module))
    if (target.blocks.length > 0)
      prepareFunction(module, target, layout, options, { assigned, readAtEntry, inlinable });
  const defined = module.functions.filter(({ blocks }) => blocks.length > 0);
  const groups = isDivisible(module) ? divide(defined, options.largestPart ?? Infinity) : [defined];
  const mayFree = mayFreeIn(module);
  const runtime = new Runtime(module);
  const signatures = new Map(module.functions.map(target => [target, signatureOf(target, layout)]));
  const shared = {
    module,
    layout,
    options,
    globals,
    functions,
    emptyFunctions: new Map<FunctionType, IrFunction>(),
    signatureOf: (target: IrFunction) => signatures.get(target) ?? signatureOf(target, layout),
    checks: new CheckBuilder(module, options),
    initialCopies,
    mayUnsettle: options.init ? mayUnsettleIn(module, mayFree) : mayFree,
    isAskedAbout: askedAbout(module, layout, options),
    assigned,
    readAtEntry,
    hooks: hookContext(module, layout, options, runtime),
  };
  const declared = module.functions.filter(({ blocks }) => blocks.length === 0);
  const sites = groups.map((group, i) => {
    const id = i === 0 ? options.id : idOfPart(options.id, group[0]!);
    const table = new SiteTable();
    const context = { ...shared, sites: table, runtime };
    runtime.siteOwner = id;
    for (const target of group) instrumentFunction(context, target);
    return { id, sites: table.list, globals: i === 0 ? globals.sites : [] };
  });
  for (const target of [...defined, ...declared]) {
    makeHonest(target);
    stripDebugInfo(target);
  }
  module.namedMetadata.clear();
  globals.finish(sites, functions);
  const splitting = { suffix: `.${options.id}`, isShort: mayMove };
  const [first, ...others] = groups;
  const divided = [[...first!, ...shared.emptyFunctions.values()], ...others];
  const code = others.length > 0 ? splitModule(module, divided, splitting) : [module];
  return { code, data: globals.data, sites, hooks: shared.hooks?.table ?? [] };
}

interface Notes {
  /** Which store gives a value its name. */
  readonly assigned: Map<Value, Instruction>;
  readonly readAtEntry: Set<Argument>;
  /** Small functions that take or return structures. */
  readonly inlinable: Set<IrFunction>;
}

/** The passes before the checks. */
function prepareFunction(
  module: Module,
  target: IrFunction,
  layout: DataLayout,
  options: InstrumentOptions,
  { assigned, readAtEntry, inlinable }: Notes,
): void {
  placeReturns(target);
  if (options.optimise) splitCleanups(target);
  removeUnreachableBlocks(target);
  foldConstantBranches(target);
  subtractAddresses(target);
  if (!isRaw(target, options.isLibrary === true)) expandSmallCopies(module, target, layout);
  copyVariadicStructures(module, target, layout);
  markLiteralScopes(module, target);
  if (options.labels !== undefined && !options.labels.isLibrary)
    for (const [value, store] of assignmentsIn(target)) assigned.set(value, store);
  // What `longjmp` leaves in the locals of such a function is best taken from memory.
  const mayDivide = mayPromoteParts(options) && options.isLibrary !== true && !callsSetjmp(target);
  if (mayDivide) inlineStructCalls(module, target, layout, inlinable);
  if (mayPromoteParts(options)) {
    for (const argument of readByValueArguments(target, layout)) readAtEntry.add(argument);
    if (mayDivide) splitStructs(module, target, layout);
    makeLocalsIntegers(target, layout);
  }
  if (options.preAnalysis)
    promoteLocals(target, { promoteUninitialized: !options.init || options.annotationsOnly === true });
  // What is promoted above stays a value.
  accessElements(target, layout);
  if (options.optimise) threadBranches(target);
  if (mayDivide && isStructFunction(target, readAtEntry)) inlinable.add(target);
}

function callsSetjmp({ blocks }: IrFunction): boolean {
  return blocks.some(({ instructions }) => instructions.some(returnsTwice));
}

/**
 * Whether values may replace objects that have parts. An object may be raced for, and has labels,
 * cells of plug-ins, and a size on the stack. With `--keep-going`, an invalid structure is copied
 * only in part.
 */
function mayPromoteParts({ optimise, preAnalysis, keepGoing, ...others }: InstrumentOptions): boolean {
  const { threads, labels, hooks, watchesStack, annotationsOnly } = others;
  if (threads || labels !== undefined || hooks !== undefined || watchesStack || annotationsOnly) return false;
  return optimise && preAnalysis && !keepGoing;
}

function instrumentFunction(context: Context, target: IrFunction): void {
  const { optimise, isLibrary = false } = context.options;
  const variables = variablesOf(target);
  for (const block of target.blocks)
    block.instructions = block.instructions.filter(instruction => instruction.op !== 'debug-record');
  if (isRaw(target, isLibrary)) {
    if (!target.name.startsWith('__rz_raw_')) labelComputation(context, target);
    return;
  }
  new FunctionInstrumenter(context, target, variables).run();
  if (!optimise) return;
  compareWithLimits(target);
  keepApart(target);
}

/** The library's unchecked computations propagate labels as well. */
function labelComputation({ options, ...context }: Context, target: IrFunction): void {
  const { labels } = options;
  if (labels === undefined) return;
  const place = functionLocation(target) ?? { file: context.module.file, line: 0, column: 0 };
  const site = (at: Instruction) => context.runtime.site(context.sites.index(stackOf(at)[0] ?? place, false));
  followLabelsAlone(target, { ...context, labels, site, called: new Set() });
}

/** Plans the hooks of plug-ins, while the module still has its debug information. */
function hookContext(
  module: Module,
  layout: DataLayout,
  { hooks }: InstrumentOptions,
  runtime: Runtime,
): WeaveContext | undefined {
  if (hooks === undefined) return undefined;
  const { plan, isLibrary } = hooks;
  const asksForMembers = !isLibrary && [...plan.load, ...plan.store].some(({ runs }) => runs);
  const members = asksForMembers ? new Members(module, layout) : undefined;
  return { plan, isLibrary, module, layout, table: [], members, runtime };
}

/**
 * clang inlines a function with a single caller, however large it is, and then optimises it once
 * more. For large functions this gains little. The same holds for functions that are always
 * inlined: the match search of LZ4, inlined with its checks in twelve places, took clang 42 s.
 */
function keepApart(target: IrFunction): void {
  if (!mayMove(target))
    target.attributes = target.attributes.without('alwaysinline').with(attribute('noinline'));
}

function mayMove(target: IrFunction): boolean {
  return sizeOf(target) <= largestToMove;
}

/**
 * Removes debug locations, because sites have them and the optimiser would have to maintain them.
 */
function stripDebugInfo(target: IrFunction): void {
  target.metadata = undefined;
  for (const block of target.blocks)
    for (const instruction of block.instructions) instruction.debugLocation = undefined;
}
