/**
 * The results of an earlier exploration that this one reuses: the solver's answers, and the tree of
 * its paths.
 *
 *     answers   fingerprint of a query ──▶ answer
 *     steps     trail of a path where it begins or has forked ──▶ its continuation: a fork, or its end
 *
 *     start ── fork A ─┬─ T ── fork B ─┬─ TT ── end        steps:  ""  ──▶ fork at A        TT ──▶ end
 *                      └─ F ── ...     └─ TF ── ...                 T  ──▶ fork at B        TF ──▶ ...
 *
 * An answer is valid wherever the same query is made, because it depends only on the conditions of
 * the path. A step is valid while the program behaves as before. If a path forks or ends at another
 * place than its step says, it has *diverged*, and the steps below it are ignored.
 *
 * A path whose subtree was explored completely need not be executed again if all functions that it
 * has called or would call are unchanged. Incomplete ends (a limit, a concretized value) do not
 * count as explored.
 *
 * The same memo serves a killed run for the part after its last checkpoint: this part is repeated
 * without the solver and in the same order, so no step is skipped there.
 */
import { mixed, NO_PRINT, type Print, withText } from '../../expr/term-print.js';
import type { SourceLocation } from '../../findings/finding.js';
import type { LeftPaths } from '../../findings/report.js';
import type { TestInput } from '../inputs/test-input.js';
import { lineOf } from '../memory/call-trace.js';
import type { AnswerMemo, Remembered } from '../state/answer-memo.js';
import { sidesOf } from '../state/history.js';
import type { Ending } from '../state/path-end.js';
import type { State } from '../state/state.js';
import { LeftPlaces } from './left-places.js';

/** A line of the source. */
export type Line = readonly [file: string, line: number];

/** A block that no earlier path had executed, by its position in its function. */
export interface NewBlock {
  readonly name: string;
  readonly index: number;
  readonly lines: readonly Line[];
}

/** The end of a path, with everything that another run needs to count it as its own. */
export interface EndedPath {
  readonly from: Print;
  readonly trail: Print;
  /** The number of its test, from 1; 0 if it has none. */
  readonly number: number;
  /** Whether its test gets a file: for an error that no earlier path had, or for new coverage. */
  readonly isNotable: boolean;
  readonly ending: Ending;
  readonly inputs: readonly TestInput[] | undefined;
  readonly instructions: number;
  readonly forks: number;
  readonly allocations: number;
  readonly notes: readonly string[];
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** The functions that it has called. */
  readonly functions: ReadonlySet<string>;
  readonly news: readonly NewBlock[];
}

/** A fork of a path: its trail, and the instruction. */
export interface RecordedFork {
  readonly at: Print;
  readonly place: Print;
}

/** A completely explored part of the tree. */
export interface ExploredPaths {
  readonly ends: readonly EndedPath[];
  readonly forks: readonly (RecordedFork & { readonly from: Print })[];
}

type Step = { readonly fork: RecordedFork } | { readonly end: EndedPath };

/** A map with fingerprints as keys. */
class PrintMap<T> {
  readonly #entries = new Map<number, { readonly rest: number; readonly value: T }>();

  get size(): number {
    return this.#entries.size;
  }

  get(print: Print): T | undefined {
    const entry = this.#entries.get(keyOf(print));
    return entry?.rest === (print.print2 & REST) ? entry.value : undefined;
  }

  set(print: Print, value: T): void {
    this.#entries.set(keyOf(print), { rest: print.print2 & REST, value });
  }

  delete(print: Print): void {
    this.#entries.delete(keyOf(print));
  }
}

/** The bits of a fingerprint that do not fit into an exact number. */
const REST = 0x7ff;

function keyOf({ print1, print2 }: Print): number {
  return (print1 >>> 0) * 0x200000 + (print2 >>> 11);
}

export interface MemoUse {
  /** Answers in which the solver gave up are reused, too, because it is the same run. */
  readonly isSameRun: boolean;
  /** Whether answers and the inputs of tests are reused; steps are compared in any case. */
  readonly reusesAnswers: boolean;
  /** Whether steps are compared with the behaviour of paths. */
  readonly followsSteps: boolean;
  /** Whether explored subtrees are skipped if they call only unchanged functions. */
  readonly skips: boolean;
  /** The program is identical, lines included, so that findings can be reused. */
  readonly isSameProgram: boolean;
  /** Called with all answers, except those that this very run had before. */
  readonly onAnswer?: (query: Print, answer: Remembered) => void;
}

export class PathMemo implements AnswerMemo {
  readonly #use: MemoUse;
  readonly #answers = new PrintMap<Remembered>();
  readonly #steps = new PrintMap<Step>();
  /** Whether everything below these steps is explored and can be skipped. */
  readonly #isDone = new PrintMap<boolean>();
  readonly #divergences = new LeftPlaces();
  readonly #functions = new Map<string, Print>();
  /** Functions that have changed since the earlier run. */
  readonly changed: Set<string> = new Set();
  paths = 0;
  /** The numbers of reused answers and paths. */
  readonly reused = { answers: 0, paths: 0 };

  constructor(use: MemoUse) {
    this.#use = use;
  }

  addAnswer(query: Print, answer: Remembered): void {
    if (!this.#use.reusesAnswers) return;
    if (answer.answer === 'unknown' && !this.#use.isSameRun) return;
    if (this.#answers.get(query) === undefined) this.#answers.set(query, answer);
  }

  addFork(from: Print, fork: RecordedFork): void {
    this.#steps.set(from, { fork });
  }

  addEnd(end: EndedPath): void {
    this.#steps.set(end.from, { end });
    this.paths++;
  }

  addFunction(name: string, code: Print): void {
    this.#functions.set(name, code);
  }

  /** Determines which functions have changed; `code` returns their current fingerprint. */
  compare(code: (name: string) => Print | undefined): void {
    for (const [name, before] of this.#functions) {
      const now = code(name);
      if (now === undefined || !isSame(before, now)) this.changed.add(name);
    }
  }

  known(query: Print): Remembered | undefined {
    const answer = this.#answers.get(query);
    if (answer === undefined) return undefined;
    this.reused.answers++;
    if (!this.#use.isSameRun) this.#use.onAnswer?.(query, answer);
    return answer;
  }

  note(query: Print, answer: Remembered): void {
    this.#use.onAnswer?.(query, answer);
  }

  /** Whether this fork is recorded. A path that diverges here is a different one from now on. */
  isKnownFork(state: State, place: Print): boolean {
    const step = this.#stepOf(state);
    if (step === undefined) return false;
    const { trail } = state.history;
    if ('fork' in step && isSame(step.fork.at, trail) && isSame(step.fork.place, place)) return true;
    this.#diverge(state, step);
    return false;
  }

  /** How this path ended before; undefined if it did not, or differently. */
  knownEnd(state: State, ending: Ending): EndedPath | undefined {
    const step = this.#stepOf(state);
    if (step === undefined) return undefined;
    const isEnd = 'end' in step && isSame(step.end.trail, state.history.trail);
    if (isEnd && step.end.ending.kind === ending.kind) return step.end;
    if (!isEnd && ending.kind !== 'partial') this.#diverge(state, step);
    return undefined;
  }

  /**
   * The input of the path's test, which is still valid because the path's conditions are the same.
   */
  inputsOf(state: State): readonly TestInput[] | undefined {
    if (!this.#use.reusesAnswers) return undefined;
    const step = this.#stepOf(state);
    const isEnd = step !== undefined && 'end' in step && isSame(step.end.trail, state.history.trail);
    const inputs = isEnd ? step.end.inputs : undefined;
    const fits = inputs?.every(({ bytes }, i) => bytes.length === state.inputs[i]?.array.byteLength);
    return fits === true && inputs!.length === state.inputs.length ? inputs : undefined;
  }

  /** The results from here on, if they are complete and still valid; otherwise undefined. */
  explored(state: State): ExploredPaths | undefined {
    if (!this.#use.skips || this.#steps.size === 0) return undefined;
    const from = state.from.trail;
    for (const name of state.reached.names)
      if (this.changed.has(name) || !this.#functions.has(name)) return undefined;
    if (!this.#isExplored(from)) return undefined;
    const ends: EndedPath[] = [];
    const forks: (RecordedFork & { readonly from: Print })[] = [];
    const waiting = [from];
    while (waiting.length > 0) {
      const next = waiting.pop()!;
      const step = this.#steps.get(next)!;
      if ('end' in step) ends.push(step.end);
      else {
        forks.push({ from: next, ...step.fork });
        waiting.push(...sidesOf(step.fork.at).reverse());
      }
    }
    this.reused.paths += ends.filter(({ ending }) => ending.kind !== 'unwanted').length;
    return { ends, forks };
  }

  /** Where paths have diverged, the most frequent lines first. */
  divergences(): LeftPaths[] {
    return this.#divergences.list();
  }

  #stepOf(state: State): Step | undefined {
    if (!this.#use.followsSteps || this.#steps.size === 0) return undefined;
    return this.#steps.get(state.from.trail);
  }

  #diverge(state: State, step: Step): void {
    // An abandoned path could not be followed further.
    if ('end' in step && step.end.ending.kind === 'partial') return;
    const location = locationOf(state);
    if (location !== undefined) this.#divergences.add(location);
    state.history.leave();
  }

  #isExplored(from: Print): boolean {
    const waiting = [from];
    while (waiting.length > 0) {
      const next = waiting.at(-1)!;
      const step = this.#steps.get(next);
      const missing =
        step === undefined || 'end' in step || this.#isDone.get(next) !== undefined
          ? []
          : sidesOf(step.fork.at).filter(side => this.#isDone.get(side) === undefined);
      if (missing.length > 0) {
        waiting.push(...missing);
        continue;
      }
      waiting.pop();
      if (this.#isDone.get(next) !== undefined) continue;
      if (step === undefined) this.#isDone.set(next, false);
      else if ('end' in step) this.#isDone.set(next, this.#isSkippable(step.end));
      else
        this.#isDone.set(
          next,
          sidesOf(step.fork.at).every(side => this.#isDone.get(side) === true),
        );
    }
    return this.#isDone.get(from) === true;
  }

  #isSkippable({ ending, notes, inputs, functions }: EndedPath): boolean {
    if (callsAny(functions, this.changed) || notes.length > 0) return false;
    // The lines of a finding may have changed.
    const { isSameProgram } = this.#use;
    switch (ending.kind) {
      case 'unwanted':
        return true;
      case 'exit':
        return inputs !== undefined && (isSameProgram || ending.leaks.length === 0);
      case 'finding':
        return inputs !== undefined && isSameProgram && ending.finding.code !== 'unsupported';
      case 'partial':
        return false;
    }
  }
}

function callsAny(functions: ReadonlySet<string>, changed: ReadonlySet<string>): boolean {
  if (changed.size === 0) return false;
  for (const name of functions) if (changed.has(name)) return true;
  return false;
}

function isSame(a: Print, b: Print): boolean {
  return a.print1 === b.print1 && a.print2 === b.print2;
}

function locationOf({ frame }: State): SourceLocation | undefined {
  return lineOf({ at: frame.block.steps[frame.pc]!.ir, calls: frame.calls });
}

/** A fingerprint of the instruction at which a state is, the same in all processes. */
export function placeOf({ frame }: State): Print {
  const { block, pc } = frame;
  let print = block.places[pc];
  if (print === undefined) {
    print = mixed(mixed(withText(NO_PRINT, block.target.name), block.index), pc);
    block.places[pc] = print;
  }
  return print;
}
