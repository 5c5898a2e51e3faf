/**
 * The host's side of labels: it numbers names and sources, labels the bytes that the host writes to
 * memory, and decodes a label that reaches a sink.
 *
 * `runtime/monitor/labels.h` draws a node: names (bits), source, first and last byte, and the
 * assignments along the flow.
 */
import type { FlowFacts, FlowSource } from '../../findings/facts.js';
import type { SourceLocation } from '../../findings/finding.js';
import type { ImportFunctions } from '../../host/bind.js';
import type { Host } from '../../host/host.js';
import { strings } from '../../host/wire.js';
import { type LabelRequest, type SinkKind, secretName, sinkKinds } from '../../labels/flow-rules.js';
import { labelNodesStart } from '../memory-map.js';
import type { ProgramMemory } from './program-memory.js';

export interface LabelExports {
  readonly __rz_labels_start: (tainted: number, secret: number) => void;
  readonly __rz_label_input: (
    address: number,
    bytes: number,
    names: number,
    source: number,
    offset: number,
  ) => void;
  readonly __rz_label_clear: (address: number, bytes: number) => void;
}

/** Names are the bits of a word; further names share the last bit. */
const mostNames = 32;
const nodeWords = 8;
const wayLength = 4;

export interface LabelSurroundings {
  readonly memory: ProgramMemory;
  readonly host: Host;
  /** The current location in the program's own code. */
  location(): SourceLocation | undefined;
  siteLocation(site: number): SourceLocation | undefined;
  found(facts: FlowFacts, site: number): void;
}

export class LabelReports {
  readonly #names: string[] = [];
  readonly #sources: Omit<FlowSource, 'first' | 'last'>[] = [];
  readonly #numbers = new Map<string, number>();
  /** The offset of the next sequential read, by handle. */
  readonly #positions = new Map<number, number>();
  readonly #paths = new Map<number, string>();
  #exports!: LabelExports;

  constructor(
    private readonly request: LabelRequest,
    private readonly around: LabelSurroundings,
  ) {}

  start(exports: LabelExports): void {
    this.#exports = exports;
    const sources = this.request.rules.flatMap(rule => (rule.role === 'source' ? [rule.name ?? ''] : []));
    const setOf = (names: readonly string[]): number =>
      names.reduce((set, name) => set | this.#setOf(name), 0);
    exports.__rz_labels_start(
      setOf([...this.request.taint, ...sources]),
      setOf([...this.request.secrets, secretName]),
    );
  }

  // ----------------------------------------------------------------------------- names and sources

  #setOf(name: string): number {
    let number = this.#names.indexOf(name);
    if (number < 0) number = this.#names.length < mostNames ? this.#names.push(name) - 1 : mostNames - 1;
    return 1 << number;
  }

  #isNamed(name: string): boolean {
    return this.request.taint.includes(name) || this.request.secrets.includes(name);
  }

  /** The number of a source; the same location has the same number. */
  #source(what: FlowSource['what'], name: string, location = this.around.location()): number {
    const key = JSON.stringify([what, name, location]);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#sources.push({ what, name, ...(location && { location }) });
      this.#numbers.set(key, number);
    }
    return number;
  }

  #label(address: number, bytes: number, name: string, source: number, offset: number): void {
    if (bytes > 0) this.#exports.__rz_label_input(address, bytes, this.#setOf(name), source, offset);
  }

  /** Memory that the host writes has no label unless it is given one. */
  #clear(pointer: bigint, bytes: number): void {
    if (bytes > 0) this.#exports.__rz_label_clear(addressOf(pointer), bytes);
  }

  // -------------------------------------------------------------------------------------- the host

  /** The functions of the host, wrapped so that they label their data. */
  imports(plain: ImportFunctions): ImportFunctions {
    const call = (name: string, ...args: unknown[]): unknown =>
      (plain[name] as (...given: unknown[]) => unknown)(...args);
    return {
      ...plain,
      __host_open: (path: bigint, length: bigint, flags: number, mode: number) => {
        const handle = call('__host_open', path, length, flags, mode) as number;
        this.#positions.set(handle, 0);
        this.#paths.set(handle, this.#text(path, length));
        return handle;
      },
      __host_seek: (handle: number, offset: bigint, whence: number) => {
        const position = call('__host_seek', handle, offset, whence) as bigint;
        if (position >= 0n) this.#positions.set(handle, Number(position));
        return position;
      },
      __host_write: (handle: number, from: bigint, n: bigint, offset: bigint) => {
        const count = call('__host_write', handle, from, n, offset) as bigint;
        if (offset < 0n) this.#advance(handle, Number(count));
        return count;
      },
      __host_read: (handle: number, to: bigint, n: bigint, offset: bigint) => {
        const count = call('__host_read', handle, to, n, offset) as bigint;
        const at = offset < 0n ? this.#advance(handle, Number(count)) : Number(offset);
        this.#hasRead(handle, to, Number(count), at);
        return count;
      },
      __host_strings: (which: number, to: bigint, n: bigint) => {
        const length = call('__host_strings', which, to, n) as bigint;
        if (n >= length) this.#hasStrings(which, addressOf(to));
        return length;
      },
      __host_input: (to: bigint, n: bigint, name: bigint, length: bigint) => {
        call('__host_input', to, n, name, length);
        this.#clear(to, Number(n));
        const text = this.#text(name, length);
        if (this.#isNamed(text)) this.#label(addressOf(to), Number(n), text, this.#source('input', text), 0);
      },
      ...Object.fromEntries(
        Object.entries(writers).map(([name, [pointer, bytes]]) => [
          name,
          (...args: bigint[]) => {
            const result = call(name, ...args);
            this.#clear(args[pointer]!, typeof bytes === 'number' ? bytes : Number(args[bytes[0]]!));
            return result;
          },
        ]),
      ),
      ...this.#ofProgram(),
    };
  }

  #text(at: bigint, length: bigint): string {
    return new TextDecoder().decode(this.around.memory.bytes(addressOf(at), Number(length)));
  }

  #advance(handle: number, count: number): number {
    const at = this.#positions.get(handle) ?? 0;
    if (count > 0) this.#positions.set(handle, at + count);
    return at;
  }

  #hasRead(handle: number, to: bigint, count: number, offset: number): void {
    this.#clear(to, count);
    const name = handle === 0 ? 'stdin' : 'files';
    if (count <= 0 || !this.#isNamed(name)) return;
    const source =
      handle === 0 ? this.#source('stdin', '') : this.#source('file', this.#paths.get(handle) ?? '');
    this.#label(addressOf(to), count, name, source, offset);
  }

  /** Labels all arguments except the name of the program, and the values of variables. */
  #hasStrings(which: number, to: number): void {
    const areArguments = which === strings.__HOST_ARGUMENTS;
    const name = areArguments ? 'args' : 'env';
    const list = areArguments ? this.around.host.arguments() : this.around.host.environment();
    let at = to;
    for (const [i, text] of list.entries()) {
      const bytes = encoder.encode(text).length;
      const [variable] = text.split('=', 1) as [string];
      const skipped = areArguments ? (i === 0 ? bytes : 0) : encoder.encode(variable).length + 1;
      if (this.#isNamed(name) && bytes > skipped) {
        const [what, which] = areArguments
          ? (['argument', `${i}`] as const)
          : (['variable', variable] as const);
        this.#label(at + skipped, bytes - skipped, name, this.#source(what, which), 0);
      }
      at += bytes + 1;
    }
  }

  /** The imports of the runtime and the C library. */
  #ofProgram(): ImportFunctions {
    const { memory } = this.around;
    return {
      __rz_label_named: (name: bigint) => this.#setOf(memory.cString(addressOf(name))),
      __rz_label_given: (names: number) => this.#source('label', this.#namesIn(names).join(', ')),
      __rz_label_rule_name: (rule: number) =>
        31 - Math.clz32(this.#setOf(this.request.rules[rule]!.name ?? '')),
      __rz_label_rule_source: (rule: number) => this.#source('function', this.request.rules[rule]!.function),
      __rz_label_text: (names: number, to: bigint, n: bigint) => {
        const text = encoder.encode(this.#namesIn(names).join(',')).subarray(0, Number(n) - 1);
        memory.setBytes(addressOf(to), Uint8Array.of(...text, 0));
        return BigInt(text.length);
      },
      __rz_report_flow: (label: number, kind: number, isSecret: number, site: number) =>
        this.around.found(this.#facts(label >>> 0, sinkKinds[kind] ?? 'call', isSecret !== 0), site),
    };
  }

  #namesIn(set: number): string[] {
    return this.#names.filter((_, i) => ((set >>> i) & 1) === 1);
  }

  #facts(label: number, sink: SinkKind, isSecret: boolean): FlowFacts {
    const word = (index: number): number =>
      this.around.memory.word(labelNodesStart + (label * nodeWords + index) * 4);
    const source = this.#sources[word(1) - 1];
    const way: SourceLocation[] = [];
    for (let i = wayLength - 1; i >= 0; i--) {
      const place = word(4 + i) === 0 ? undefined : this.around.siteLocation(word(4 + i));
      if (place !== undefined) way.push(place);
    }
    return {
      kind: 'flow',
      sink,
      isSecret,
      names: this.#namesIn(word(0)),
      ...(source && { source: { ...source, first: word(2), last: word(3) } }),
      way,
    };
  }
}

/**
 * Other host functions that write memory: the argument that points to it, and the size or the
 * argument with the size.
 */
const writers: Readonly<Record<string, readonly [pointer: number, bytes: number | readonly [number]]>> = {
  __host_stat: [3, 56],
  __host_fstat: [1, 56],
  __host_list: [2, 272],
  __host_readlink: [2, [3]],
  __host_getcwd: [0, [1]],
  __host_random: [0, [1]],
};

const encoder = new TextEncoder();

function addressOf(pointer: bigint): number {
  return Number(BigInt.asUintN(32, pointer));
}
