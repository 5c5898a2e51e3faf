/**
 * `redzone prove` in a worker: solvers block the thread they run in, and a worker can be ended whatever it is doing.
 *
 * Results are told as they are found, so those that were there stay when the rest is interrupted.
 */
import type { Diagnostic } from '../findings/diagnostic.js';
import { runTask } from '../platform/task.js';
import { closestTo } from '../support/closest.js';
import { buildSystem, catalogue } from './models/catalogue.js';
import { prove } from './prove.js';
import { readMcmt } from './read/mcmt.js';
import type { ReadResult } from './read/problem.js';
import type { ModelRequest, ProveAnswer, ProveEvent, ProveRequest } from './request.js';
import type { Control } from './result.js';

runTask<ProveRequest, ProveEvent, ProveAnswer>(async (request, emit) => {
  const read = systemsOf(request.model);
  if (read.kind === 'invalid') return { kind: 'invalid', diagnostic: read.diagnostic };
  const end = performance.now() + (request.maxTimeMs ?? Number.POSITIVE_INFINITY);
  const control: Control = {
    isOver: () => performance.now() >= end,
    remainingMs: () => Math.max(1, end - performance.now()),
    progress: text => emit({ kind: 'progress', text }),
  };
  const reports = [];
  for (const system of read.systems) {
    const { name, variables, commands, properties, structural } = system;
    emit({
      kind: 'system',
      system: {
        name,
        variables: variables.map(({ name: variable, domain }) => ({ name: variable, domain })),
        commands: commands.length,
        properties: [...structural, ...properties].map(property => ({
          name: property.name,
          role: property.role,
          ...(property.text !== undefined && { text: property.text }),
        })),
      },
    });
    const report = await prove(system, request, control, result =>
      emit({ kind: 'result', system: name, result }),
    );
    reports.push({ system: name, ...report });
  }
  return { kind: 'done', reports };
});

function systemsOf(model: ModelRequest): ReadResult {
  if (model.kind === 'file') return readMcmt(model.file, model.text);
  const system = buildSystem(model);
  if (system !== undefined) return { kind: 'systems', systems: [system] };
  const names = Object.keys(catalogue);
  const guess = closestTo(model.name, names);
  const diagnostic: Diagnostic = {
    severity: 'error',
    message: `there is no model '${model.name}'`,
    help:
      guess === undefined ? `models: ${names.join(', ')}; or a file .mcmt or .sal` : `did you mean ${guess}?`,
  };
  return { kind: 'invalid', diagnostic };
}
