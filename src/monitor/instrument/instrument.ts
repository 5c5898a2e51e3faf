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
import { returnsTwice } from '../../ir/called-functions.js';
import { DataLayout } from '../../ir/data-layout.js';
import { functionLocation, stackOf } from '../../ir/debug.js';
import type { Argument, CallInstruction, Instruction, IrFunction, Module, Value } from '../../ir/model.js';
import { signatureOf } from '../../ir/signatures.js';
import { keepBoxedPointers } from '../../passes/boxed-pointers.js';
import { readByValueArguments } from '../../passes/by-value-arguments.js';
import { foldConstantBranches } from '../../passes/constant-branches.js';
import { copyArguments, keepDivided } from '../../passes/copied-arguments.js';
import { describeLocals } from '../../passes/described-locals.js';
import {
  asInlined,
  calleesFirst,
  type InlinedFunction,
  inlineCalls,
  isInLocal,
} from '../../passes/inlined-functions.js';
import { makeLocalsIntegers } from '../../passes/integer-locals.js';
import { markLiteralScopes } from '../../passes/literal-scopes.js';
import { promoteLocals } from '../../passes/mem2reg.js';
import { markUndefined, passMembers } from '../../passes/member-arguments.js';
import { numberBlockAddresses } from '../../passes/number-block-addresses.js';
import { placeReturns } from '../../passes/returned-values.js';
import { splitCleanups } from '../../passes/split-cleanups.js';
import { exportStatics, isDivisible, splitModule } from '../../passes/split-module.js';
import { splitStructs } from '../../passes/split-structs.js';
import { threadBranches } from '../../passes/thread-branches.js';
import { removeUnreachableBlocks } from '../../passes/unreachable-blocks.js';
import { copyVariadicStructures } from '../../passes/variadic-copies.js';
import { makeListsValues } from '../../passes/variadic-lists.js';
import { accessElements } from '../../passes/vector-elements.js';
import type { HookSite } from '../../plugins/hook-points.js';
import { Members } from '../../plugins/member-names.js';
import type { GlobalSite, ObjectSites } from '../sites.js';
import { askedAbout } from './asked.js';
import { CheckBuilder } from './checks.js';
import { EmptyFunctions } from './empty-functions.js';
import { type Context, FunctionInstrumenter } from './function.js';
import { Globals } from './globals.js';
import { makeHonest } from './honest-attributes.js';
import { mayKeepParts, type PartCache, PartOfBuild } from './kept-parts.js';
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
import { expandSmallCopies, removeNeedlessMarkers } from './small-copies.js';
import { nameStrings, namesOfUnnamed } from './stable-names.js';
import { copyThreadLocals } from './thread-locals.js';
import { strictLoads, UndefinedValues } from './undefined-values.js';
import type { WeaveContext } from './weave-hooks.js';
import { testSmallFactors } from './wide-products.js';

/** The largest function that clang may inline, in instructions including checks. */
const largestToMove = 100;

export interface InstrumentedModule {
  /** One module, or several if it is divided into parts. */
  readonly code: readonly Module[];
  /** With a cache of parts: in the order of the program, with the objects of earlier builds. */
  readonly parts: readonly InstrumentedPart[];
  readonly data: Module;
  /** The sites of each part of the code; the first one has the globals. */
  readonly sites: readonly ObjectSites[];
  /** The meaning of the hooks' indices. */
  readonly hooks: readonly HookSite[];
}

/** A module that is to be compiled, or the object that an earlier build made of it. */
export type InstrumentedPart =
  | { readonly kind: 'kept'; readonly object: Uint8Array }
  | { readonly kind: 'made'; readonly module: Module; keep(object: Uint8Array): void };

/** Functions with their sites; those with an object are not instrumented. */
interface Group {
  readonly functions: readonly IrFunction[];
  readonly sites: ObjectSites;
  readonly object?: Uint8Array;
  keep(object: Uint8Array): void;
}

/** Changes the module in place. `kept` has the parts of earlier builds; they are not optimised. */
export function instrument(module: Module, options: InstrumentOptions, kept?: PartCache): InstrumentedModule {
  const layout = new DataLayout(module.dataLayout);
  numberBlockAddresses(module);
  declareAsCalled(module, layout);
  const functions = numberFunctions(module, layout);
  const initialCopies = options.threads ? copyThreadLocals(module) : new Map();
  if (kept !== undefined) nameStrings(module);
  const names = kept && namesOfUnnamed(module);
  const globals = new Globals(module, layout, options.id, names);
  globals.separate();
  const notes: Notes = {
    assigned: new Map(),
    readAtEntry: new Set(),
    inlinable: new Map(),
    inScope: new Map(),
  };
  for (const target of calleesFirst(module))
    if (target.blocks.length > 0) prepareFunction(module, target, layout, options, notes);
  if (mayDivideIn(options)) passStructsByMembers(module, layout, options, notes);
  const defined = module.functions.filter(({ blocks }) => blocks.length > 0);
  const divided = isDivisible(module) ? divide(defined, options.largestPart ?? Infinity) : [defined];
  const shared = sharedContext(module, layout, options, { globals, functions, initialCopies, notes });
  const declared = module.functions.filter(({ blocks }) => blocks.length === 0);
  const cache = divided.length > 1 && mayKeepParts(options) ? kept : undefined;
  const ids = divided.map(([first], i) => (i === 0 ? options.id : idOfPart(options.id, first!)));
  // Instrumenting a function changes its attributes, which are in the keys of other parts.
  const known = cache && divided.map((group, i) => PartOfBuild.of(group, ids[i]!, shared, cache));
  const groups = divided.map((group, i) =>
    instrumentGroup(group, ids[i]!, i === 0 ? globals.sites : [], shared, known?.[i]),
  );
  for (const target of [...defined, ...declared]) {
    makeHonest(target);
    stripDebugInfo(target);
  }
  module.namedMetadata.clear();
  const sites = groups.map(group => group.sites);
  globals.finish(sites, functions);
  const parts = partsOf(module, groups, shared.emptyFunctions, options, cache !== undefined);
  const code = parts.flatMap(part => (part.kind === 'made' ? [part.module] : []));
  return { code, parts, data: globals.data, sites, hooks: shared.hooks?.table ?? [] };
}

type SharedContext = Omit<Context, 'sites'>;

function sharedContext(
  module: Module,
  layout: DataLayout,
  options: InstrumentOptions,
  {
    notes: { assigned, readAtEntry },
    ...found
  }: Pick<Context, 'globals' | 'functions' | 'initialCopies'> & { readonly notes: Notes },
): SharedContext {
  const mayFree = mayFreeIn(module);
  const runtime = new Runtime(module);
  const signatures = new Map(module.functions.map(target => [target, signatureOf(target, layout)]));
  return {
    ...{ module, layout, options, runtime, assigned, readAtEntry, ...found },
    emptyFunctions: new EmptyFunctions(module),
    signatureOf: target => signatures.get(target) ?? signatureOf(target, layout),
    checks: new CheckBuilder(module, options),
    mayUnsettle: options.init ? mayUnsettleIn(module, mayFree) : mayFree,
    isAskedAbout: askedAbout(module, layout, options),
    hooks: hookContext(module, layout, options, runtime),
  };
}

/** Instruments the functions of a part, unless the cache has its object. */
function instrumentGroup(
  functions: readonly IrFunction[],
  id: string,
  globals: readonly GlobalSite[],
  shared: SharedContext,
  part: PartOfBuild | undefined,
): Group {
  const table = new SiteTable();
  const context = { ...shared, sites: table };
  const known = part?.find();
  if (known !== undefined) {
    const { object, sites } = known;
    return { functions, sites: { id, sites, globals }, object, keep: () => undefined };
  }
  const { uses } = shared.emptyFunctions;
  shared.runtime.siteOwner = id;
  for (const target of functions) instrumentFunction(context, target);
  // The names of empty functions depend on other parts.
  const mayKeep = shared.emptyFunctions.uses === uses;
  return {
    functions,
    sites: { id, sites: table.list, globals },
    keep: object => mayKeep && part?.keep({ object, sites: table.list }),
  };
}

/**
 * Divides the module. If parts are kept, their names do not depend on other parts, nor do the
 * functions in them: static functions are exported, and none is copied.
 */
function partsOf(
  module: Module,
  groups: readonly Group[],
  emptyFunctions: EmptyFunctions,
  { id }: InstrumentOptions,
  areKept: boolean,
): InstrumentedPart[] {
  const suffix = `.${id}`;
  const keep = (): void => undefined;
  const empty = emptyFunctions.all;
  if (!areKept) {
    const [first, ...others] = groups.map(group => group.functions);
    const divided = [[...first!, ...empty], ...others];
    const code = others.length > 0 ? splitModule(module, divided, { suffix, isShort: mayMove }) : [module];
    return code.map(part => ({ kind: 'made', module: part, keep }));
  }
  exportStatics(module, suffix);
  const isMade = groups.filter(({ object }) => object === undefined);
  // What belongs to no part is in the first module.
  const divided = [empty, ...isMade.map(group => group.functions)];
  const [rest, ...made] = splitModule(module, divided, { suffix, isShort: () => false });
  const moduleOf = new Map(isMade.map((group, i) => [group, made[i]!]));
  return [
    { kind: 'made', module: rest!, keep },
    ...groups.map((group): InstrumentedPart => {
      const { object } = group;
      if (object !== undefined) return { kind: 'kept', object };
      return { kind: 'made', module: moduleOf.get(group)!, keep: group.keep };
    }),
  ];
}

interface Notes {
  /** Which store gives a value its name. */
  readonly assigned: Map<Value, Instruction>;
  readonly readAtEntry: Set<Argument>;
  /** Small functions that may be inlined. */
  readonly inlinable: Map<IrFunction, InlinedFunction>;
  /** By call, the places of arguments that are in locals that have not ended. */
  readonly inScope: Map<CallInstruction, ReadonlySet<number>>;
}

/** The passes before the checks. */
function prepareFunction(
  module: Module,
  target: IrFunction,
  layout: DataLayout,
  options: InstrumentOptions,
  { assigned, readAtEntry, inlinable, inScope }: Notes,
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
  // After `longjmp`, locals of a function that calls `setjmp` must have their values in memory.
  const mayDivide = mayDivideIn(options) && !callsSetjmp(target);
  if (mayDivideIn(options)) noteScopes(target, layout, inScope);
  // An inlined function may set no local on some paths, which jump over the reads of the local.
  if (mayDivide && inlineCalls(module, target, layout, inlinable)) {
    threadBranches(target);
    removeNeedlessMarkers(target, layout);
  }
  if (mayPromoteParts(options)) {
    for (const argument of readByValueArguments(target, layout)) readAtEntry.add(argument);
    if (mayDivide) {
      const copied = copyArguments(module, target, layout, readAtEntry);
      splitStructs(module, target, layout);
      for (const argument of keepDivided(target, copied)) readAtEntry.add(argument);
    }
  }
  if (mayPromoteParts(options) && !isRaw(target, options.isLibrary === true)) makeListsValues(module, target);
  if (mayPromoteBytes(options)) makeLocalsIntegers(target, layout, options.hooks !== undefined);
  if (options.preAnalysis) promote(target, options);
  if (mayBoxPointers(options)) keepBoxedPointers(module, target);
  // What is promoted above stays a value.
  accessElements(target, layout);
  // Where fewer paths meet, more locals are always written before they are read.
  if (options.optimise && threadBranches(target) && options.preAnalysis) promote(target, options);
  const inlined = mayDivide ? asInlined(target, readAtEntry) : undefined;
  if (inlined !== undefined) inlinable.set(target, inlined);
}

function promote(target: IrFunction, { init, annotationsOnly }: InstrumentOptions): void {
  promoteLocals(target, { promoteUninitialized: !init || annotationsOnly === true });
}

/** Notes which structures are passed from locals, which is only certain before promotion. */
function noteScopes(target: IrFunction, layout: DataLayout, inScope: Notes['inScope']): void {
  for (const { instructions } of target.blocks)
    for (const call of instructions) {
      if (call.op !== 'call') continue;
      const places = call.args.flatMap((pointer, i) => {
        const type = call.argAttributes[i]?.get('byval')?.type;
        return type !== undefined && isInLocal(pointer, layout.allocBytes(type), layout) ? [i] : [];
      });
      if (places.length > 0) inScope.set(call, new Set(places));
    }
}

/** Requires that all functions are prepared. */
function passStructsByMembers(
  module: Module,
  layout: DataLayout,
  options: InstrumentOptions,
  { inScope }: Notes,
): void {
  const found = passMembers(
    module,
    layout,
    target => !callsSetjmp(target),
    (call, place) => inScope.get(call)?.has(place) === true,
  );
  for (const target of found.changed) {
    if (!callsSetjmp(target)) splitStructs(module, target, layout);
    promote(target, options);
    if (mayBoxPointers(options)) keepBoxedPointers(module, target);
  }
  if (!options.init) return;
  markUndefined(found, target => {
    const strict = strictLoads(target);
    const values = new UndefinedValues(target, load => strict.has(load));
    return value => values.isCarrier(value);
  });
}

/** The C library boxes no pointers. */
function mayBoxPointers({ isLibrary }: InstrumentOptions): boolean {
  return isLibrary !== true;
}

function callsSetjmp({ blocks }: IrFunction): boolean {
  return blocks.some(({ instructions }) => instructions.some(returnsTwice));
}

/** Whether local structures may be divided, and functions that pass them inlined or changed. */
function mayDivideIn(options: InstrumentOptions): boolean {
  return mayPromoteParts(options) && options.isLibrary !== true && options.watchesDepth !== true;
}

/** Whether values may replace structures. Their members have labels and cells of their own. */
function mayPromoteParts(options: InstrumentOptions): boolean {
  return mayPromoteBytes(options) && options.labels === undefined && options.hooks === undefined;
}

/**
 * Whether a value may replace an object of several bytes that is written as a whole. All bytes get
 * the label of the value that is written, so nothing is lost. It is not done where a race on the
 * object could be reported, where its size on the stack is measured, and with `--keep-going`, which
 * copies an invalid structure only in part.
 */
function mayPromoteBytes({ optimise, preAnalysis, keepGoing, ...others }: InstrumentOptions): boolean {
  const { threads, watchesStack, annotationsOnly } = others;
  return optimise && preAnalysis && !keepGoing && !threads && !watchesStack && !annotationsOnly;
}

function instrumentFunction(context: Context, target: IrFunction): void {
  const { optimise, isLibrary = false } = context.options;
  const described = describeLocals(target);
  for (const block of target.blocks)
    block.instructions = block.instructions.filter(instruction => instruction.op !== 'debug-record');
  if (isRaw(target, isLibrary)) {
    if (!target.name.startsWith('__rz_raw_')) labelComputation(context, target);
    return;
  }
  new FunctionInstrumenter(context, target, described).run();
  if (!optimise) return;
  testSmallFactors(target);
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
