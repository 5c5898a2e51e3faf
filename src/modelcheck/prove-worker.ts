/**
 * `redzone prove` in a worker: solvers block the thread they run in, and a worker can be terminated
 * at any time.
 *
 * Results are sent as they are found, so they are kept when the rest is interrupted.
 */
import type { Diagnostic } from '../findings/diagnostic.js';
import { runTask } from '../platform/task.js';
import { closestTo } from '../support/closest.js';
import { buildSystem, objectionTo } from './models/catalogue.js';
import { tableProtocolSystem } from './models/table-protocol.js';
import type { ModelRequest, ProveAnswer, ProveEvent, ProveRequest, SystemOutline } from './prove-request.js';
import { prove } from './prove-system.js';
import { readMcmt } from './read/mcmt.js';
import type { ReadResult } from './read/problem.js';
import { readSal } from './read/sal.js';
import type { Control } from './result.js';
import type { System } from './system.js';
import { readOperations } from './table-operations.js';
import { checkTableCode, LINEARISABLE, REFINEMENT } from './table-refinement.js';

runTask<ProveRequest, ProveEvent, ProveAnswer>(async (request, emit) => {
  const end = performance.now() + (request.maxTimeMs ?? Number.POSITIVE_INFINITY);
  const control: Control = {
    isOver: () => performance.now() >= end,
    remainingMs: () => Math.max(1, end - performance.now()),
    progress: text => emit({ kind: 'progress', text }),
  };
  if (request.model.kind === 'code') return proveCode(request.model, request, control, emit);
  const read = systemsOf(request.model);
  if (read.kind === 'invalid') return { kind: 'invalid', diagnostic: read.diagnostic };
  const known = read.systems.flatMap(({ properties }) => properties.map(({ name }) => name));
  const unknown = unknownProperty(request.properties ?? [], known);
  if (unknown !== undefined) return unknown;
  const reports = [];
  for (const system of read.systems) {
    emit({ kind: 'system', system: outlineOf(system) });
    const report = await prove(system, request, control, result =>
      emit({ kind: 'result', system: system.name, result }),
    );
    if (report.vacuous.some(({ kind }) => kind === 'start'))
      return { kind: 'invalid', diagnostic: noStart(system) };
    reports.push({ system: system.name, ...report });
  }
  return { kind: 'done', reports };
});

/** Every property holds of a system without runs: an answer would say nothing. */
function noStart({ name }: System): Diagnostic {
  return {
    severity: 'error',
    message: `${name} has no initial state: its initial condition and what is assumed exclude each other`,
  };
}

function outlineOf({ name, variables, commands, properties, structural }: System): SystemOutline {
  return {
    name,
    variables: variables.map(({ name: variable, domain }) => ({ name: variable, domain })),
    commands: commands.length,
    properties: [...structural, ...properties].map(({ name: property, role, text }) => ({
      name: property,
      role,
      ...(text !== undefined && { text }),
    })),
  };
}

/**
 * The model of the table, which is proved for any number of threads within seconds; then the code
 * in all interleavings, compared with it.
 */
async function proveCode(
  model: Extract<ModelRequest, { kind: 'code' }>,
  options: ProveRequest,
  control: Control,
  emit: (event: ProveEvent) => void,
): Promise<ProveAnswer> {
  const { threads, operations, entries = 0, capacity = 8, tax = 2 } = model;
  const read = readOperations(operations, threads);
  if (read.kind === 'invalid')
    return { kind: 'invalid', diagnostic: { severity: 'error', message: read.message } };
  const before = Array.from(
    { length: entries },
    (_, i) => ({ kind: 'add', key: 100 + i, value: i }) as const,
  );
  const name = 'hashtable';
  const properties = [
    {
      name: LINEARISABLE,
      role: 'goal',
      text: 'every run can be explained by calls one after another, and touches no released table',
    },
    {
      name: REFINEMENT,
      role: 'goal',
      text: 'every step of the code is one of the model, or changes nothing in it',
    },
  ];
  const system = tableProtocolSystem();
  const known = [...system.properties, ...properties].map(property => property.name);
  const unknown = unknownProperty(options.properties ?? [], known);
  if (unknown !== undefined) return unknown;
  emit({ kind: 'system', system: outlineOf(system) });
  const ofModel = await prove(system, { ...options, engine: 'k-induction' }, control, result =>
    emit({ kind: 'result', system: system.name, result }),
  );
  emit({ kind: 'system', system: { name, variables: [], commands: 0, properties } });
  const report = checkTableCode({ threads: read.threads, before, capacity, tax }, control);
  for (const result of report.results) emit({ kind: 'result', system: name, result });
  return {
    kind: 'done',
    reports: [
      { system: system.name, ...ofModel },
      { system: name, results: report.results, vacuous: [] },
    ],
  };
}

function systemsOf(model: Exclude<ModelRequest, { kind: 'code' }>): ReadResult {
  if (model.kind === 'file')
    return model.file.endsWith('.sal') ? readSal(model.file, model.text) : readMcmt(model.file, model.text);
  const objection = objectionTo(model);
  if (objection !== undefined) return { kind: 'invalid', diagnostic: { severity: 'error', ...objection } };
  return { kind: 'systems', systems: [buildSystem(model)!] };
}

/**
 * Requested properties must exist: otherwise nothing would be checked, and nothing reported.
 */
function unknownProperty(wanted: readonly string[], known: readonly string[]): ProveAnswer | undefined {
  const missing = wanted.find(name => !known.includes(name));
  if (missing === undefined) return undefined;
  const guess = closestTo(missing, known);
  const message = `there is no property '${missing}'`;
  const help = guess === undefined ? `properties: ${known.join(', ')}` : `did you mean ${guess}?`;
  return { kind: 'invalid', diagnostic: { severity: 'error', message, help } };
}
