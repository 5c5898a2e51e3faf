/**
 * The thread between a caller that waits and the process that runs native functions (see
 * `native-calls.ts`).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { NativeReply, TimedRequest } from './native-calls.js';
import { serveSync } from './sync-service.js';

let child: ChildProcess | undefined;

/**
 * Starts a process and waits until it has loaded everything, so that loading does not count as time
 * of the call.
 */
function start(): Promise<ChildProcess> {
  const started = fork(fileURLToPath(new URL('./native-child.js', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child = started;
  return new Promise((resolve, reject) => {
    started.once('message', () => resolve(started));
    started.once('error', reject);
  });
}

async function ask({ request, milliseconds }: TimedRequest): Promise<NativeReply> {
  const target = child ?? (await start());
  return new Promise(resolve => {
    const settle = (reply: NativeReply): void => {
      clearTimeout(timer);
      target.off('message', onMessage);
      target.off('exit', onExit);
      resolve(reply);
    };
    const onMessage = (reply: unknown): void => settle(reply as NativeReply);
    const onExit = (code: number | null, signal: string | null): void => {
      child = undefined;
      settle({ kind: 'crashed', signal: signal ?? `exit ${code}` });
    };
    const timer = setTimeout(() => {
      child = undefined;
      target.kill('SIGKILL');
      settle({ kind: 'late' });
    }, milliseconds);
    target.on('message', onMessage);
    target.on('exit', onExit);
    target.send(request);
  });
}

process.on('exit', () => child?.kill('SIGKILL'));
await serveSync<TimedRequest, NativeReply>(async () => ask);
