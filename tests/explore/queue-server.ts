/** A PostgreSQL server for the tests of a file, and helpers to use it. */
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { work } from '../../src/index.js';
import { type PostgresServer, startPostgres } from '../../src/platform/postgres-server.js';

export interface QueueServer {
  readonly url: string;
  readonly sql: (text: string) => Promise<unknown[]>;
  /** Workers with one thread each, until the tests of the file end. */
  readonly startWorkers: (count: number) => void;
}

export function queueServer(): QueueServer {
  let server: PostgresServer | undefined;
  const stopWorkers = new AbortController();
  const workers: Promise<unknown>[] = [];
  const url = (): string => server!.url;
  beforeAll(async () => {
    const started = await startPostgres();
    if (started.kind !== 'started') throw new Error(JSON.stringify(started));
    server = started.server;
  });
  afterAll(async () => {
    stopWorkers.abort();
    await Promise.all(workers);
    await server?.stop();
  });
  return {
    get url() {
      return url();
    },
    sql: async text => {
      const client = new pg.Client(url());
      await client.connect();
      try {
        return (await client.query(text)).rows;
      } finally {
        await client.end();
      }
    },
    startWorkers: count => {
      for (let i = 0; i < count; i++)
        workers.push(work({ queue: url(), workers: 1 }, { signal: stopWorkers.signal }));
    },
  };
}
