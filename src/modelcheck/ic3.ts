/**
 * IC3, also called property-directed reachability, which finds the lemmas by itself.
 *
 * It maintains *frames* F1, F2, ..., Fk: Fi is a conjunction of clauses that holds in every state
 * reachable in at most i steps. A state that violates the property inside Fk is traced backwards,
 * one step at a time, by the query "can a state of F(i-1) step into this?". If so, that predecessor
 * is blocked next; if not, the answer is generalised and added as a clause. When two neighbouring
 * frames are equal, they are an inductive invariant.
 *
 *     a *cube* is a conjunction of atoms; blocking it adds its negation, a clause
 *     atoms    x <= 3, x >= 3, flag, and every comparison that occurs in the model's guards and properties
 *
 * Generalisation happens at both ends. A predecessor is widened to all states from which the same
 * command leads to the same cube. A blocked cube loses every atom that the refutation does not
 * need, bounds first, since the model's own comparisons make better lemmas.
 *
 * **Invariants.** No cube that is blocked contains an initial state. A chain of cubes that reaches
 * one is run forward on the model.
 */
import type { Decider, Literal } from './decider.js';
import { Meaning } from './evaluate-system.js';
import { initialStates } from './explicit/initial-states.js';
import { and, type BoolExpr, ge, type IntExpr, inDomain, le, not, ref } from './expression.js';
import type { InductionTools } from './k-induction.js';
import type { Property } from './model-builder.js';
import { recheckInvariant } from './recheck.js';
import { replay } from './replay-trace.js';
import type { Outcome, TraceStep } from './result.js';
import { forEachPart, type Rewrite, rewrite, variablesIn } from './rewrite.js';
import { type Command, type State, type System, transitionFormula } from './system.js';

type Cube = readonly BoolExpr[];

/** The number of obstacles, states that can step into a cube, that are blocked to generalize it. */
const OBSTACLES = 3;

/** At most this many initial states are enumerated. */
const MOST_STARTS = 64;

/**
 * A cube to be blocked at a frame: from each of its states the command leads to the next cube, and
 * finally to a violation.
 */
interface Obligation {
  readonly cube: Cube;
  readonly state: State;
  readonly frame: number;
  /**
   * `after` is the state in the next cube that the solver found; only a command with free variables
   * needs it.
   */
  readonly via?: { readonly command: Command; readonly after: State; readonly to: Obligation };
}

/** A permutation of threads, and the atoms that it maps to others. */
interface Renaming {
  readonly rename: Rewrite;
  readonly known: Map<BoolExpr, BoolExpr>;
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
  /**
   * Negations of blocked cubes; `frames[i]` has those that hold up to i and are not known to hold
   * beyond. `frames[0]` is unused.
   */
  readonly #frames: Cube[][] = [[]];
  readonly #atoms: readonly BoolExpr[];
  readonly #atomOf = new Map<string, BoolExpr>();
  readonly #numberOf = new Map<BoolExpr, number>();
  readonly #clauses = new WeakMap<Cube, Literal>();
  readonly #renamings: readonly Renaming[];
  readonly #init: Literal;
  readonly #holds: Literal;
  readonly #transition: Literal;
  /** Lemmas, of the state before and after a step. */
  readonly #known: readonly Literal[];
  readonly #bad: BoolExpr;
  /** The initial states, where they are few. */
  readonly #starts: readonly State[] | undefined;

  constructor(tools: InductionTools, property: Property, lemmas: readonly Property[]) {
    const { system } = tools;
    this.#tools = tools;
    this.#property = property;
    this.#lemmas = lemmas;
    this.#meaning = new Meaning(system);
    this.#decider = tools.makeDecider(system, false);
    this.#bad = not(property.formula);
    this.#init = this.#decider.literal(system.init, 0);
    this.#holds = this.#decider.literal(property.formula, 0);
    const starts = initialStates(this.#meaning, MOST_STARTS);
    this.#starts = starts.kind === 'states' ? starts.states : undefined;
    this.#transition = this.#decider.literal(transitionFormula(system), 0);
    this.#known = lemmas.flatMap(({ formula }) => [0, 1].map(step => this.#decider.literal(formula, step)));
    this.#renamings = renamingsOf(system);
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
    // An inductive property needs no lemmas.
    const after = this.#decider.literal(this.#bad, 1);
    const isInductive = this.#ask([...this.#known, this.#holds, this.#transition, after]).kind === 'unsat';
    if (isInductive) return this.#proved(0);
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

  /**
   * Blocks the cube and whatever leads to it; gives an obligation that contains an initial state if
   * there is one.
   */
  #block(first: Obligation): Obligation | undefined {
    const waiting = [first];
    while (waiting.length > 0) {
      waiting.sort((a, b) => b.frame - a.frame);
      const goal = waiting.at(-1)!;
      const start = this.#startIn(goal.cube);
      if (start !== undefined) return { ...goal, state: start };
      const { frame } = goal;
      const answer = this.#stepInto(goal.cube, frame);
      if (answer.kind === 'sat') {
        const [before, after] = [this.#state(0), this.#state(1)];
        const command = this.#meaning.stepBetween(before, after);
        if (command === undefined) throw new GaveUp('a step of the solver is none of the model');
        const cube = this.#widenPredecessor(before, command, goal.cube);
        waiting.push({ cube, state: before, frame: frame - 1, via: { command, after, to: goal } });
        continue;
      }
      waiting.pop();
      const highest = this.#add(this.#generalise(goal.cube, answer.core, frame, OBSTACLES), frame);
      if (highest < this.#frames.length - 1) waiting.push({ ...goal, frame: highest + 1 });
      this.#report();
    }
    return undefined;
  }

  /**
   * Blocks a cube at a frame and at as many above as possible; cubes that it covers are removed.
   * Returns the highest frame.
   */
  #add(blocked: Cube, frame: number): number {
    let highest = frame;
    while (highest < this.#frames.length - 1 && this.#stepInto(blocked, highest + 1).kind === 'unsat')
      highest++;
    for (const image of this.#imagesOf(blocked)) {
      const isCovered = (cube: Cube): boolean => image.every(atom => cube.includes(atom));
      for (let i = 1; i <= highest; i++) this.#frames[i] = this.#frames[i]!.filter(cube => !isCovered(cube));
      this.#frames[highest]!.push(image);
    }
    return highest;
  }

  /** A cube that is blocked for some threads is blocked for all renamings of threads. */
  #imagesOf(cube: Cube): Cube[] {
    const images = new Map<string, Cube>();
    for (const renaming of this.#renamings) {
      const image = cube.map(atom => this.#imageOf(atom, renaming));
      const key = image.map(atom => this.#numberOf.get(atom)!).sort((a, b) => a - b);
      images.set(key.join(), image);
    }
    return [...images.values()];
  }

  #imageOf(atom: BoolExpr, renaming: Renaming): BoolExpr {
    let image = renaming.known.get(atom);
    if (image === undefined) {
      const inner = atom.kind === 'not' ? atom.a : atom;
      image = this.#literally(renaming.rename.bool(inner), inner === atom);
      renaming.known.set(atom, image);
    }
    return image;
  }

  #report(): void {
    const clauses = this.#frames.reduce((sum, frame) => sum + frame.length, 0);
    this.#tools.control.progress(
      `${this.#property.name}: ${this.#frames.length - 1} frames, ${clauses} clauses`,
    );
  }

  /**
   * Whether a state of the frame below, outside the cube, can step into it. If not, returns the
   * atoms that forbid it.
   */
  #stepInto(cube: Cube, frame: number): { kind: 'sat' } | { kind: 'unsat'; core: Cube } {
    const after = new Map(cube.map(atom => [this.#decider.literal(atom, 1), atom]));
    const below = frame === 1 ? [this.#init, ...this.#known] : this.#frame(frame - 1);
    const outside = this.#clauseOf(cube);
    const answer = this.#ask([...below, outside, this.#transition, ...after.keys()]);
    if (answer.kind === 'sat') return answer;
    const core = answer.core.map(literal => after.get(literal)).filter(atom => atom !== undefined);
    return { kind: 'unsat', core };
  }

  /**
   * Drops atoms as long as the rest can neither be stepped into from below nor start. Requires that
   * the core cannot be stepped into.
   */
  #generalise(cube: Cube, core: Cube, frame: number, obstacles: number): Cube {
    let kept = core.length > 0 && this.#startIn(core) === undefined ? core : cube;
    for (const atom of [...kept].sort((a, b) => Number(isBound(b)) - Number(isBound(a)))) {
      if (kept.length === 1 || !kept.includes(atom)) continue;
      const without = kept.filter(other => other !== atom);
      const needed = this.#refutation(without, frame, obstacles);
      if (needed === undefined) continue;
      const isEnough = needed.length > 0 && this.#refutation(needed, frame, 0) !== undefined;
      kept = isEnough ? without.filter(other => needed.includes(other)) : without;
    }
    return kept;
  }

  /**
   * The atoms that keep every state of the frame below from stepping into the cube; undefined if
   * one can, or if the cube contains an initial state. A state that can is only an obstacle if it
   * is itself easy to block: then it is, and the query is repeated.
   */
  #refutation(atoms: Cube, frame: number, obstacles: number): Cube | undefined {
    if (this.#startIn(atoms) !== undefined) return undefined;
    for (let tried = 0; ; tried++) {
      const answer = this.#stepInto(atoms, frame);
      if (answer.kind === 'unsat') return answer.core;
      if (tried === obstacles || frame === 1) return undefined;
      const obstacle = this.#cubeOf(this.#state(0));
      if (this.#startIn(obstacle) !== undefined) return undefined;
      const inner = this.#stepInto(obstacle, frame - 1);
      if (inner.kind === 'sat') return undefined;
      this.#add(this.#generalise(obstacle, inner.core, frame - 1, 0), frame - 1);
    }
  }

  /** An initial state in the cube, if there is one. */
  #startIn(cube: Cube): State | undefined {
    if (this.#starts !== undefined)
      return this.#starts.find(state => cube.every(atom => this.#meaning.holds(atom, state)));
    const answer = this.#ask([this.#init, ...this.#known, ...this.#literalsOf(cube)]);
    return answer.kind === 'sat' ? this.#state(0) : undefined;
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
      depth: Math.max(1, this.#frames.length - 1),
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
      const next = isDetermined(at.command) ? step?.apply(state) : at.after;
      if (next === undefined) throw new GaveUp('a chain of cubes cannot be run forward');
      trace.push({ state: next });
      state = next;
    }
    return { status: 'refuted', trace: replay(this.#meaning, trace, this.#property.formula) };
  }

  /**
   * All states that the command takes into the target, as far as the atoms of this state can say.
   */
  #widenPredecessor(state: State, command: Command, target: Cube): Cube {
    return isDetermined(command) ? this.#widen(state, stepCondition(command, target)) : this.#cubeOf(state);
  }

  /** As few atoms of a state as imply a formula that holds of it. */
  #widen(state: State, formula: BoolExpr): Cube {
    let kept = this.#cubeOf(state);
    const fails = this.#decider.negate(this.#decider.literal(formula, 0));
    const imply = (atoms: Cube): Cube | undefined => {
      const literals = this.#literalsOf(atoms);
      const answer = this.#ask([...literals, fails]);
      return answer.kind === 'sat' ? undefined : atoms.filter((_, i) => answer.core.includes(literals[i]!));
    };
    kept = imply(kept) ?? kept;
    for (const atom of kept) {
      const without = kept.includes(atom) ? imply(kept.filter(other => other !== atom)) : undefined;
      if (without !== undefined) kept = without;
    }
    return kept;
  }

  /** The state as atoms: the model's own comparisons first, then the bounds that pin it down. */
  #cubeOf(state: State): Cube {
    const { variables } = this.#tools.system;
    const own = this.#atoms.map(atom => this.#literally(atom, this.#meaning.holds(atom, state)));
    const pinned = variables.flatMap((variable, i): BoolExpr[] => {
      const value = state[i]!;
      const { domain } = variable;
      if (domain.kind === 'bool') return [this.#literally(ref(variable), value !== 0)];
      return [
        ...(domain.max === value ? [] : [this.#literally(le(ref(variable), value), true)]),
        ...(domain.min === value ? [] : [this.#literally(ge(ref(variable), value), true)]),
      ];
    });
    return [...own, ...pinned];
  }

  /** The same object for the same atom, so that cubes can be compared. */
  #literally(atom: BoolExpr, holds: boolean): BoolExpr {
    const key = `${holds} ${JSON.stringify(atom)}`;
    const known = this.#atomOf.get(key);
    if (known !== undefined) return known;
    const made = holds ? atom : not(atom);
    this.#atomOf.set(key, made);
    this.#numberOf.set(made, this.#numberOf.size);
    return made;
  }

  #literalsOf(cube: Cube, step = 0): Literal[] {
    return cube.map(atom => this.#decider.literal(atom, step));
  }

  /** The constraints on states up to a frame: below the highest, they include the property. */
  #frame(frame: number): Literal[] {
    const clauses = this.#frames.slice(frame).flat();
    const property = frame < this.#frames.length - 1 ? [this.#holds] : [];
    return [...this.#known, ...property, ...clauses.map(cube => this.#clauseOf(cube))];
  }

  /** The negation of a cube, of the state before a step. */
  #clauseOf(cube: Cube): Literal {
    let clause = this.#clauses.get(cube);
    if (clause === undefined) {
      clause = this.#decider.literal(not(and(...cube)), 0);
      this.#clauses.set(cube, clause);
    }
    return clause;
  }

  #state(step: number): State {
    const state = this.#decider.state(step);
    if (state === undefined) throw new GaveUp('a state with values beyond 2^53');
    return state;
  }

  #ask(literals: readonly Literal[]): { kind: 'sat' } | { kind: 'unsat'; core: readonly Literal[] } {
    const { control } = this.#tools;
    if (control.isOver()) throw new GaveUp('the time limit was reached');
    const answer = this.#decider.check(literals, control.remainingMs());
    if (answer.kind === 'unknown') throw new GaveUp(answer.reason);
    return answer;
  }
}

/** More renamings than this cost more than they save. */
const MOST_RENAMINGS = 24;

/**
 * All orders of the threads, the given one first; only that one if there are too many, or threads
 * have no names.
 */
function renamingsOf({ threads = [] }: System): Renaming[] {
  let orders: number[][] = [[]];
  for (const [t] of threads.entries())
    orders = orders.flatMap(order => Array.from({ length: t + 1 }, (_, i) => order.toSpliced(t - i, 0, t)));
  return orders.slice(0, orders.length > MOST_RENAMINGS ? 1 : undefined).map(order => {
    const images = new Map(
      threads.flatMap((own, t) => own.map((variable, k) => [variable, threads[order[t]!]![k]!])),
    );
    const rename = rewrite({
      variable: ({ variable, next }) => {
        const image = images.get(variable);
        return image === undefined ? undefined : ref(image, next);
      },
    });
    return { rename, known: new Map() };
  });
}

/** From each state the command leads to one state at most. */
function isDetermined({ free, constraint }: Command): boolean {
  return free.length === 0 && constraint.kind === 'bool';
}

/** The command is possible, stays within the domains and leads into the cube. */
function stepCondition({ guard, updates }: Command, target: Cube): BoolExpr {
  const after = rewrite({ variable: ({ variable }) => updates.get(variable) });
  const inside = [...updates].map(([{ domain }, value]) => inDomain(domain, value as IntExpr));
  return and(guard, ...inside, ...target.map(atom => after.bool(atom)));
}

/**
 * The comparisons between integers in some formulas, each once; those of one variable with a
 * constant are bounds already.
 */
function comparisons(formulas: readonly BoolExpr[]): BoolExpr[] {
  const found = new Map<string, BoolExpr>();
  forEachPart(formulas, part => {
    if (part.kind !== 'le' && part.kind !== 'eq') return;
    if (variablesIn([part], false).size === 0) return;
    found.set(JSON.stringify(part), part);
  });
  return [...found.values()];
}

/** Whether the atom compares with a number, as in `x <= 5`. */
function isBound(atom: BoolExpr): boolean {
  const inner = atom.kind === 'not' ? atom.a : atom;
  return inner.kind === 'le' && (inner.a.kind === 'int' || inner.b.kind === 'int');
}
