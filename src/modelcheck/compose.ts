/**
 * Asynchronous composition: makes a system of P threads from a model of one, in two ways.
 *
 *   named     every thread has its own variables, `pc[1]`, `pc[2]`, ..., and its own copy of every command.
 *   counted   threads have no names: for every state s that a thread can be in there is a counter `#s`, and a command
 *             moves one thread from `#s` to `#t`. P may be a number or unknown.
 *
 * Counting is exact, not an abstraction: two states of the named system with equal counts differ by
 * a renaming of threads, and nothing in a model can distinguish threads. P threads then cost as
 * much as one, and a proof by induction over the counted system can hold for every P at
 * once.
 *
 * Counted composition needs threads with finitely many states. Only states that a thread can reach
 * when guards over shared variables are ignored get a counter.
 */
import { assert } from '../support/assert.js';
import {
  and,
  type BoolExpr,
  constantOf,
  count,
  type Expr,
  eq,
  ge,
  type IntExpr,
  int,
  ite,
  ref,
  same,
  scale,
  showValue,
  sum,
  TRUE,
  type Variable,
  valuesOf,
} from './expression.js';
import type { Model, ModelCommand, Property } from './model-builder.js';
import { type Rewrite, rewrite, variablesIn } from './rewrite.js';
import { type Command, makeSystem, type System } from './system.js';

function isOfThread(model: Model, { guard, updates }: ModelCommand): boolean {
  const locals = new Set(model.locals);
  const read = variablesIn([guard, ...updates.values()], false);
  return [...read, ...updates.keys()].some(variable => locals.has(variable));
}

export function composeNamed(model: Model, threads: number): System {
  const copies = Array.from({ length: threads }, (_, t) =>
    model.locals.map(({ name, domain }): Variable => ({ name: `${name}[${t + 1}]`, domain })),
  );
  const instances: Rewrite[] = copies.map(own =>
    rewrite({
      variable: ({ variable, next }) => {
        const at = model.locals.indexOf(variable);
        return at < 0 ? undefined : ref(own[at]!, next);
      },
      count: predicate => countThreads(predicate),
    }),
  );
  const countThreads = (predicate: BoolExpr): IntExpr =>
    sum(...instances.map(instance => ite(instance.bool(predicate), 1, 0)));
  const noThread = rewrite({ count: countThreads });

  const instantiate = (command: ModelCommand, { bool, int: number }: Rewrite, thread?: number): Command => ({
    name: command.name,
    ...(thread !== undefined && { thread }),
    guard: bool(command.guard),
    updates: new Map(
      [...command.updates].map(([variable, value]) => {
        const at = model.locals.indexOf(variable);
        const target = at < 0 ? variable : copies[thread!]![at]!;
        return [target, variable.domain.kind === 'bool' ? bool(value as BoolExpr) : number(value as IntExpr)];
      }),
    ),
    free: [],
    constraint: TRUE,
  });

  const commands = model.commands.flatMap(command =>
    isOfThread(model, command)
      ? instances.map((instance, thread) => instantiate(command, instance, thread))
      : [instantiate(command, noThread)],
  );
  return makeSystem({
    name: model.name,
    variables: [...model.shared, ...copies.flat()],
    init: and(model.init, ...instances.map(instance => instance.bool(model.threadInit))),
    commands,
    properties: model.properties.map(property => ({ ...property, formula: noThread.bool(property.formula) })),
    threads: copies,
    runs: model.runs.map(({ commands: run, threads: needed }) => ({
      commands: run,
      start: eq(needed, threads),
    })),
  });
}

/** One state of one thread, and the counter of the threads that are in it. */
interface LocalState {
  readonly values: readonly number[];
  readonly counter: Variable;
}

/**
 * The number of threads as a variable that never changes: a proof holds for every value that it may
 * have.
 */
export function unknownThreads(from: number, to?: number): Variable {
  return { name: 'P', domain: { kind: 'int', min: from, ...(to !== undefined && { max: to }) } };
}

/** Requires that a thread has finitely many states. */
export function composeCounted(model: Model, threads: number | Variable): System {
  const all = localStates(model, threads);
  const start = all.filter(state => !isFalse(withLocals(model, state.values).bool(model.threadInit)));
  const states = reachable(model, all, start);
  const total = typeof threads === 'number' ? int(threads) : ref(threads);
  const counting = rewrite({ count: predicate => countIn(model, states, predicate) });

  const commands = model.commands.flatMap(command =>
    isOfThread(model, command)
      ? states.flatMap(state => stepsFrom(model, command, state, states, counting))
      : [
          {
            name: command.name,
            guard: counting.bool(command.guard),
            updates: counted(command.updates, counting),
            free: [],
            constraint: TRUE,
          },
        ],
  );
  const everyone = sum(...states.map(state => ref(state.counter)));
  const conserved: Property = {
    name: 'threads are conserved',
    formula: eq(everyone, total),
    role: 'lemma',
    restsOn: [],
    text: 'the threads in all states together are as many as there are threads',
  };
  return makeSystem({
    name: model.name,
    variables: [
      ...model.shared,
      ...states.map(state => state.counter),
      ...(typeof threads === 'number' ? [] : [threads]),
    ],
    init: and(
      model.init,
      ...states.filter(state => !start.includes(state)).map(state => eq(ref(state.counter), 0)),
      eq(everyone, total),
    ),
    commands,
    properties: model.properties.map(property => ({ ...property, formula: counting.bool(property.formula) })),
    structural: [conserved],
    runs: model.runs.map(({ commands: run, threads: needed }) => ({
      commands: run,
      start: and(eq(total, needed), ...(start.length === 1 ? [eq(ref(start[0]!.counter), needed)] : [])),
    })),
  });
}

function localStates(model: Model, threads: number | Variable): LocalState[] {
  let tuples: number[][] = [[]];
  for (const { name, domain } of model.locals) {
    const values = valuesOf(domain);
    assert(values !== undefined, `threads cannot be counted: ${name} has no bounds`);
    tuples = tuples.flatMap(tuple => values.map(value => [...tuple, value]));
    assert(tuples.length <= 4096, 'threads cannot be counted: one thread has too many states');
  }
  return tuples.map(values => {
    const name = values.map((value, i) => showValue(model.locals[i]!.domain, value)).join(',');
    const domain = { kind: 'int', min: 0, ...(typeof threads === 'number' && { max: threads }) } as const;
    return { values, counter: { name: `#${name}`, domain } };
  });
}

/** Puts a thread's values in place of its variables. */
function withLocals(model: Model, values: readonly number[], counting?: Rewrite): Rewrite {
  return rewrite({
    variable: ({ variable }) => {
      const at = model.locals.indexOf(variable);
      return at < 0 ? undefined : constantOf(variable.domain, values[at]!);
    },
    ...(counting && { count: predicate => counting.int(count(predicate)) }),
  });
}

function isFalse(expr: BoolExpr): boolean {
  return expr.kind === 'bool' && !expr.value;
}

function countIn(model: Model, states: readonly LocalState[], predicate: BoolExpr): IntExpr {
  return sum(
    ...states.map(({ values, counter }) => ite(withLocals(model, values).bool(predicate), ref(counter), 0)),
  );
}

/** Where a command may take a thread, with the condition for it. */
function targets(
  model: Model,
  command: ModelCommand,
  from: LocalState,
  all: readonly LocalState[],
  counting?: Rewrite,
): { readonly to: LocalState; readonly guard: BoolExpr }[] {
  const inside = withLocals(model, from.values, counting);
  const guard = inside.bool(command.guard);
  if (isFalse(guard)) return [];
  const after = model.locals.map((variable, i): Expr => {
    const value = command.updates.get(variable);
    if (value === undefined) return constantOf(variable.domain, from.values[i]!);
    return variable.domain.kind === 'bool' ? inside.bool(value as BoolExpr) : inside.int(value as IntExpr);
  });
  return all
    .map(to => ({
      to,
      guard: and(
        guard,
        ...model.locals.map(({ domain }, i) => same(domain, after[i]!, constantOf(domain, to.values[i]!))),
      ),
    }))
    .filter(target => !isFalse(target.guard));
}

function reachable(
  model: Model,
  all: readonly LocalState[],
  start: readonly LocalState[],
): readonly LocalState[] {
  const commands = model.commands.filter(command => isOfThread(model, command));
  const found = new Set(start);
  for (const state of found)
    for (const command of commands) for (const { to } of targets(model, command, state, all)) found.add(to);
  return all.filter(state => found.has(state));
}

function counted(updates: ReadonlyMap<Variable, Expr>, { bool, int: number }: Rewrite): Map<Variable, Expr> {
  return new Map(
    [...updates].map(([variable, value]) => [
      variable,
      variable.domain.kind === 'bool' ? bool(value as BoolExpr) : number(value as IntExpr),
    ]),
  );
}

/** The steps that one of the threads in `from` may take by this command. */
function stepsFrom(
  model: Model,
  command: ModelCommand,
  from: LocalState,
  states: readonly LocalState[],
  counting: Rewrite,
): Command[] {
  const inside = withLocals(model, from.values, counting);
  const shared = new Map([...command.updates].filter(([variable]) => !model.locals.includes(variable)));
  return targets(model, command, from, states, counting).map(({ to, guard }) => {
    const updates = counted(shared, inside);
    if (to !== from) {
      updates.set(from.counter, sum(ref(from.counter), scale(-1, int(1))));
      updates.set(to.counter, sum(ref(to.counter), 1));
    }
    return {
      name: command.name,
      guard: and(ge(ref(from.counter), 1), guard),
      updates,
      free: [],
      constraint: TRUE,
    };
  });
}
