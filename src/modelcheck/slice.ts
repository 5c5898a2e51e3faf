/**
 * The part of a system that can affect some properties: variables on which neither guards nor
 * properties depend, directly or through updates, are removed.
 *
 * Models have counters that only lemmas mention. Without them the migration of the hash table has a
 * tenth of the states. Every step of the whole system is a step of the slice and vice versa, so
 * answers carry over; a trace has to be run on the whole system to compute the values of the
 * removed variables.
 */
import type { Variable } from './expression.js';
import type { Property } from './model-builder.js';
import { variablesIn } from './rewrite.js';
import { makeSystem, RANGE, type System } from './system.js';

export function slice(system: System, properties: readonly Property[]): System {
  const kept = new Set<Variable>();
  const take = (variables: Iterable<Variable>): void => {
    for (const variable of variables) kept.add(variable);
  };
  take(
    variablesIn(
      properties.map(property => property.formula),
      false,
    ),
  );
  for (const { guard, constraint, free } of system.commands) {
    take(variablesIn([guard, constraint], false));
    take(variablesIn([constraint], true));
    take(free);
  }
  // A set grows while it is walked.
  for (const variable of kept) {
    for (const { updates } of system.commands) {
      const value = updates.get(variable);
      if (value !== undefined) take(variablesIn([value], false));
    }
  }
  const parts = system.init.kind === 'and' ? system.init.parts : [system.init];
  // A part of the initial condition that ties kept variables to others keeps those too.
  for (const part of parts) {
    const inside = variablesIn([part], false);
    if ([...inside].some(variable => kept.has(variable))) take(inside);
  }
  return makeSystem({
    ...system,
    variables: system.variables.filter(variable => kept.has(variable)),
    init: {
      kind: 'and',
      parts: parts.filter(part => [...variablesIn([part], false)].every(variable => kept.has(variable))),
    },
    commands: system.commands.map(command => ({
      ...command,
      updates: new Map([...command.updates].filter(([variable]) => kept.has(variable))),
    })),
    properties,
    structural: system.structural.filter(({ name }) => name !== RANGE),
  });
}
