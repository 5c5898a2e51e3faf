/**
 * IC3, also called property-directed reachability: finds the lemmas by itself.
 *
 * It keeps *frames* F1, F2, ..., Fk: Fi is a conjunction of clauses that holds of every state reachable in at most i steps. A state that violates
 * the property inside Fk is traced backwards, one step at a time, by asking "can a state of F(i-1) step into this?". If so, that
 * predecessor is the next to be blocked; if not, the answer is generalised and added as a clause. When two neighbouring frames are equal,
 * they are an inductive invariant.
 *
 *     a *cube* is a conjunction of atoms; blocking it adds its negation, a clause
 *     atoms    x <= 3, x >= 3, flag, and every comparison that occurs in the model's guards and properties
 *
 * Generalisation happens at both ends. A predecessor is widened to all states that the same command takes into the same cube. A blocked cube loses every atom
 * that the refutation does not need, bounds first: what is left of the model's own comparisons makes the better lemma.
 *
 * **Invariants.** No cube that is blocked contains an initial state. A chain of cubes that reaches one is run forward on the model.
 */
import type { Decider, Literal } from './decider.js';
import { Meaning } from './evaluate.js';
import { and, type BoolExpr, ge, le, not, ref } from './expression.js';
import type { InductionTools } from './induction.js';
import type { Property } from './model.js';
import { recheckInvariant } from './recheck.js';
import { replay } from './replay.js';
import type { Outcome, TraceStep } from './result.js';
import { forEachPart, variablesIn } from './rewrite.js';
import { type Command, type State, stepFormula, transitionFormula } from './system.js';

type Cube = readonly BoolExpr[];

/** A cube to be blocked at a frame: from each of its states the command leads to the cube behind, in the end to a violation. */
interface Obligation {
  readonly cube: Cube;
  readonly state: State;
  readonly frame: number;
  readonly via?: { readonly command: Command; readonly to: Obligation };
}

/** Thrown inside, caught in `run`: time is over, or the solver gave up. */
class GaveUp extends Error {
  constructor(readonly reason: string) {
    super(reason);
  }
}

export function ic3(tools: InductionTools, property: Property, lemmas: readonly Property[]): Outcome {
  const search = new Ic3(tools, property, lemmas);
  try {
    return search.run();
  } finally {
    search.close();
  }
}

class Ic3 {
  readonly #tools: InductionTools;
  readonly #property: Property;
  readonly #lemmas: readonly Property[];
  readonly #meaning: Meaning;
  readonly #decider: Decider;
  /** Negations of blocked cubes; `frames[i]` has those that hold up to i and are not known to hold beyond. `frames[0]` is unused. */
  readonly #frames: Cube[][] = [[]];
  readonly #atoms: readonly BoolExpr[];
  readonly #init: Literal;
  readonly #transition: Literal;
  /** Lemmas, of the state before and after a step. */
  readonly #known: readonly Literal[];
  readonly #bad: BoolExpr;

  constructor(tools: InductionTools, property: Property, lemmas: readonly Property[]) {
    const { system } = tools;
    this.#tools = tools;
    this.#property = property;
    this.#lemmas = lemmas;
    this.#meaning = new Meaning(system);
    this.#decider = tools.makeDecider(system, false);
    this.#bad = not(property.formula);
    this.#init = this.#decider.literal(system.init, 0);
    this.#transition = this.#decider.literal(transitionFormula(system), 0);
    this.#known = lemmas.flatMap(({ formula }) => [0, 1].map(step => this.#decider.literal(formula, step)));
    this.#atoms = comparisons([
      property.formula,
      ...lemmas.map(({ formula }) => formula),
      ...system.commands.map(({ guard }) => guard),
    ]);
  }

  close(): void {
    this.#decider.close();
  }

  run(): Outcome {
    try {
      return this.#search();
    } catch (error) {
      if (!(error instanceof GaveUp)) throw error;
      return { status: 'unknown', reason: error.reason, depth: this.#frames.length - 1 };
    }
  }

  #search(): Outcome {
    const atStart = this.#ask([this.#init, ...this.#known, this.#decider.literal(this.#bad, 0)]);
    if (atStart.kind === 'sat') return this.#refute({ cube: [], state: this.#state(0), frame: 0 });
    for (;;) {
      this.#frames.push([]);
      const top = this.#frames.length - 1;
      if (top > this.#tools.maxDepth) throw new GaveUp(`no invariant with ${top - 1} frames`);
      for (;;) {
        const answer = this.#ask([...this.#frame(top), this.#decider.literal(this.#bad, 0)]);
        if (answer.kind === 'unsat') break;
        const state = this.#state(0);
        const cube = this.#widen(state, this.#bad);
        const chain = this.#block({ cube, state, frame: top });
        if (chain !== undefined) return this.#refute(chain);
      }
      const fixpoint = this.#propagate();
      if (fixpoint !== undefined) return this.#proved(fixpoint);
    }
  }

  /** Blocks the cube and whatever leads to it; gives an obligation that contains an initial state if there is one. */
  #block(first: Obligation): Obligation | undefined {
    const waiting = [first];
    while (waiting.length > 0) {
      waiting.sort((a, b) => b.frame - a.frame);
      const goal = waiting.at(-1)!;
      if (this.#ask([this.#init, ...this.#known, ...this.#literalsOf(goal.cube)]).kind === 'sat')
        return { ...goal, state: this.#state(0) };
      const { frame } = goal;
      const answer = this.#stepInto(goal.cube, frame);
      if (answer.kind === 'sat') {
        const [before, after] = [this.#state(0), this.#state(1)];
        const command = this.#meaning.stepBetween(before, after);
        if (command === undefined) throw new GaveUp('a step of the solver is none of the model');
        const cube = this.#widenPredecessor(before, command, goal.cube);
        waiting.push({ cube, state: before, frame: frame - 1, via: { command, to: goal } });
        continue;
      }
      waiting.pop();
      const blocked = this.#generalise(goal.cube, answer.core, frame);
      let highest = frame;
      while (highest < this.#frames.length - 1 && this.#stepInto(blocked, highest + 1).kind === 'unsat')
        highest++;
      this.#frames[highest]!.push(blocked);
      if (highest < this.#frames.length - 1) waiting.push({ ...goal, frame: highest + 1 });
      this.#report();
    }
    return undefined;
  }

  #report(): void {
    const clauses = this.#frames.reduce((sum, frame) => sum + frame.length, 0);
    this.#tools.control.progress(
      `${this.#property.name}: ${this.#frames.length - 1} frames, ${clauses} clauses`,
    );
  }

  /** Can a state of the frame below, outside of the cube, step into it? If not, which atoms forbid it. */
  #stepInto(cube: Cube, frame: number): { kind: 'sat' } | { kind: 'unsat'; core: Cube } {
    const after = new Map(cube.map(atom => [this.#decider.literal(atom, 1), atom]));
    const below = frame === 1 ? [this.#init, ...this.#known] : this.#frame(frame - 1);
    const outside = this.#decider.literal(not(and(...cube)), 0);
    const answer = this.#ask([...below, outside, this.#transition, ...after.keys()]);
    if (answer.kind === 'sat') return answer;
    const core = answer.core.map(literal => after.get(literal)).filter(atom => atom !== undefined);
    return { kind: 'unsat', core };
  }

  /** Drops atoms as long as the rest can neither be stepped into from below nor start. Requires that the core cannot be stepped into. */
  #generalise(cube: Cube, core: Cube, frame: number): Cube {
    const isClearOfStart = (atoms: Cube): boolean =>
      this.#ask([this.#init, ...this.#known, ...this.#literalsOf(atoms)]).kind === 'unsat';
    const refutation = (atoms: Cube): Cube | undefined => {
      if (!isClearOfStart(atoms)) return undefined;
      const answer = this.#stepInto(atoms, frame);
      return answer.kind === 'unsat' ? answer.core : undefined;
    };
    let kept = [...(core.length > 0 && isClearOfStart(core) ? core : cube)];
    for (const atom of [...kept].sort((a, b) => Number(isBound(b)) - Number(isBound(a)))) {
      if (kept.length === 1 || !kept.includes(atom)) continue;
      const without = kept.filter(other => other !== atom);
      const needed = refutation(without);
      if (needed === undefined) continue;
      kept =
        needed.length > 0 && refutation(needed) !== undefined
          ? without.filter(other => needed.includes(other))
          : without;
    }
    return kept;
  }

  /** Moves clauses up. Gives the frame whose clauses all moved, if there is one. */
  #propagate(): number | undefined {
    const top = this.#frames.length - 1;
    for (let frame = 1; frame < top; frame++) {
      for (const cube of [...this.#frames[frame]!]) {
        const into = this.#literalsOf(cube, 1);
        if (this.#ask([...this.#frame(frame), this.#transition, ...into]).kind === 'sat') continue;
        this.#frames[frame] = this.#frames[frame]!.filter(other => other !== cube);
        this.#frames[frame + 1]!.push(cube);
      }
      if (this.#frames[frame]!.length === 0) return frame;
    }
    return undefined;
  }

  #proved(frame: number): Outcome {
    const clauses = this.#frames.slice(frame + 1).flatMap(cubes => cubes.map(cube => not(and(...cube))));
    const certificate = recheckInvariant(this.#tools, this.#property, this.#lemmas, clauses);
    if (certificate === undefined)
      throw new GaveUp('the time was over while the invariant was checked again');
    return {
      status: 'proved',
      depth: this.#frames.length - 1,
      lemmas: this.#lemmas.map(({ name }) => name),
      certificate,
    };
  }

  /** Runs the chain of obligations forward from an initial state. */
  #refute(start: Obligation): Outcome {
    const trace: TraceStep[] = [{ state: start.state }];
    let { state } = start;
    for (let at = start.via; at !== undefined; at = at.to.via) {
      const step = this.#meaning.steps.find(({ command }) => command === at!.command);
      const next = at.command.free.length === 0 ? step?.apply(state) : at.to.state;
      if (next === undefined) throw new GaveUp('a chain of cubes cannot be run forward');
      trace.push({ state: next });
      state = next;
    }
    return { status: 'refuted', trace: replay(this.#meaning, trace, this.#property.formula) };
  }

  /** All states that the command takes into the target, as far as the atoms of this state can say. */
  #widenPredecessor(state: State, command: Command, target: Cube): Cube {
    const cube = this.#cubeOf(state);
    if (command.free.length > 0) return cube;
    const step = this.#decider.literal(stepFormula(this.#tools.system, command), 0);
    const elsewhere = this.#decider.literal(not(and(...target)), 1);
    // Deterministic: from here the command cannot lead elsewhere. But it must be possible: its guard is part of the cube.
    const literals = this.#literalsOf(cube);
    const guard = this.#decider.negate(this.#decider.literal(command.guard, 0));
    const leads = this.#ask([...literals, step, elsewhere]);
    const enabled = this.#ask([...literals, guard]);
    if (leads.kind === 'sat' || enabled.kind === 'sat') return cube;
    const needed = new Set([...leads.core, ...enabled.core]);
    // The step must also stay within the ranges, which only the whole state vouches for when there are any.
    const isOpen = [...command.updates.keys()].every(
      ({ domain }) => domain.kind === 'bool' || (domain.min === undefined && domain.max === undefined),
    );
    const inRange =
      isOpen || this.#tools.system.structural.every(property => this.#lemmas.includes(property));
    return inRange ? cube.filter((_, i) => needed.has(literals[i]!)) : cube;
  }

  /** All states of this cube's shape that violate the property. */
  #widen(state: State, formula: BoolExpr): Cube {
    const cube = this.#cubeOf(state);
    const literals = this.#literalsOf(cube);
    const holds = this.#decider.negate(this.#decider.literal(formula, 0));
    const answer = this.#ask([...literals, holds]);
    if (answer.kind === 'sat') return cube;
    return cube.filter((_, i) => answer.core.includes(literals[i]!));
  }

  /** The state as atoms: the model's own comparisons first, then the bounds that pin it down. */
  #cubeOf(state: State): Cube {
    const { variables } = this.#tools.system;
    const own = this.#atoms.map(atom => (this.#meaning.holds(atom, state) ? atom : not(atom)));
    const pinned = variables.flatMap((variable, i): BoolExpr[] => {
      const value = state[i]!;
      const { domain } = variable;
      if (domain.kind === 'bool') return [value === 0 ? not(ref(variable)) : ref(variable)];
      return [
        ...(domain.max === value ? [] : [le(ref(variable), value)]),
        ...(domain.min === value ? [] : [ge(ref(variable), value)]),
      ];
    });
    return [...own, ...pinned];
  }

  #literalsOf(cube: Cube, step = 0): Literal[] {
    return cube.map(atom => this.#decider.literal(atom, step));
  }

  /** What is known of states up to a frame. */
  #frame(frame: number): Literal[] {
    const clauses = this.#frames.slice(frame).flat();
    return [...this.#known, ...clauses.map(cube => this.#decider.literal(not(and(...cube)), 0))];
  }

  #state(step: number): State {
    const state = this.#decider.state(step);
    if (state === undefined) throw new GaveUp('a state with values beyond 2^53');
    return state;
  }

  #ask(literals: readonly Literal[]): { kind: 'sat' } | { kind: 'unsat'; core: readonly Literal[] } {
    const { control } = this.#tools;
    if (control.isOver()) throw new GaveUp('the time was over');
    const answer = this.#decider.check(literals, control.remainingMs());
    if (answer.kind === 'unknown') throw new GaveUp(answer.reason);
    return answer;
  }
}

/** The comparisons between integers in some formulas, each once; those of one variable with a constant are bounds already. */
function comparisons(formulas: readonly BoolExpr[]): BoolExpr[] {
  const found = new Map<string, BoolExpr>();
  forEachPart(formulas, part => {
    if (part.kind !== 'le' && part.kind !== 'eq') return;
    if (variablesIn([part], false).size === 0) return;
    found.set(JSON.stringify(part), part);
  });
  return [...found.values()];
}

/** `x <= 5`: true of one value of one state more than of the model. */
function isBound(atom: BoolExpr): boolean {
  const inner = atom.kind === 'not' ? atom.a : atom;
  return inner.kind === 'le' && (inner.a.kind === 'int' || inner.b.kind === 'int');
}
