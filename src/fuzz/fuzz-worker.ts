/** A worker of the fuzzer, which holds one instance of the program: see `searcher.ts`. */
import { serve } from '../platform/service.js';
import { assert } from '../support/assert.js';
import { Target, type TargetRequest } from './fuzz-target.js';
import { minimize } from './minimize.js';
import type { FuzzReply, FuzzRequest } from './protocol.js';
import { Searcher } from './searcher.js';

// Programs end by exceptions, thousands a second, and their stacks are not used.
Error.stackTraceLimit = 0;

let held:
  | { readonly request: TargetRequest; readonly target: Target; readonly searcher: Searcher }
  | undefined;

serve<FuzzRequest, FuzzReply>(async request => {
  if (request.kind === 'start') {
    const target = await Target.create(request.target);
    held = {
      request: request.target,
      target,
      searcher: new Searcher(target, request.target, request.options),
    };
    return { isStarted: target.isStarted, findings: target.startFindings };
  }
  assert(held !== undefined, 'the worker was not started');
  const { target, searcher } = held;
  switch (request.kind) {
    case 'search':
      for (const news of request.news) searcher.learn(news);
      return request.tasks.map(task => searcher.search(task));
    case 'measure':
      return searcher.measure(request.inputs);
    case 'minimize': {
      const minimized = minimize(target, request.input, request.error, request.runs);
      assert(minimized !== undefined, 'an input that has led to an error leads to it again');
      return minimized;
    }
    case 'confirm':
      return (await Target.create(held.request)).run(request.input).findings;
    case 'coverage':
      return searcher.coverage(request.inputs);
  }
});
