/** The queue of a run that this process leads. */
import { inputError } from '../findings/diagnostic.js';
import { absolutePath, workingFolder } from '../platform/files.js';
import { machineName } from '../platform/process-place.js';
import type { QueueConnection } from '../queue/connection.js';

export interface LedRun {
  readonly queue?: string | undefined;
  readonly run?: string | undefined;
  readonly folder?: string | undefined;
}

/** Connects before anything is compiled, so that an unusable queue is reported at once. */
export async function queueFor({ queue, run, folder }: LedRun): Promise<QueueConnection | undefined> {
  if (queue === undefined && run !== undefined)
    throw inputError('`--run` names a run of a queue', '`--queue URL` names the queue');
  if (queue === undefined) return undefined;
  if (run === undefined && folder === undefined)
    throw inputError('a run of a queue has a name', 'give `run`, or a `folder`');
  const { QueueConnection } = await import('../queue/connection.js');
  return QueueConnection.open(queue);
}

export function nameOfRun({ run, folder = '' }: LedRun): string {
  return run ?? `${machineName()}:${absolutePath(workingFolder(), folder)}`;
}
