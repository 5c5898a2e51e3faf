/** `redzone status`: shows what a queue holds, and cancels runs. */
import { statusOptions } from '../options/queue-options.js';
import type { Given } from '../options/schema.js';
import { settingsOf } from '../options/settings.js';
import type { QueueOverview } from '../queue/overview.js';
import { urlOf } from './worker.js';

export type StatusOptions = Given<typeof statusOptions>;

export interface StatusReport extends QueueOverview {
  readonly schema: 1;
  readonly command: 'status';
  /** The outcome of cancelling a run. */
  readonly cancelled?: 'cancelled' | 'removed';
}

/** Throws InputError if the queue cannot be used, or has no such run. */
export async function status(given: StatusOptions): Promise<StatusReport> {
  const options = settingsOf(statusOptions, given);
  const { cancel } = options;
  const [{ QueueConnection }, { overviewOf, cancelRun }] = await Promise.all([
    import('../queue/connection.js'),
    import('../queue/overview.js'),
  ]);
  const connection = await QueueConnection.open(urlOf(options));
  try {
    const cancelled = cancel === undefined ? undefined : await cancelRun(connection, cancel);
    const overview = await overviewOf(connection);
    return { schema: 1, command: 'status', ...(cancelled && { cancelled }), ...overview };
  } finally {
    await connection.close();
  }
}
