/**
 * A connection to the PostgreSQL server of a queue. The session survives a restart of the server
 * and temporary network failures.
 *
 *     query ──▶ connected? ──no──▶ connect, `onConnect`, then the query
 *       ▲                                  │ fails in a way that may pass
 *       └──────── wait, try again ◀────────┘      (for `patienceMs`)
 *
 * All statements are idempotent, because a reply may be lost after the server has committed.
 *
 * **Invariant.** A process counts as alive while it holds its advisory lock, which the server
 * releases when the connection ends. So no clocks are compared, and a killed process is noticed at
 * once. The server notices within half a minute if a machine vanishes without closing its
 * connections (`keepalives`).
 *
 * Why one connection and no pool: locks and LISTEN belong to a session.
 */
import type { Client } from 'pg';
import { InputError, inputError } from '../findings/diagnostic.js';

export interface QueueSession {
  /** Channels to listen to. */
  readonly channels: () => readonly string[];
  /** Runs first on each new connection. Notifications in the meantime are lost. */
  readonly onConnect: (query: Query) => Promise<void>;
  readonly onNews: (channel: string, payload: string) => void;
  /** Called when the server becomes unreachable and when it is reachable again. */
  readonly onTrouble: (message: string) => void;
}

export type Query = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Final messages are not worth waiting for if the server is unreachable. */
export async function soon(words: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>(resolve => {
    timer = setTimeout(resolve, lastWordsMs);
  });
  await Promise.race([words.catch(() => undefined), limit]);
  clearTimeout(timer);
}

const lastWordsMs = 2000;

/** How long the server may be unreachable. */
const patienceMs = 600_000;
const connectMs = 10_000;
const queryMs = 60_000;
const firstWaitMs = 100;
const longestWaitMs = 2000;
/** The server probes a silent client after 10 s, and then 3 times every 5 s. */
const keepalives =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c client_min_messages=warning';

/** The session before the connection is opened and after it is closed. */
const NO_SESSION: QueueSession = {
  channels: () => [],
  onConnect: async () => undefined,
  onNews: () => undefined,
  onTrouble: () => undefined,
};

export class QueueConnection {
  /** The server and the database, without the password. */
  readonly name: string;
  readonly #url: string;
  #session: QueueSession = NO_SESSION;
  #client: Promise<Client> | undefined;
  #current: Client | undefined;
  /** The last query; queries are sent one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** Since when the server has been unreachable; undefined while it responds. */
  #awaySince: number | undefined;
  #isClosed = false;

  private constructor(url: string, name: string) {
    this.#url = url;
    this.name = name;
  }

  /**
   * Connects once. Throws InputError with the reason if the address or the server cannot be used.
   */
  static async open(url: string): Promise<QueueConnection> {
    const connection = new QueueConnection(url, nameOf(url));
    try {
      await connection.#connected();
      return connection;
    } catch (error) {
      throw cannotConnect(connection.name, error as ServerError);
    }
  }

  /** Uses this session for the current and for all later connections. */
  async use(session: QueueSession): Promise<void> {
    this.#session = session;
    try {
      await this.#begin(await this.#connected());
    } catch (error) {
      if (mayPass(error as ServerError) === undefined) throw error;
      await this.query('SELECT 1');
    }
  }

  /** Waits until the server responds. Throws InputError if that takes too long. */
  query: Query = async <Row extends object>(text: string, values: readonly unknown[] = []) => {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
      try {
        const client = await this.#connected();
        const { rows } = await this.#ask<Row>(client, text, values);
        this.#isBack();
        return rows;
      } catch (error) {
        const reason = mayPass(error as ServerError);
        if (this.#isClosed) throw error;
        if (reason === undefined) throw otherTables(this.name, error as ServerError);
        this.#isAway(reason);
        await new Promise(resolve => setTimeout(resolve, waitMs));
      }
    }
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#session = NO_SESSION;
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<Client> {
    try {
      const { default: pg } = await loadPg();
      const client = new pg.Client({
        connectionString: this.#url,
        application_name: 'redzone',
        keepAlive: true,
        connectionTimeoutMillis: connectMs,
        query_timeout: queryMs,
        options: keepalives,
      });
      client.on('error', () => this.#lose(client));
      client.on('end', () => this.#lose(client));
      client.on('notification', ({ channel, payload = '' }) => this.#session.onNews(channel, payload));
      await client.connect();
      this.#current = client;
      await this.#begin(client);
      return client;
    } catch (error) {
      this.#client = undefined;
      throw error;
    }
  }

  async #begin(client: Client): Promise<void> {
    for (const channel of this.#session.channels()) await this.#ask(client, `LISTEN ${channel}`, []);
    await this.#session.onConnect(
      async <Row extends object>(text: string, values: readonly unknown[] = []) => {
        const { rows } = await this.#ask<Row>(client, text, values);
        return rows;
      },
    );
  }

  /** Sends queries one after the other. */
  #ask<Row extends object>(
    client: Client,
    text: string,
    values: readonly unknown[],
  ): Promise<{ readonly rows: Row[] }> {
    const answer = this.#last.then(() => client.query<Row>({ text, values: [...values] }));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  /** Reconnects even without a query, because a listener needs a connection. */
  #lose(client: Client): void {
    if (this.#current !== client) return;
    this.#current = undefined;
    this.#client = undefined;
    void client.end().catch(() => undefined);
    if (!this.#isClosed) this.query('SELECT 1').catch(() => undefined);
  }

  #isAway(reason: string): void {
    if (this.#awaySince === undefined) {
      this.#awaySince = performance.now();
      const tries = `trying again for ${patienceMs / 60_000} min`;
      this.#session.onTrouble(`the queue at ${this.name} does not respond: ${reason}; ${tries}`);
    }
    if (performance.now() - this.#awaySince > patienceMs)
      throw inputError(`the queue at ${this.name} was unavailable for ${patienceMs / 60_000} min: ${reason}`);
  }

  #isBack(): void {
    if (this.#awaySince === undefined) return;
    this.#awaySince = undefined;
    this.#session.onTrouble(`the queue at ${this.name} is available again`);
  }
}

async function loadPg(): Promise<typeof import('pg')> {
  try {
    return await import('pg');
  } catch (error) {
    if ((error as ServerError).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw inputError(
      'a queue needs the package `pg`, which is not installed',
      'it is an optional dependency of Redzone: `npm install pg`',
    );
  }
}

/** Throws InputError if it is not the address of a PostgreSQL server. */
function nameOf(url: string): string {
  const refuse = (): never => {
    throw inputError(
      `'${url.replace(/:[^:@/]*@/, ':...@')}' is not the address of a queue`,
      'a queue is a PostgreSQL database: `postgres://USER@HOST:PORT/DATABASE`',
    );
  };
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) refuse();
  const { host, pathname } = new URL(url);
  return `${host === '' ? 'localhost' : host}${pathname}`;
}

/** The errors of Node, `pg` and PostgreSQL. */
interface ServerError extends Error {
  /** A code of the system or of SQL. */
  readonly code?: string;
  readonly errors?: readonly ServerError[];
}

const systemReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server answers there',
  ENOTFOUND: 'there is no machine of this name',
  EAI_AGAIN: 'the name of the machine cannot be looked up',
  ECONNRESET: 'the server has closed the connection',
  EPIPE: 'the server has closed the connection',
  ETIMEDOUT: 'the machine does not answer',
  EHOSTUNREACH: 'the machine cannot be reached',
  ENETUNREACH: 'the machine cannot be reached',
};

/** The errors of `pg` itself, which have no code. */
const clientReasons: readonly (readonly [message: RegExp, reason: string])[] = [
  [/timeout/i, 'the machine does not answer'],
  [/^Connection terminated/, 'the server has closed the connection'],
  [/password must be a string|^empty password/, 'the server requires a password'],
  [/does not support SSL/, 'the server does not support TLS'],
];

/** A system's reason, or that of `pg`. */
function knownReason({ code = '', message }: ServerError): string | undefined {
  return systemReasons[code] ?? clientReasons.find(([text]) => text.test(message))?.[1];
}

/**
 * Classes of SQL error codes: insufficient resources, operator intervention, system error,
 * deadlock.
 */
const passing = /^(53|57P|58|40|08)/;

/** The reason of a failure that may be temporary. */
function mayPass(error: ServerError): string | undefined {
  if (error instanceof InputError) return undefined;
  const first = error.errors?.[0] ?? error;
  const { code = '', message } = first;
  if (code in systemReasons) return systemReasons[code];
  if (/^[0-9A-Z]{5}$/.test(code)) return passing.test(code) ? lineOf(message) : undefined;
  return /connection|timeout/i.test(message)
    ? (knownReason(first) ?? lineOf(message.toLowerCase()))
    : undefined;
}

function cannotConnect(name: string, error: ServerError): Error {
  if (error instanceof InputError) return error;
  const first = error.errors?.[0] ?? error;
  const { code = '', message } = first;
  const reason = knownReason(first) ?? lineOf(message);
  const help =
    code === '28P01' || /password/.test(reason)
      ? 'the password is part of the address, or in PGPASSWORD, or in ~/.pgpass'
      : code === 'ECONNREFUSED'
        ? '`redzone worker --embedded` starts a temporary server'
        : undefined;
  return inputError(`cannot use the queue at ${name}: ${reason}`, help);
}

/** The schema, a table or a column is missing: it was removed or changed in the meantime. */
function otherTables(name: string, error: ServerError): Error {
  const { code = '', message } = error;
  if (!/^(3F000|42P01|42703)$/.test(code)) return error;
  return inputError(`cannot use the queue at ${name}: ${lineOf(message)}`);
}

const lineOf = (message: string): string => message.split('\n')[0]!;
