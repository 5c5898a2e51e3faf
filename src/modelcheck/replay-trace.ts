/**
 * Runs a trace on the model, step by step, with the evaluator. Every refutation of an engine passes
 * through here.
 *
 * An engine with symmetry reduction returns states in which threads are sorted. The replay then
 * takes real steps: from the current real state it searches for a step that leads to the given
 * state up to sorting.
 */
import { assert } from '../support/assert.js';
import type { Meaning } from './evaluate-system.js';
import type { BoolExpr } from './expression.js';
import type { TraceStep } from './result.js';
import { commandLabel, type State } from './system.js';

/**
 * The trace with the model's own commands. It is an internal error if the model does not follow the
 * trace.
 */
export function replay(
  meaning: Meaning,
  trace: readonly TraceStep[],
  violated: BoolExpr,
  canonical: (state: State) => State = state => state,
): TraceStep[] {
  const [first, ...rest] = trace;
  assert(first !== undefined && meaning.isInitial(first.state), 'a trace does not begin in an initial state');
  const replayed: TraceStep[] = [{ state: first.state }];
  let state = first.state;
  for (const { state: wanted } of rest) {
    const step = nextStep(meaning, state, wanted, canonical);
    assert(step !== undefined, 'a trace takes a step that the model does not have');
    replayed.push(step);
    state = step.state;
  }
  assert(!meaning.holds(violated, state), 'a trace does not end in a violation');
  return replayed;
}

function nextStep(
  meaning: Meaning,
  state: State,
  wanted: State,
  canonical: (state: State) => State,
): TraceStep | undefined {
  const isWanted = (next: State): boolean => canonical(next).every((value, i) => value === wanted[i]);
  for (const step of meaning.steps) {
    if (!step.isEnabled(state)) continue;
    const next = step.allows(state, wanted) ? wanted : step.apply(state);
    if (next !== undefined && isWanted(next) && step.allows(state, next))
      return { command: commandLabel(step.command), state: next };
  }
  return undefined;
}
