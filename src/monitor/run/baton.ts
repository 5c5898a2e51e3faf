/**
 * The baton that the workers of the program's threads pass to each other: one runs at a time, the
 * others wait on shared memory (`Atomics.wait`), without an event loop.
 *
 * ```
 *   words of the buffer      0 .. 255           a signal for each slot: what its worker waits for
 *                            256 ..             a call that a worker requests from the home worker:
 *                                               function, how many arguments, kinds; then the values
 * ```
 *
 * The home worker runs the main thread and has the host and the monitor; it executes the imports
 * that a thread calls while the main thread waits. Only passing the baton needs no such call.
 */
export const slots = 256;

/** Why a worker is woken. */
export const Signal = { none: 0, go: 1, serve: 2, failed: 3, answered: 4 } as const;

const call = { function: slots, count: slots + 1, kinds: slots + 2, result: slots + 3 };
const firstValue = slots + 4;
const mostValues = 16;
const batonBytes: number = (firstValue + 2 * (mostValues + 1)) * 4;
/** The space for the message of a failure. */
const messageBytes = 1024;

export type WasmValue = number | bigint;

export class Baton {
  readonly #words: Int32Array;
  readonly #numbers: Float64Array;
  readonly #integers: BigInt64Array;
  readonly #message: Uint8Array;

  constructor(readonly buffer: SharedArrayBuffer = new SharedArrayBuffer(batonBytes + messageBytes)) {
    this.#words = new Int32Array(buffer, 0, batonBytes / 4);
    const values = [buffer, firstValue * 4, mostValues + 1] as const;
    this.#numbers = new Float64Array(...values);
    this.#integers = new BigInt64Array(...values);
    this.#message = new Uint8Array(buffer, batonBytes, messageBytes);
  }

  wake(slot: number, signal: number): void {
    Atomics.store(this.#words, slot, signal);
    Atomics.notify(this.#words, slot);
  }

  wait(slot: number): number {
    for (;;) {
      const signal = Atomics.exchange(this.#words, slot, Signal.none);
      if (signal !== Signal.none) return signal;
      Atomics.wait(this.#words, slot, Signal.none);
    }
  }

  /** Asks the home worker to call import number `index` for the thread in `slot`. */
  ask(slot: number, index: number, args: readonly WasmValue[]): WasmValue | undefined {
    let kinds = 0;
    args.forEach((value, i) => {
      if (typeof value === 'bigint') {
        this.#integers[i] = value;
        kinds |= 1 << i;
      } else this.#numbers[i] = value;
    });
    this.#words[call.function] = index;
    this.#words[call.count] = args.length;
    this.#words[call.kinds] = kinds;
    this.#words[call.result] = slot;
    this.wake(0, Signal.serve);
    this.wait(slot);
    const kind = this.#words[call.kinds];
    if (kind === 0) return undefined;
    return kind === 1 ? this.#numbers[mostValues] : this.#integers[mostValues];
  }

  /** In the home worker: executes the requested call. */
  serve(functions: readonly ((...values: WasmValue[]) => unknown)[]): void {
    const [index, count, kinds, slot] = this.#words.slice(call.function, call.result + 1) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const args: WasmValue[] = [];
    for (let i = 0; i < count; i++) args.push((kinds >> i) & 1 ? this.#integers[i]! : this.#numbers[i]!);
    const result = functions[index]!(...args);
    if (typeof result === 'bigint') this.#integers[mostValues] = result;
    else this.#numbers[mostValues] = Number(result ?? 0);
    this.#words[call.kinds] = typeof result === 'bigint' ? 2 : result === undefined ? 0 : 1;
    this.wake(slot, Signal.answered);
  }

  /** Records the error that ended a thread: its kind and message. */
  fail(text: string): void {
    this.#message.fill(0);
    this.#message.set(new TextEncoder().encode(text).subarray(0, messageBytes - 1));
    this.wake(0, Signal.failed);
  }

  get failure(): string {
    const end = this.#message.indexOf(0);
    return new TextDecoder().decode(this.#message.slice(0, end));
  }
}

/** The start message of a thread's worker. */
export interface ThreadStart {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly baton: SharedArrayBuffer;
  readonly slot: number;
}

/** The functions that a program imports, in the order in which `ask` numbers them. */
export function importNames(module: WebAssembly.Module): string[] {
  return WebAssembly.Module.imports(module)
    .filter(({ kind }) => kind === 'function')
    .map(({ name }) => name);
}
