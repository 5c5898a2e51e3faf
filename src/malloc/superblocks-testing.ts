/**
 * For tests: runs the lock-free part of elfpa, as it ships, in all interleavings of small programs.
 *
 * Every access to a shared word is a step of the scheduler that also runs the hash table
 * (`hashtable/interleaving`). The map from addresses to descriptors is one word for each unit here,
 * and asking it one step: that the table behind it behaves like that is what its own exploration
 * shows. The break moves in one step, too.
 *
 * Checked with every step: no block is handed out that is in use. At every end: exactly the blocks
 * that threads took and did not give back are in use, no two the same; no block, superblock or
 * descriptor is lost; the invariants of `Superblocks.check` hold.
 */
import {
  type Execution,
  exploreInterleavings,
  type InterleavingReport,
} from '../hashtable/interleaving/explore-interleavings.js';
import { runAlone } from '../hashtable/interleaving/interpreted-memory.js';
import { type Perform, ReplayedProcess } from '../hashtable/interleaving/replayed-process.js';
import { SimulatedMemory } from '../hashtable/interleaving/simulated-memory.js';
import type { StepEvent } from '../hashtable/interleaving/simulated-thread.js';
import type { StepValue } from '../hashtable/language/interpret.js';
import { assert } from '../support/assert.js';
import type { PlainWords, SharedWords, TaggedWords } from './shared-words.js';
import { CLASS_OF, SUPERBLOCK, Superblocks, UNIT_SHIFT } from './superblocks.js';

/** Superblocks of four blocks. */
const BLOCK = 2048;
const OTHER_BLOCK = 1024;
const DESCRIPTORS = 4;
/** In a slot: a call has failed. */
const FAILED = -1;
const SLOTS = 12;
const MEMORY_BYTES = 2048;
const TAG = 2n ** 20n;

/** `other` takes a block of another class, of which there are eight in a superblock. */
export type Operation = 'take' | 'other' | 'give';
/** The calls of a thread, each with one of its slots, which holds the address of a block. */
export type CallSequence = readonly (readonly [Operation, slot: number])[];

export interface SuperblockScenario {
  /**
   * The calls of one thread before the others, without interleaving. A thread takes over the slots
   * that its program names.
   */
  readonly before?: CallSequence;
  readonly threads: readonly CallSequence[];
  /** The processor heap of each thread; 0 by default. */
  readonly heaps?: readonly number[];
  /** How many descriptors there can be. */
  readonly descriptors?: number;
  /** The words without a tag, to show what the tags prevent. */
  readonly untagged?: 'anchors' | 'lists';
}

/** Where words are in the memory of the scheduler: each gets a place when it is first used. */
class Places {
  readonly #places = new Map<string, number>();

  of(name: string, index: number): number {
    const key = `${name} ${index}`;
    const at = this.#places.get(key) ?? 8 * (this.#places.size + 1);
    assert(at < MEMORY_BYTES, 'the memory has room for all words');
    this.#places.set(key, at);
    return at;
  }
}

function sharedWords(name: string, places: Places, perform: Perform): SharedWords {
  const step =
    (operation: 'load32' | 'store32' | 'cas32' | 'add32' | 'or32' | 'and32', what: string) =>
    (index: number, ...operands: number[]): number =>
      Number(
        perform({ step: `${name}.${what}`, operation, operands: [places.of(name, index), ...operands] }),
      );
  const add = step('add32', 'add');
  const and = step('and32', 'clear');
  const replace = step('cas32', 'replace');
  return {
    read: step('load32', 'read'),
    write: step('store32', 'write'),
    load: step('load32', 'load'),
    store: step('store32', 'store'),
    replace: (index, expected, desired) => replace(index, expected, desired) === 1,
    add: (index, change) => add(index, change) - change,
    setBits: step('or32', 'set'),
    clearBits: (index, bits) => and(index, ~bits),
  };
}

function taggedWords(
  { untagged, descriptors = DESCRIPTORS }: SuperblockScenario,
  places: Places,
  perform: Perform,
): TaggedWords {
  const nameOf = (index: number): 'anchors' | 'lists' => (index <= descriptors ? 'anchors' : 'lists');
  return {
    get(index) {
      const name = nameOf(index);
      return Number(
        perform({ step: `${name}.read`, operation: 'load64', operands: [places.of(name, index)] }),
      );
    },
    replace(index, expected, desired) {
      const name = nameOf(index);
      const kept = name === untagged ? BigInt(desired) % TAG : BigInt(desired);
      const operands = [places.of(name, index), BigInt(expected), kept];
      return perform({ step: `${name}.replace`, operation: 'cas64', operands }) === 1;
    },
  };
}

function superblocks(
  scenario: SuperblockScenario,
  places: Places,
  perform: Perform,
  heap: number,
): Superblocks {
  const words = (name: string): SharedWords => sharedWords(name, places, perform);
  const map = words('map');
  const links: PlainWords = words('links');
  return new Superblocks({
    words: {
      ...{ actives: words('actives'), supply: words('supply'), descriptors: words('descriptors') },
      ...{ nextDescriptor: words('nextDescriptor'), nextUnit: words('nextUnit'), links },
      tagged: taggedWords(scenario, places, perform),
      // Unknown units are 0 in the memory.
      map: { get: unit => map.load(unit) - 1, set: (unit, value) => map.store(unit, value + 1) },
    },
    ...{ descriptorCount: scenario.descriptors ?? DESCRIPTORS, heapCount: 2, heap },
    sbrk: bytes => SUPERBLOCK + words('break').add(0, bytes),
    lastResort: () => 0,
  });
}

export function exploreSuperblocks(scenario: SuperblockScenario): InterleavingReport {
  const places = new Places();
  /** Fields: the processor heap, then the slots. */
  const start = (fields: readonly StepValue[] = new Array(1 + SLOTS).fill(0)): ReplayedProcess =>
    new ReplayedProcess((perform, own, name, [slot]) => {
      const at = Number(slot) + 1;
      const small = superblocks(scenario, places, perform, Number(own[0]));
      if (name !== 'give') {
        own[at] = small.take(CLASS_OF[(name === 'take' ? BLOCK : OTHER_BLOCK) >> 4]!) || FAILED;
      } else {
        const address = Number(own[at]);
        const entry = sharedWords('map', places, perform).load(address >>> UNIT_SHIFT) - 1;
        own[at] = small.give(address, entry >> 1) === 'ok' ? 0 : FAILED;
      }
      return 0;
    }, fields);

  const memory = new SimulatedMemory(new Int32Array(MEMORY_BYTES >> 2));
  const first = start();
  for (const [operation, slot] of scenario.before ?? []) runAlone(first, memory, operation, [slot]);

  return exploreInterleavings({
    start,
    initial: memory.words,
    threads: scenario.threads.map((program, thread) => ({
      fields: [
        scenario.heaps?.[thread] ?? 0,
        ...first.fields.slice(1).map((address, slot) => (names(program, slot) ? address : 0)),
      ],
      calls: program.map(([operation, slot]) => ({
        ...{ operation, name: operation, operands: [slot], resultOf: Number },
      })),
    })),
    checkStep: handsOutTwice,
    checkExecution: checkEnd,
  });

  function checkEnd({ words, fields }: Execution<unknown, number>): string | undefined {
    if (fields.flat().includes(FAILED)) return 'a call has failed';
    const after = new SimulatedMemory(words);
    const small = superblocks(scenario, places, step => after.perform(step).answer, 0);
    const used: number[] = [];
    let byteCount = 0;
    small.walk((kind, address, bytes) => {
      if (kind === 'client') used.push(address);
      byteCount += bytes;
    });
    const left = first.fields.slice(1).filter((_, slot) => !scenario.threads.some(own => names(own, slot)));
    const held = [...left, ...fields.flatMap(own => own.slice(1))]
      .map(Number)
      .filter(address => address !== 0);
    if (sorted(held).join() !== sorted(used).join()) return `threads have ${held}, in use are ${used}`;
    const supplied = words[places.of('break', 0) >> 2];
    if (byteCount !== supplied) return `of ${supplied} bytes ${byteCount} are known`;
    return small.check();
  }
}

function names(program: CallSequence, slot: number): boolean {
  return program.some(([, own]) => own === slot);
}

function sorted(addresses: readonly number[]): number[] {
  return [...addresses].sort((a, b) => a - b);
}

function handsOutTwice({ step, before, after, thread }: StepEvent): string | undefined {
  return step === 'descriptors.set' && before[0] === after[0]
    ? `thread ${thread} gets a block that is in use`
    : undefined;
}

export const take = (slot: number): readonly ['take', number] => ['take', slot];
export const other = (slot: number): readonly ['other', number] => ['other', slot];
export const give = (slot: number): readonly ['give', number] => ['give', slot];
