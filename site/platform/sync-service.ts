/**
 * `src/platform/sync-service.ts` for a page. The caller blocks as well, but:
 *
 * - a worker of a page cannot start while the one that starts it is blocked, so the page itself
 *   starts the service (`page-workers.ts`);
 * - a sleeping worker receives no messages, so answers come through shared memory, in pieces:
 *
 *     | state | bytes of the piece | is it the last? | text of the answer, as JSON … |
 *       0: the service may write       1: the caller may read
 */
import type { SyncReply, SyncService } from '../../src/platform/sync-service.js';
import { InternalError } from '../../src/support/assert.js';
import { isStopRaised } from '../../src/support/stop-flag.js';
import { endOnPage, startOnPage } from './page-workers.js';
import { workerData } from './threads.js';

export type { SyncReply, SyncService };

export const START_MILLISECONDS = 60_000;

const State = { service: 0, caller: 1 } as const;
const [stateAt, bytesAt, lastAt, headWords] = [0, 1, 2, 3];
const pieceBytes = 1 << 18;
/** How often a blocked caller checks whether to stop. */
const lookMs = 50;

/** Both halves of the shared memory. */
class Mailbox {
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(readonly buffer = new SharedArrayBuffer(4 * headWords + pieceBytes)) {
    this.#words = new Int32Array(buffer, 0, headWords);
    this.#bytes = new Uint8Array(buffer, 4 * headWords);
  }

  /** The service's half. */
  send(text: string): void {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at === 0 || at < bytes.length; at += pieceBytes) {
      const piece = bytes.subarray(at, at + pieceBytes);
      Atomics.wait(this.#words, stateAt, State.caller);
      this.#bytes.set(piece);
      this.#words[bytesAt] = piece.length;
      this.#words[lastAt] = at + pieceBytes >= bytes.length ? 1 : 0;
      this.#hand(State.caller);
    }
  }

  /** The caller's half; undefined after the time limit, or if it must stop. */
  receive(milliseconds: number): string | undefined {
    const end = performance.now() + milliseconds;
    const decoder = new TextDecoder();
    for (let text = ''; ; ) {
      const left = end - performance.now();
      Atomics.wait(this.#words, stateAt, State.service, Math.max(0, Math.min(left, lookMs)));
      if (Atomics.load(this.#words, stateAt) === State.caller) {
        const isLast = this.#words[lastAt] === 1;
        const piece = this.#bytes.slice(0, this.#words[bytesAt]!);
        text += decoder.decode(piece, { stream: !isLast });
        this.#hand(State.service);
        if (isLast) return text;
      } else if (left <= 0 || isStopRaised()) return undefined;
    }
  }

  #hand(state: number): void {
    Atomics.store(this.#words, stateAt, state);
    Atomics.notify(this.#words, stateAt);
  }
}

type Answer<Reply> = { readonly reply: Reply } | { readonly error: string };

interface ServiceData {
  readonly port: MessagePort;
  readonly buffer: SharedArrayBuffer;
}

interface Running {
  readonly worker: number;
  readonly port: MessagePort;
  readonly mailbox: Mailbox;
  isReady: boolean;
}

export function startSyncService<Request, Reply>(module: string): SyncService<Request, Reply> {
  let running: Running | undefined;

  const close = (): void => {
    if (running === undefined) return;
    endOnPage(running.worker);
    running.port.close();
    running = undefined;
  };
  const launch = (): Running => {
    const { port1, port2 } = new MessageChannel();
    const mailbox = new Mailbox();
    const data: ServiceData = { port: port2, buffer: mailbox.buffer };
    return { worker: startOnPage(module, data, [port2]), port: port1, mailbox, isReady: false };
  };
  const isReadyWithin = (milliseconds: number): boolean => {
    running ??= launch();
    running.isReady ||= running.mailbox.receive(milliseconds) !== undefined;
    return running.isReady;
  };

  return {
    launch() {
      running ??= launch();
    },
    isReadyWithin,
    call(request, milliseconds): SyncReply<Reply> {
      if (!isReadyWithin(START_MILLISECONDS) || running === undefined) {
        close();
        if (isStopRaised()) return { kind: 'late' };
        throw new InternalError(`the worker ${module} did not start`);
      }
      running.port.postMessage(request);
      const text = running.mailbox.receive(milliseconds);
      if (text === undefined) {
        close();
        return { kind: 'late' };
      }
      const answer = JSON.parse(text) as Answer<Reply>;
      if ('reply' in answer) return { kind: 'reply', reply: answer.reply };
      close();
      throw new InternalError(`the worker ${module} failed: ${answer.error}`);
    },
    close,
  };
}

export async function serveSync<Request, Reply>(
  prepare: () => Promise<(request: Request) => Promise<Reply>>,
): Promise<void> {
  const { port, buffer } = workerData as ServiceData;
  const mailbox = new Mailbox(buffer);
  const handle = await prepare();
  port.onmessage = ({ data }: MessageEvent<Request>) => {
    handle(data).then(
      reply => mailbox.send(JSON.stringify({ reply })),
      error => mailbox.send(JSON.stringify({ error: String(error?.stack ?? error) })),
    );
  };
  mailbox.send('');
}
