/**
 * The main loop of an exploration.
 *
 *     searcher ──next──▶ machine.run(a time slice) ─┬─ forked   the copies join the searcher
 *                                                   ├─ ended    onPath, the state is gone
 *                                                   └─ the time slice is over
 *
 * Limits that are counts (instructions, paths, states, depth) stop a program at the same point on
 * every machine; limits of time and memory do not. The result names the limit.
 *
 * A stopped exploration can be saved and resumed in another process, in the same order
 * (`resumption.ts`). Limits of work (instructions, paths, time) then start anew.
 */
import { Evaluator } from '../../expr/evaluate.js';
import { Terms } from '../../expr/terms.js';
import type { AnyCode } from '../../findings/codes.js';
import type { PathLines } from '../../findings/exploration.js';
import { isInLibrary, type SourceLocation } from '../../findings/finding.js';
import type { LeftPaths } from '../../findings/report.js';
import { LoggedHost } from '../../host/host-log.js';
import { ModelHost, type ModelHostOptions } from '../../host/model-host.js';
import { DataLayout } from '../../ir/data-layout.js';
import { functionLocation } from '../../ir/debug.js';
import type { IrFunction, Module } from '../../ir/model.js';
import { type AllocatorOptions, createAllocator, defaultRegions } from '../../kdalloc/index.js';
import type { LabelOptions, LabelRequest } from '../../labels/flow-rules.js';
import { insertFlowCalls } from '../../labels/insert-flow-calls.js';
import { labelsOfProgram, libraryLabels } from '../../labels/sink-points.js';
import { numberBlockAddresses } from '../../passes/number-block-addresses.js';
import type { HookPlan, LoadedPlugin } from '../../plugins/hook-plan.js';
import { type HookSite, libraryPoints, programPoints } from '../../plugins/hook-points.js';
import { insertHooks } from '../../plugins/insert-hooks.js';
import { Members } from '../../plugins/member-names.js';
import { Solver, type SolverOptions } from '../../solver/solver.js';
import { assert } from '../../support/assert.js';
import { plural } from '../../support/plural.js';
import { isTimeUp } from '../../support/stop-flag.js';
import { symbolicHost } from '../inputs/symbolic-start.js';
import { inputsOf, isNamedByDomains, queriesForInputs, type TestInput } from '../inputs/test-input.js';
import { decodeFunction } from '../instructions/decode.js';
import { ExternalFunctions } from '../machine/external.js';
import { Machine } from '../machine/machine.js';
import { Diverged } from '../machine/path-queries.js';
import { Memory } from '../memory/address-space.js';
import { lineOf } from '../memory/call-trace.js';
import { natives } from '../natives/natives.js';
import { PathPlugins } from '../natives/path-plugins.js';
import { Program } from '../program/program.js';
import { historyText } from '../state/frontier.js';
import type { History } from '../state/history.js';
import type { Watching } from '../state/loop-watch.js';
import type { Ending } from '../state/path-end.js';
import { type ReachedNews, RecordedBlocks } from '../state/reached.js';
import type { ThreadExploration } from '../state/running.js';
import type { State, SymbolicInput, SymbolicStart } from '../state/state.js';
import { CoverageDistance, type SavedDistances } from './coverage-distance.js';
import { LeftPlaces } from './left-places.js';
import { LinesOfPaths } from './path-lines.js';
import type { EndedPath, ExploredPaths, NewBlock, PathMemo } from './path-memo.js';
import { Resumption, type SavedStates, saveStates } from './resumption.js';
import type { SearcherName } from './searcher-names.js';
import { createSearcher, type Saved, type Searcher } from './searchers.js';
import type { LiveState, SavedRounds } from './subtree.js';
import type { Counts, Totals } from './totals.js';

export interface ExplorerLimits {
  readonly instructions?: number | undefined;
  readonly paths?: number | undefined;
  readonly states?: number | undefined;
  readonly depth?: number | undefined;
  readonly milliseconds?: number | undefined;
  /** In units of about a microsecond, counted and not measured (`Explorer.work`). */
  readonly work?: number | undefined;
  /** The same for the work of all runs of this exploration (`Explorer.#workOfAllRuns`). */
  readonly workOfAllRuns?: number | undefined;
  /** Of terms (`Terms.lookups`), in this run. */
  readonly lookups?: number | undefined;
}

export interface ExplorerSettings {
  readonly host: ModelHostOptions | LoggedHost;
  readonly symbolic?: SymbolicStart;
  readonly searcher?: SearcherName;
  readonly seed?: number;
  readonly limits?: ExplorerLimits;
  /** The allocator of objects; KDALLOC by default. */
  readonly allocator?: Pick<AllocatorOptions, 'kind' | 'quarantine' | 'stackQuarantine' | 'seed'>;
  /** The solver, and its time limit per query; CaDiCaL with Z3 as a fallback by default. */
  readonly solver?: Pick<SolverOptions, 'backend' | 'limits' | 'dump' | 'store'>;
  /** Native libraries in which external functions are called; none by default. */
  readonly externalLibraries?: readonly string[];
  /** The time limit of such a call. */
  readonly externalMilliseconds?: number | undefined;
  /** How much of each path is watched for an infinite loop; nothing by default. */
  readonly watching?: Watching | undefined;
  /** Checks that are turned off; none by default. */
  readonly unchecked?: ReadonlySet<AnyCode>;
  /** Interpret everything, for comparison. */
  readonly interpretOnly?: boolean;
  /**
   * Resumes an exploration of the same program and settings, except for limits; `solverMs` is the
   * solver time so far.
   */
  readonly resume?: { readonly saved: SavedExploration; readonly solverMs: number } | undefined;
  /** The entry function of the program. */
  readonly entry?: string;
  /** The results of an earlier run. Paths are recorded in this case. */
  readonly memo?: PathMemo | undefined;
  /** Whether paths are recorded without a memo, too. */
  readonly recordsPaths?: boolean;
  /** Whether paths record the lines that they execute (`PathEnding.lines`). */
  readonly recordsLines?: boolean;
  /** Instructions of a batch of the default search (`searchers.ts`). */
  readonly batch?: number;
  readonly plugins?: PluginSettings | undefined;
  readonly labels?: LabelSettings | undefined;
  /** Whether threads have stacks, and paths fork over the thread that runs next. */
  readonly threads?: ThreadExploration | undefined;
}

export interface LabelSettings {
  /** The requested labels; undefined unless requested, and then only the program's own. */
  readonly options: LabelOptions | undefined;
  readonly request: LabelRequest;
}

export interface PluginSettings {
  readonly plugins: readonly LoadedPlugin[];
  readonly plan: HookPlan | undefined;
}

/** A path that has ended, with an input that follows it. */
export interface FinishedPath {
  /** In the order of their ends, from 1. */
  readonly number: number;
  readonly state: State;
  readonly ending: Ending;
  /** Undefined if the solver gave up. */
  readonly inputs: readonly TestInput[] | undefined;
}

/** How a path has ended, with or without a test. */
export interface PathEnding extends Omit<FinishedPath, 'number'> {
  /**
   * Blocks that this path was the first to execute, before any path that has ended; if recorded.
   */
  readonly news: readonly NewBlock[];
  /** The lines that it has executed, if recorded. */
  readonly lines: PathLines | undefined;
}

export interface ExploreProgress {
  readonly paths: Counts;
  readonly states: number;
  readonly instructions: number;
  readonly coveredBlocks: number;
  readonly knownBlocks: number;
  readonly queries: number;
  readonly solverMs: number;
}

export interface ExploreOutcome extends ExploreProgress {
  readonly externalCalls: number;
  readonly allocations: number;
  /** Why it ended before all paths were explored; undefined if all were. */
  readonly stopped: string | undefined;
  /** The values that were concretized on some path. */
  readonly notes: readonly string[];
}

export interface ExploreEvents {
  /** Called when a state has forked: the condition holds in it, and not in the other. */
  readonly onFork?: (state: State, other: State) => void;
  /** Called when a state has ended, after `onPath`. */
  readonly onEnd?: (path: PathEnding) => void;
  /** Called for a state that need not run: its paths are known from an earlier run. */
  readonly onReuse?: (state: State, paths: ExploredPaths) => void;
  /** Called after a time slice of a state. */
  readonly onTurn?: (explorer: Explorer) => void;
  readonly onPath?: (path: FinishedPath) => void;
}

/** A stopped exploration, as far as another process needs it to resume. Times are not included. */
export interface SavedExploration extends Totals {
  readonly externalCalls: number;
  readonly nextStateId: number;
  /** In the order in which they were decoded, which determines the numbers of blocks. */
  readonly functions: readonly string[];
  /** A digit for each decoded block: 1 if it was executed. */
  readonly covered: string;
  readonly states: SavedStates;
  /** Without one the search starts with these states. */
  readonly searcher: Saved | undefined;
  readonly distances: SavedDistances | undefined;
  /** An interrupted time slice: its state, and its end. */
  readonly turn: readonly [state: number, end: number] | undefined;
  readonly news: SavedNews;
  /** Set if the search continues in rounds, which hold the live states (`rounds.ts`). */
  readonly rounds?: SavedRounds;
}

/** Blocks that live paths were the first to execute. */
export interface SavedNews {
  /** A digit for each decoded block: 1 if the path that was the first to execute it has ended. */
  readonly told: string;
  /** Pairs of a block and the index of the previous pair in this list, or -1. */
  readonly links: readonly number[];
  /** By state, the index of its last pair. */
  readonly ofStates: readonly number[];
}

/** Instructions per time slice. */
const TURN = 1_000_000;

interface Turn {
  readonly state: State;
  /**
   * The instruction count after which the time slice ends, at the next slice point (`Machine.run`).
   */
  readonly end: number;
}

interface Earlier {
  readonly instructions: number;
  readonly finished: number;
  readonly queries: number;
  readonly solverMs: number;
  readonly externalCalls: number;
}

const NOTHING_EARLIER: Earlier = { instructions: 0, finished: 0, queries: 0, solverMs: 0, externalCalls: 0 };

export class Explorer {
  readonly machine: Machine;
  readonly #searcher: Searcher;
  readonly #distance: CoverageDistance;
  readonly #limits: ExplorerLimits;
  readonly #events: ExploreEvents;
  readonly #counts = { completed: 0, error: 0, partial: 0 };
  readonly #notes = new Set<string>();
  #stopped: string | undefined;
  #deadline: number | undefined;
  #allocations = 0;
  #finished = 0;
  /** The abandoned paths. */
  #left = new LeftPlaces();
  #chosen = new LeftPlaces();
  #unfinished: Turn | undefined;
  /** The state that was chosen for the next time slice. */
  #next: State | undefined;
  /** The root of all histories. */
  #start!: History;
  /** The counts of the earlier run that this one resumes. */
  #earlier: Earlier = NOTHING_EARLIER;
  readonly #memo: PathMemo | undefined;
  readonly #lines: LinesOfPaths;
  /** For each block, whether the path that was the first to execute it has ended. */
  readonly #told: Uint8Array;
  /** The earlier run, until all its states are restored. */
  #resumed: { readonly saved: SavedExploration; readonly resumption: Resumption } | undefined;

  private constructor(machine: Machine, settings: ExplorerSettings, events: ExploreEvents) {
    this.machine = machine;
    const distance = new CoverageDistance(machine);
    this.#distance = distance;
    this.#searcher = createSearcher(settings.searcher ?? 'default', {
      seed: settings.seed ?? 0,
      distance: state => distance.of(state),
      instructions: () => machine.instructions,
      batch: settings.batch,
    });
    this.#limits = settings.limits ?? {};
    this.#events = events;
    this.#memo = settings.memo;
    this.#told = new Uint8Array(machine.program.mostBlocks);
    machine.queries.memo = settings.memo;
    machine.recordsPaths = recordsPaths(settings);
    if (settings.recordsLines) machine.recorded = new RecordedBlocks();
    this.#lines = new LinesOfPaths(machine);
  }

  /**
   * Functions of the module are changed when they are first executed. Another explorer may use the
   * module if its settings have the same labels and no plug-ins (`prepared-functions.ts`).
   */
  static async create(
    module: Module,
    settings: ExplorerSettings,
    events: ExploreEvents = {},
  ): Promise<Explorer> {
    const created = createAllocator(settings.allocator);
    assert(created.kind === 'allocator', 'the default regions and the quarantine are valid');
    const memory = Memory.create(created.allocator);
    numberBlockAddresses(module);
    const hooks = settings.plugins && hooksFor(module, settings.plugins);
    const labels = labelsOfProgram(module, settings.labels?.options);
    const program = new Program(module, memory, {
      natives,
      decode: decodeFunction,
      hook: target => {
        if (labels !== undefined) insertFlows(target, labels);
        hooks?.insert?.(target);
      },
    });
    if (recordsPaths(settings)) program.prints = new Map();
    settings.memo?.compare(name => program.printOf(name));
    const terms = new Terms();
    const solver = await Solver.create(terms, settings.solver);
    const machine = new Machine(program, terms, solver, settings.symbolic);
    const explorer = new Explorer(machine, settings, events);
    const { externalLibraries = [] } = settings;
    if (externalLibraries.length > 0) {
      const { constants, globals, stack, heap } = defaultRegions;
      machine.external = new ExternalFunctions(
        externalLibraries,
        [constants, globals, stack, heap],
        settings.externalMilliseconds,
      );
    }
    machine.unchecked = settings.unchecked ?? machine.unchecked;
    machine.watching = settings.watching;
    if (settings.labels !== undefined) machine.followLabels(settings.labels.request);
    machine.exploresThreads = settings.threads;
    machine.runner.isDisabled = settings.interpretOnly ?? false;
    const { host, inputs } =
      settings.host instanceof LoggedHost
        ? { host: settings.host, inputs: [] }
        : modelHost(terms, settings.host, settings.symbolic);
    const first = machine.start(settings.entry ?? '__rz_start', memory, host);
    first.inputs = inputs;
    if (hooks !== undefined) {
      const plugins = new PathPlugins(hooks.plugins, hooks.plan, hooks.table);
      machine.plugins = plugins;
      plugins.start(machine);
    }
    explorer.#start = first.history;
    if (settings.resume === undefined) {
      explorer.#searcher.add([first], undefined);
      machine.onFork = events.onFork;
    } else explorer.#goOnWith(settings.resume, first);
    return explorer;
  }

  #goOnWith({ saved, solverMs }: NonNullable<ExplorerSettings['resume']>, first: State): void {
    const { machine } = this;
    const { counts, finished, instructions, queries, externalCalls } = saved;
    Object.assign(this.#counts, counts);
    for (const note of saved.notes) this.#notes.add(note);
    this.#left = new LeftPlaces(saved.left);
    this.#chosen = new LeftPlaces(saved.chosen);
    this.#allocations = saved.allocations;
    this.#finished = finished;
    this.#earlier = { instructions, finished, queries, solverMs, externalCalls };
    for (const name of saved.functions) {
      const target = machine.program.functionNamed(name);
      if (target === undefined) throw new Diverged();
      machine.program.ready(target);
    }
    for (let block = 0; block < saved.covered.length; block++)
      if (saved.covered[block] === '1') machine.coverEarlier(block);
    for (let block = 0; block < saved.news.told.length; block++)
      this.#told[block] = Number(saved.news.told[block]);
    this.#resumed = { saved, resumption: new Resumption(machine, first, saved.states) };
  }

  /** Restores states until the time is over. Returns whether the exploration can continue. */
  #bringBack(time: number): boolean {
    if (this.#resumed === undefined) return true;
    const { saved, resumption } = this.#resumed;
    if (!resumption.runUntil(time)) return false;
    const { machine } = this;
    const { states, ended } = resumption;
    machine.instructions = saved.instructions + resumption.ahead;
    machine.nextStateId = saved.nextStateId;
    for (const state of states) state.coveredNew = false;
    restoreNews(saved.news, states);
    for (const number of saved.states.fresh) states[number]!.coveredNew = true;
    if (saved.searcher === undefined) this.#searcher.add(states, undefined);
    else this.#searcher.restore(saved.searcher, states);
    if (saved.distances !== undefined) this.#distance.restore(saved.distances);
    if (saved.turn !== undefined) this.#unfinished = { state: states[saved.turn[0]]!, end: saved.turn[1] };
    this.#resumed = undefined;
    machine.onFork = this.#events.onFork;
    for (const [state, ending] of ended) this.#finish(state, ending);
    return true;
  }

  /**
   * The data that another process needs to resume. Requires that all states of an earlier run are
   * restored.
   */
  save(): SavedExploration {
    assert(this.#resumed === undefined, 'what is saved goes on');
    const { machine } = this;
    const { blocks } = machine.program;
    const { saved: states, numbers } = saveStates(this.#start, [...this.#searcher.states()]);
    const unfinished = this.#unfinished;
    return {
      counts: { ...this.#counts },
      finished: this.#finished,
      notes: [...this.#notes],
      left: this.#left.all(),
      chosen: this.#chosen.all(),
      allocations: this.#allocations,
      externalCalls: this.outcome().externalCalls,
      instructions: machine.instructions,
      queries: this.progress().queries,
      nextStateId: machine.nextStateId,
      functions: [...new Set(blocks.map(({ target }) => target.name))],
      covered: blocks.map(({ id }) => machine.covered[id]).join(''),
      states,
      searcher: this.#searcher.save(state => numbers.get(state)!),
      distances: this.#distance.save(),
      turn: unfinished && [numbers.get(unfinished.state)!, unfinished.end],
      news: this.#saveNews([...numbers.keys()]),
    };
  }

  /** The live states in the order of their histories. Requires that all are restored. */
  live(): LiveState[] {
    const { numbers } = saveStates(this.#start, [...this.#searcher.states()]);
    return [...numbers.keys()].map(state => ({
      id: state.id,
      history: historyText(state.history),
      instructions: state.instructions,
      news: newsIn(state).filter(block => this.#told[block] === 0),
      place: placeOfState(state),
    }));
  }

  /**
   * The work of this run, in microseconds of a reference machine. It is computed from counts, so
   * that it is the same on every machine.
   */
  get work(): number {
    const { machine } = this;
    const { sat, z3, queries } = machine.solver.statistics;
    const instructions = machine.instructions - this.#earlier.instructions;
    const ended = this.#finished - this.#earlier.finished;
    return instructions / 50 + 20 * (ended + machine.nextStateId) + 10 * queries + 1000 * sat + 20_000 * z3;
  }

  /**
   * The work of this run and of those that it resumes. A resumed run knows how many queries were
   * made but not how they were answered, so every query counts the same.
   */
  get #workOfAllRuns(): number {
    const { instructions, nextStateId } = this.machine;
    return instructions / 50 + 20 * (this.#finished + nextStateId) + 200 * this.progress().queries;
  }

  #saveNews(states: readonly State[]): SavedNews {
    const places = new Map<ReachedNews, number>();
    const links: number[] = [];
    const placeOf = (news: ReachedNews | undefined): number => {
      const missing: ReachedNews[] = [];
      let link = news;
      for (; link !== undefined && !places.has(link); link = link.earlier) missing.push(link);
      let place = link === undefined ? -1 : places.get(link)!;
      for (const next of missing.reverse()) {
        // A block that an ended path has covered is no longer new.
        if (this.#told[next.block] === 0) place = links.push(next.block, place) - 2;
        places.set(next, place);
      }
      return place;
    };
    const ofStates = states.map(({ news }) => placeOf(news));
    const told = this.machine.program.blocks.map(({ id }) => this.#told[id]).join('');
    return { told, links, ofStates };
  }

  /** The number of states of an earlier run that are still to be restored. */
  get missing(): number {
    return this.#resumed === undefined
      ? 0
      : this.#resumed.resumption.states.length - this.#resumed.resumption.count;
  }

  /** The number of live states. */
  get size(): number {
    return this.#searcher.size;
  }

  /** Runs until everything is explored or a limit is reached. */
  run(): ExploreOutcome {
    while (!this.runFor(1000));
    return this.outcome();
  }

  /**
   * Continues for about this long, and gives up queries after `mostMs`. Returns whether nothing is
   * left to do; the results do not depend on the time, unless a call takes `mostMs / 4`: a solver
   * with little time left leaves queries to another one sooner.
   */
  runFor(milliseconds: number, mostMs: number = Number.POSITIVE_INFINITY): boolean {
    const start = performance.now();
    const end = start + milliseconds;
    this.#deadline ??= start + (this.#limits.milliseconds ?? Number.POSITIVE_INFINITY);
    this.machine.queries.deadline = Math.min(this.#deadline, start + mostMs);
    this.machine.solver.deadline = this.machine.queries.deadline;
    if (!this.#bringBack(Math.min(end, this.#deadline))) {
      if (performance.now() > this.#deadline) this.stop('the time is up');
      return this.#stopped !== undefined;
    }
    while (this.#searcher.size > 0 && this.#stopped === undefined) {
      if (this.#unfinished === undefined && this.#reuse()) continue;
      this.#runTurn(Math.min(end, this.#deadline));
      if (this.#unfinished === undefined) this.#events.onTurn?.(this);
      // Where the clock interrupts a time slice must not decide where a count stops the search.
      if (!this.machine.isInterrupted) this.#stopped ??= this.#limitReached();
      const now = performance.now();
      if (now > this.#deadline) this.stop('the time is up');
      if (now > end) break;
    }
    return this.#searcher.size === 0 || this.#stopped !== undefined;
  }

  stop(reason: string): void {
    this.#stopped ??= reason;
  }

  outcome(): ExploreOutcome {
    const progress = this.progress();
    const { completed, error, partial } = progress.paths;
    const isStuck = this.machine.spins > 0 && completed + error + partial + progress.states === 0;
    if (isStuck) this.#notes.add('no schedule ends: threads wait for each other in loops');
    return {
      ...progress,
      paths: { completed, error, partial: partial + progress.states },
      allocations: this.#allocations,
      externalCalls: this.#earlier.externalCalls + (this.machine.external?.count ?? 0),
      stopped: progress.states === 0 ? undefined : this.#stopped,
      notes: [...this.#notes],
    };
  }

  /** Where live and abandoned paths are, the most frequent lines first. */
  left(): LeftPaths[] {
    const places = this.#left.copy();
    if (this.missing === 0) for (const state of this.#searcher.states()) places.addState(state);
    return places.list();
  }

  /**
   * Where values were concretized, with the number of paths that have ended in this run; the most
   * frequent lines first.
   */
  chosen(): LeftPaths[] {
    return this.#chosen.list();
  }

  progress(): ExploreProgress {
    const { machine } = this;
    const saved = this.#resumed?.saved;
    return {
      paths: { ...this.#counts },
      states: saved?.states.ids.length ?? this.#searcher.size,
      instructions: saved?.instructions ?? machine.instructions,
      coveredBlocks: machine.coveredBlocks,
      knownBlocks: machine.program.blocks.length,
      queries: this.#earlier.queries + machine.solver.queries + machine.queries.remembered,
      solverMs: this.#earlier.solverMs + machine.solver.statistics.milliseconds,
    };
  }

  dispose(): void {
    this.machine.solver.dispose();
    this.machine.external?.close();
  }

  /**
   * Runs a time slice of one state. If the clock or the instruction limit interrupts it, the next
   * call continues it, so that the order of states is the same.
   */
  #runTurn(until: number): void {
    const { machine } = this;
    const turn = this.#unfinished ?? this.#newTurn();
    const { state, end } = turn;
    const { depth, instructions = Number.POSITIVE_INFINITY } = this.#limits;
    const limit = this.#earlier.instructions + instructions;
    const ending = machine.run(state, Math.min(end, limit), Number.POSITIVE_INFINITY, until);
    const isOver = ending !== undefined || machine.forked.length > 0 || machine.instructions > end;
    this.#unfinished = isOver && !machine.isInterrupted ? undefined : turn;
    if (machine.forked.length > 0) {
      this.#searcher.add(machine.forked, state);
      machine.forked = [];
    }
    if (ending !== undefined) this.#finish(state, ending);
    else if (depth !== undefined && state.depth > depth) {
      const reason = `the limit of ${plural(depth, 'fork')} on one path was reached`;
      this.#finish(state, { kind: 'partial', reason });
    }
  }

  /**
   * Chooses the next state. Returns whether all its paths are already known, so that it is removed.
   */
  #reuse(): boolean {
    const state = this.#searcher.next();
    const explored = this.#memo?.explored(state);
    this.#next = state;
    if (explored === undefined) return false;
    this.#next = undefined;
    this.#searcher.remove(state);
    for (const end of explored.ends) this.#countReused(end);
    // Limits apply to work done, not to reused results.
    this.#earlier = { ...this.#earlier, finished: this.#earlier.finished + explored.ends.length };
    this.#events.onReuse?.(state, explored);
    return true;
  }

  #countReused({ ending, allocations, news }: EndedPath): void {
    const { machine } = this;
    for (const { name, index } of news) {
      const target = machine.program.functionNamed(name);
      const block = target && machine.program.ready(target).blocks[index];
      if (block === undefined) continue;
      machine.coverEarlier(block.id);
      this.#told[block.id] = 1;
    }
    if (ending.kind === 'unwanted') return;
    this.#allocations += allocations;
    if (ending.kind === 'exit') this.#counts.completed++;
    else this.#counts.error++;
    this.#finished++;
  }

  #newTurn(): Turn {
    const state = this.#next ?? this.#searcher.next();
    this.#next = undefined;
    state.coveredNew = false;
    return { state, end: this.machine.instructions + TURN };
  }

  #finish(state: State, ending: Ending): void {
    const isWanted = ending.kind !== 'unwanted';
    const inputs = isWanted ? this.#inputsOf(state) : undefined;
    if (isWanted && inputs === undefined && isTimeUp(this.#deadline!)) {
      // There was no time left to compute a test: the path will end again when the exploration
      // continues.
      this.#unfinished = { state, end: this.machine.instructions };
      return;
    }
    // A time slice that was interrupted after its last fork ends when the path ends there.
    if (this.#unfinished?.state === state) this.#unfinished = undefined;
    this.#searcher.remove(state);
    this.#count(state, ending, inputs);
    const lines = this.#lines.of(state);
    this.#events.onEnd?.({ state, ending, inputs, news: this.#newsOf(state), lines });
  }

  #inputsOf(state: State): readonly TestInput[] | undefined {
    const known = isNamedByDomains(state) ? undefined : this.#memo?.inputsOf(state);
    if (known === undefined || !leadAlong(state, known)) return inputsOf(this.machine, state);
    this.machine.queries.remembered += queriesForInputs(state);
    return known;
  }

  /**
   * The blocks that this path was the first to execute, unless a path has ended that shared that
   * part.
   */
  #newsOf({ news }: State): NewBlock[] {
    const found: NewBlock[] = [];
    for (let link = news; link !== undefined && link.isTold !== true; link = link.earlier) {
      link.isTold = true;
      if (this.#told[link.block] !== 0) continue;
      this.#told[link.block] = 1;
      const { index, target, ir } = this.machine.program.blocks[link.block]!;
      const place = functionLocation(target.ir);
      const lines = place === undefined ? [] : [...(target.lines?.get(ir) ?? [])];
      found.push({ name: target.name, index, lines: lines.map(line => [place!.file, line]) });
    }
    return found.reverse();
  }

  #count(state: State, ending: Ending, inputs: readonly TestInput[] | undefined): void {
    if (ending.kind === 'unwanted') return;
    if (ending.kind === 'partial') this.#left.addState(state);
    for (const place of state.choices) this.#chosen.add(place);
    this.#allocations += state.allocations;
    for (const note of state.notes) this.#notes.add(note);
    const missed = reasonOfLoss(ending);
    if (missed !== undefined) {
      this.#counts.partial++;
      this.#notes.add(missed);
    } else if (ending.kind === 'exit') this.#counts.completed++;
    else this.#counts.error++;
    if (inputs === undefined) this.#notes.add('the solver gave up: a path has no test');
    this.#finished++;
    this.#events.onPath?.({ number: this.#finished, state, ending, inputs });
  }

  #limitReached(): string | undefined {
    const { instructions, paths, states, work, workOfAllRuns, lookups } = this.#limits;
    const { instructions: earlierInstructions, finished: earlierPaths } = this.#earlier;
    if (instructions !== undefined && this.machine.instructions >= earlierInstructions + instructions)
      return `the limit of ${plural(instructions, 'instruction')} was reached`;
    if (paths !== undefined && this.#finished >= earlierPaths + paths && this.#searcher.size > 0)
      return `the limit of ${plural(paths, 'path')} was reached`;
    if (states !== undefined && this.#searcher.size > states)
      return `the limit of ${plural(states, 'state')} was reached`;
    if (workOfAllRuns !== undefined && this.#workOfAllRuns >= workOfAllRuns) return WORK_DONE;
    if (lookups !== undefined && this.machine.terms.lookups >= lookups) return WORK_DONE;
    return work !== undefined && this.work >= work ? WORK_DONE : undefined;
  }
}

/** The reason to stop when the given work is done. */
export const WORK_DONE = 'the work is done';

function recordsPaths({ memo, recordsPaths: isWanted = false }: ExplorerSettings): boolean {
  return memo !== undefined || isWanted;
}

/** The blocks that this path was the first to execute, in order. */
function newsIn({ news }: State): number[] {
  const blocks: number[] = [];
  for (let link = news; link !== undefined; link = link.earlier) blocks.push(link.block);
  return blocks.reverse();
}

function placeOfState({ frame }: State): SourceLocation | undefined {
  return lineOf({ at: frame.block.steps[frame.pc]!.ir, calls: frame.calls });
}

/** Whether all conditions of the path hold on these inputs. */
function leadAlong(state: State, inputs: readonly TestInput[]): boolean {
  const arrays = new Map(state.inputs.map(({ array }, i) => [array.name, inputs[i]!.bytes]));
  const evaluator = new Evaluator({ variables: new Map(), arrays });
  return state.constraints.constraints().every(condition => evaluator.isTrue(condition));
}

function restoreNews({ links, ofStates }: SavedNews, states: readonly State[]): void {
  const news: (ReachedNews | undefined)[] = [];
  for (let place = 0; place < links.length; place += 2)
    news[place] = { block: links[place]!, earlier: news[links[place + 1]!] };
  for (const [number, state] of states.entries()) state.news = news[ofStates[number]!];
}

function modelHost(
  terms: Terms,
  options: ModelHostOptions,
  symbolic: SymbolicStart = {},
): { readonly host: ModelHost; readonly inputs: readonly SymbolicInput[] } {
  const { host, inputs } = symbolicHost(terms, options, symbolic);
  return { host: new ModelHost(host), inputs };
}

/** Why the rest of a path is unknown; undefined if it was explored to its end. */
function reasonOfLoss(ending: Ending): string | undefined {
  if (ending.kind === 'partial') return ending.reason;
  if (ending.kind === 'finding' && ending.finding.code === 'unsupported') return ending.finding.message;
  return undefined;
}

/** The hooks of plug-ins, which are inserted into a function when it is first called. */
function hooksFor(module: Module, { plugins, plan }: PluginSettings) {
  const table: HookSite[] = [];
  if (plan === undefined) return { plugins, plan, table, insert: undefined };
  const layout = new DataLayout(module.dataLayout);
  const asksForMembers = [...plan.load, ...plan.store].some(({ runs }) => runs);
  const members = asksForMembers ? new Members(module, layout) : undefined;
  const context = { plan, module, layout, table, members };
  const insert = (target: IrFunction): void => {
    if (isOwn(target)) return;
    insertHooks(
      target,
      isOfLibrary(target) ? libraryPoints(target, context) : programPoints(target, context),
    );
  };
  return { plugins, plan, table, insert };
}

/** Inserts the sinks of a function, and the effects of rules. */
function insertFlows(target: IrFunction, labels: LabelOptions): void {
  if (isOwn(target)) return;
  if (!isOfLibrary(target)) insertFlowCalls(target, labels);
  else if (labels.secrets) insertFlowCalls(target, libraryLabels);
}

function isOfLibrary(target: IrFunction): boolean {
  const place = functionLocation(target);
  return place !== undefined && isInLibrary(place);
}

/** Whether the function is not part of the program. */
function isOwn(target: IrFunction): boolean {
  return target.name.startsWith('__rz_raw_') || (!isOfLibrary(target) && target.name.startsWith('__rz_'));
}
