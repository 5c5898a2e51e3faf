/**
 * Figures of the three allocators: `npm run bench:kdalloc` (it builds first). Node runs it with
 * --expose-gc, so that memory is measured after a collection. Times are the best of many short
 * rounds, because a short round may run undisturbed on a busy machine. All columns come from one
 * process, and ratios can be compared between machines.
 */
import { createAllocator, Region, UNLIMITED } from '../dist/kdalloc/index.js';
import { Random } from '../dist/support/random.js';

const ROUNDS = 1000;
/** The time limit for the rounds of one figure; at least three rounds are run. */
const MOST_MS = 1000;

/**
 * @typedef {Parameters<typeof createAllocator>[0]} Options
 * @typedef {ReturnType<typeof create>} Allocator
 * @typedef {{ allocator: Allocator, addresses: Float64Array, at?: number }} Subject
 * @typedef {(subject: Subject, repetitions: number) => void} Run
 */

/** @type {{ name: string, options: Options }[]} */
const subjects = [
  { name: 'kdalloc', options: { kind: 'kdalloc' } },
  { name: 'kdalloc, quarantine 8', options: { kind: 'kdalloc', quarantine: 8 } },
  { name: 'kdalloc, quarantine 0', options: { kind: 'kdalloc', quarantine: 0 } },
  { name: 'global', options: { kind: 'global' } },
  { name: 'bump', options: { kind: 'bump' } },
];

/** @param {Options} options */
function create(options) {
  const created = createAllocator({ quarantine: UNLIMITED, ...options });
  if (created.kind === 'invalid') throw new Error(created.problem);
  return created.allocator;
}

/** Buffers are freed asynchronously, so the collector runs until the size does not change. */
async function usedBytes() {
  let bytes = 0;
  for (let before = -1; before !== bytes; ) {
    before = bytes;
    for (let i = 0; i < 3; i++) {
      globalThis.gc?.();
      await new Promise(resolve => setTimeout(resolve, 5));
    }
    const { heapUsed, external } = process.memoryUsage();
    // Allocations of this loop itself are not counted.
    if (Math.abs(heapUsed + external - bytes) > 2048) bytes = heapUsed + external;
  }
  return bytes;
}

/**
 * Nanoseconds per repetition, the best round. `prepare` runs before each round and is not measured.
 *
 * @template T
 * @param {number} repetitions
 * @param {() => T} prepare
 * @param {(subject: T, repetitions: number) => unknown} run
 */
function time(repetitions, prepare, run) {
  let best = Number.POSITIVE_INFINITY;
  const begin = performance.now();
  for (let round = 0; round < ROUNDS; round++) {
    if (round >= 3 && performance.now() - begin > MOST_MS) break;
    const subject = prepare();
    const start = process.hrtime.bigint();
    run(subject, repetitions);
    best = Math.min(best, Number(process.hrtime.bigint() - start) / repetitions);
  }
  return best;
}

/** Typical sizes of blocks, most of them small. */
const random = new Random(6);
const sizes = Array.from({ length: 1024 }, () => 1 + random.below(2 ** (1 + random.below(11))));

/** @param {ReturnType<Allocator['allocate']>} allocation */
function addressOf(allocation) {
  if (allocation.kind === 'failed') throw new Error(allocation.reason);
  return allocation.address;
}

/**
 * An allocator with this many live objects, and their addresses in random order.
 *
 * @param {Options} options
 * @param {number} count
 * @param {(i: number) => number} sizeOf
 */
function populate(options, count, sizeOf = i => sizes[i & 1023]) {
  const allocator = create(options);
  const addresses = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    addresses[i] = addressOf(allocator.allocate(Region.heap, sizeOf(i)));
  }
  for (let i = count - 1; i > 0; i--) {
    const other = random.below(i + 1);
    [addresses[i], addresses[other]] = [addresses[other], addresses[i]];
  }
  return { allocator, addresses };
}

/** @type {Run} */
function allocateAndFree({ allocator }, repetitions) {
  for (let i = 0; i < repetitions; i++) {
    allocator.deallocate(addressOf(allocator.allocate(Region.heap, sizes[i & 1023])));
  }
}

/** @type {Run} */
function allocateAndFreeLarge({ allocator }, repetitions) {
  for (let i = 0; i < repetitions; i++) {
    allocator.deallocate(addressOf(allocator.allocate(Region.heap, 4096 + sizes[i & 1023])));
  }
}

/** @type {(subject: Subject, repetitions: number) => Allocator} */
function fork({ allocator }, repetitions) {
  let state = allocator;
  for (let i = 0; i < repetitions; i++) state = state.fork();
  return state;
}

/**
 * A fork whose two sides continue: the child allocates, and the parent frees its earlier
 * allocations.
 *
 * @type {Run}
 */
function forkAndTouch({ allocator }, repetitions) {
  for (let i = 0; i < repetitions; i++) {
    const address = addressOf(allocator.allocate(Region.heap, sizes[i & 1023]));
    allocator.fork().allocate(Region.heap, sizes[i & 1023]);
    allocator.deallocate(address);
  }
}

let found = 0;
/**
 * Objects in random order; a round continues where the previous one ended, so that all of them are
 * located.
 *
 * @type {Run}
 */
function locate(subject, repetitions) {
  const { allocator, addresses } = subject;
  let at = subject.at ?? 0;
  for (let i = 0; i < repetitions; i++) {
    if (allocator.locate(addresses[at]).kind === 'object') found++;
    if (++at === addresses.length) at = 0;
  }
  subject.at = at;
}

/**
 * @param {Options} options
 * @param {number} count
 * @param {(i: number) => number} [sizeOf]
 */
async function bytesPerLiveObject(options, count, sizeOf) {
  const before = await usedBytes();
  const { allocator } = populateSilently(options, count, sizeOf);
  const bytes = ((await usedBytes()) - before) / count;
  allocator.locate(0);
  return bytes;
}

/**
 * As `populate`, without a list of addresses that would be measured too.
 *
 * @param {Options} options
 * @param {number} count
 * @param {(i: number) => number} sizeOf
 */
function populateSilently(options, count, sizeOf = i => sizes[i & 1023]) {
  const allocator = create(options);
  for (let i = 0; i < count; i++) allocator.allocate(Region.heap, sizeOf(i));
  return { allocator };
}

/**
 * Bytes per fork of a state with this many objects, when each fork allocates `touched` objects.
 *
 * @param {Options} options
 * @param {number} objects
 * @param {number} forks
 * @param {number} touched
 */
async function bytesPerFork(options, objects, forks, touched) {
  const { allocator } = populateSilently(options, objects);
  const states = new Array(forks);
  const before = await usedBytes();
  for (let i = 0; i < forks; i++) {
    states[i] = allocator.fork();
    for (let t = 0; t < touched; t++) states[i].allocate(Region.heap, 8);
  }
  const bytes = ((await usedBytes()) - before) / forks;
  states[0].locate(0);
  return bytes;
}

const MILLION = 1_000_000;
/**
 * @type {[figure: string, unit: string, limit: number | undefined, measure: (options: Options) =>
 *       number | Promise<number>][]}
 */
const table = [
  [
    'allocate and free, 1,000 live',
    'ns',
    200,
    o =>
      time(
        20_000,
        once(() => populate(o, 1000)),
        allocateAndFree,
      ),
  ],
  [
    'allocate and free, 10^6 live',
    'ns',
    200,
    o =>
      time(
        20_000,
        once(() => populate(o, MILLION)),
        allocateAndFree,
      ),
  ],
  [
    'allocate and free, large, 1,000 live',
    'ns',
    undefined,
    o =>
      time(
        2000,
        once(() => populate(o, 1000, i => 4096 + sizes[i & 1023])),
        allocateAndFreeLarge,
      ),
  ],
  [
    'fork, 10^6 live',
    'ns',
    2000,
    o =>
      time(
        100_000,
        once(() => populate(o, MILLION)),
        fork,
      ),
  ],
  [
    'allocate, fork, both sides write, 10^6 live',
    'ns',
    undefined,
    o =>
      time(
        20_000,
        once(() => populate(o, MILLION)),
        forkAndTouch,
      ),
  ],
  [
    'locate, 1,000 live',
    'ns',
    50,
    o =>
      time(
        20_000,
        once(() => populate(o, 1000)),
        locate,
      ),
  ],
  [
    'locate, 10^6 live, scattered',
    'ns',
    50,
    o =>
      time(
        20_000,
        once(() => populate(o, MILLION)),
        locate,
      ),
  ],
  ['memory per live object, 10^6 live', 'B', undefined, o => bytesPerLiveObject(o, MILLION)],
  [
    'memory per live large object, 10^5 live',
    'B',
    undefined,
    o => bytesPerLiveObject(o, 100_000, i => 4096 + i),
  ],
  ['memory per fork, 10^5 forks of 10^6 live', 'B', undefined, o => bytesPerFork(o, MILLION, 100_000, 0)],
  ['… that allocate once each', 'B', undefined, o => bytesPerFork(o, MILLION, 100_000, 1)],
];

/**
 * A random cycle through all indices.
 *
 * @param {number} length
 */
function permutation(length) {
  const order = Uint32Array.from({ length }, (_, i) => i);
  for (let i = length - 1; i > 0; i--) {
    const other = random.below(i);
    [order[i], order[other]] = [order[other], order[i]];
  }
  return order;
}

/**
 * @param {Uint32Array} chain
 * @param {number} repetitions
 */
function follow(chain, repetitions) {
  let at = 0;
  for (let i = 0; i < repetitions; i++) at = chain[at];
  found += at & 1;
}

/**
 * The same prepared subject for every round.
 *
 * @template T
 * @param {() => T} prepare
 * @returns {() => T}
 */
function once(prepare) {
  /** @type {T | undefined} */
  let prepared;
  return () => {
    prepared ??= prepare();
    return prepared;
  };
}

const columns = subjects.map(({ name }) => name);
console.log(`| figure | limit | ${columns.join(' | ')} |\n|---|---|${columns.map(() => '---|').join('')}`);
/** `npm run bench:kdalloc -- locate` prints the rows whose names begin with `locate`. */
const wanted = process.argv[2] ?? '';
for (const [figure, unit, limit, measure] of table.filter(([figure]) => figure.startsWith(wanted))) {
  const cells = [];
  for (const { options } of subjects)
    cells.push(`${(await measure(options)).toFixed(unit === 'B' ? 1 : 0)} ${unit}`);
  console.log(`| ${figure} | ${limit === undefined ? '' : `${limit} ${unit}`} | ${cells.join(' | ')} |`);
}
console.log(`\nFor comparison, what this machine needs for one load whose address the load before it gave:`);
for (const megabytes of [0.02, 2.3, 36]) {
  const chain = permutation(Math.round((megabytes * 2 ** 20) / 4));
  console.log(`- anywhere in ${megabytes} MB: ${time(MILLION / 10, () => chain, follow).toFixed(1)} ns`);
}
if (found === 0) throw new Error('locate found nothing');
