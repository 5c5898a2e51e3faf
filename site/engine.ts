/**
 * The worker in which the library runs: one call of the page at a time. The calls start further
 * workers for the compiler and for the program under test, as on the command line.
 *
 * A call is stopped by its AbortSignal; a worker that does not react is ended by the page
 * (`engine-client.ts`).
 */

import { InputError } from '../src/findings/diagnostic.js';
import { calls } from './engine-calls.js';
import type { EngineAnswer, EngineCall, EngineMessage } from './engine-protocol.js';
import { tellDownloads } from './platform/assets.js';
import { build } from './platform/build-facts.js';
import { openKeptCache } from './platform/kept-cache.js';
import { mountPackage } from './platform/mount.js';
import { setSession } from './platform/node.js';

let mounting: Promise<unknown> | undefined;
let running: AbortController | undefined;

self.onmessage = ({ data }: MessageEvent<EngineMessage>) => {
  if (data.kind === 'stop') running?.abort();
  else void answer(data);
};

async function answer(call: EngineCall): Promise<void> {
  const { id, session } = call;
  const post = (message: EngineAnswer): void => self.postMessage(message);
  running = new AbortController();
  const { signal } = running;
  try {
    setSession(session);
    tellDownloads(session);
    mounting ??= Promise.all([mountPackage(), openKeptCache(build.stamp)]);
    await mounting;
    const value = await (calls[call.name] as (options: unknown, control: unknown) => Promise<unknown>)(
      call.options,
      { signal, onEvent: (event: never) => post({ id, kind: 'event', event }) },
    );
    post({ id, kind: 'value', value: value as never });
  } catch (error) {
    if (error instanceof InputError) post({ id, kind: 'bad input', diagnostics: error.diagnostics });
    else if (signal.aborted) post({ id, kind: 'stopped' });
    else post({ id, kind: 'defect', message: String((error as Error)?.stack ?? error) });
    // Failed downloads are tried again.
    if (!signal.aborted) mounting = mounting?.catch(() => undefined) && undefined;
  }
}
