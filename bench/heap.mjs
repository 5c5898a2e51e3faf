/**
 * Prints the tables of `docs/heap.md`: `npm run bench:heap`, about five minutes, or one half of it
 * with `-- --compare` or `-- --experiments`.
 *
 * Compares every malloc with ptmalloc2 (tables B.1 to B.4 of the report), and repeats the report's
 * experiments (its section B.3): a cache of 16 entries, one of 2, and lists whose last hit moves to
 * the front, each in front of or inside the same hash table.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { timeOf } from '../dist/heap/measure-trace.js';
import { isWorkloadName, workloadNames } from '../dist/heap/workload-names.js';
import { makeWorkload } from '../dist/heap/workloads.js';
import { baseline, heapCompare, mallocNames, overheadOf } from '../dist/index.js';
import { decodeTrace } from '../dist/malloc/heap-trace-format.js';
import { LinearMemory } from '../dist/malloc/linear-memory.js';
import { layOutArenas } from '../dist/malloc/separate/arenas.js';
import { LinearHash, PER_RECORD } from '../dist/malloc/separate/linear-hash.js';
import { MetadataSpace } from '../dist/malloc/separate/metadata-space.js';
import { ADDRESS } from '../dist/malloc/separate/records.js';
import { SeparateMalloc } from '../dist/malloc/separate/separate-malloc.js';
import { allowV8Flags } from '../dist/platform/node.js';

allowV8Flags();

/**
 * @typedef {{ nsPerCall: number, hitRate?: number }} Result `hitRate` for variants with a cache
 * @typedef {import('../dist/index.js').MallocName} MallocName
 */

const variants = [
  'no cache',
  'cache of 16',
  'cache of 2',
  'move to front',
  'lists of 4',
  'lists of 4, move to front',
];
const recorded = ['sqlite', 'tree-sitter', 'lmdb'];
const start = 65_536;
const limit = 256 << 20;

/** The most recent lookups, in a ring that is searched from one end. */
class CachedIndex {
  hits = 0;
  lookups = 0;
  #next = 0;

  /**
   * @param {LinearHash} table
   * @param {Int32Array} records
   * @param {number} entries
   */
  constructor(table, records, entries) {
    this.table = table;
    this.records = records;
    this.addresses = new Int32Array(entries);
    this.found = new Int32Array(entries);
  }

  /** @param {number} address */
  find(address) {
    this.lookups++;
    for (let i = 0; i < this.addresses.length; i++)
      if (this.addresses[i] === address) {
        this.hits++;
        return this.found[i];
      }
    const record = this.table.find(address);
    if (record !== 0) this.#remember(address, record);
    return record;
  }

  /** @param {number} record */
  insert(record) {
    this.table.insert(record);
    this.#remember(this.records[record + ADDRESS], record);
  }

  /** @param {number} record */
  remove(record) {
    const at = this.found.indexOf(record);
    if (at >= 0) this.addresses[at] = this.found[at] = 0;
    this.table.remove(record);
  }

  /**
   * @param {number} address
   * @param {number} record
   */
  #remember(address, record) {
    this.addresses[this.#next] = address;
    this.found[this.#next] = record;
    this.#next = this.#next + 1 === this.addresses.length ? 0 : this.#next + 1;
  }

  get bytesUsed() {
    return this.table.bytesUsed;
  }

  check() {
    return this.table.check();
  }
}

/** sri's heap with one arena, over the index of a variant. */
class Experiment extends SeparateMalloc {
  extraBytesApart = 0;
  /** @type {CachedIndex | undefined} */
  cache;

  /**
   * @param {LinearMemory} memory
   * @param {MetadataSpace} space
   * @param {string} variant
   */
  constructor(memory, space, variant) {
    /** @type {CachedIndex | undefined} */
    let cache;
    const table = space.carve((32 << 20) / 4);
    const { records, arenas } = layOutArenas(memory, space, {
      count: 1,
      largestFast: 512,
      indexFor: words => {
        const hash = new LinearHash(
          table,
          words,
          variant.endsWith('move to front'),
          variant.startsWith('lists of 4') ? 0.25 : PER_RECORD,
        );
        const entries = variant === 'cache of 16' ? 16 : variant === 'cache of 2' ? 2 : undefined;
        if (entries === undefined) return hash;
        cache = new CachedIndex(hash, words, entries);
        return cache;
      },
    });
    super(memory, records, arenas, 0);
    this.cache = cache;
  }

  arenaOf() {
    return this.arenas[0];
  }

  /** @param {number} address */
  marked(address) {
    return address;
  }
}

/** @param {string} name */
function traceOf(name) {
  if (isWorkloadName(name)) return makeWorkload(name);
  const trace = decodeTrace(readFileSync(new URL(`../runtime/heap/traces/${name}.trace`, import.meta.url)));
  if ('problem' in trace) throw new Error(`${name}: ${trace.problem}`);
  return trace;
}

/**
 * In a separate process, so that V8's optimisations for one variant do not affect the next.
 *
 * @param {string} variant
 * @param {string} workload
 * @returns {Result}
 */
function measureVariant(variant, workload) {
  /** @type {Experiment[]} */
  const made = [];
  const make = () => {
    const memory = new LinearMemory({ buffer: new ArrayBuffer(limit) }, { start, limit });
    const malloc = new Experiment(memory, new MetadataSpace({ bytes: limit }), variant);
    made[0] = malloc;
    return { memory, malloc };
  };
  const { nsPerCall } = timeOf(traceOf(workload), true, 9, make);
  const { cache } = made[0];
  return cache === undefined ? { nsPerCall } : { nsPerCall, hitRate: cache.hits / cache.lookups };
}

/** @param {number} value */
const percent = value => `${value < 0 ? '' : '+'}${value.toFixed(0)} %`;
/** @param {number} bytes */
const kibibytes = bytes => `${Math.round(bytes / 1024)}`;
/** @param {readonly number[]} ratios */
const meanOf = ratios => Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);

/**
 * @param {string} title
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
function printTable(title, head, rows) {
  console.log(`\n${title}\n\n| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}

async function compareMallocs() {
  const { measurements, meanOverheadPercent } = await heapCompare({ turns: 2 });
  const workloads = [...new Set(measurements.map(({ workload }) => workload))];
  /** @type {(malloc: MallocName, workload: string) => (typeof measurements)[number]} */
  const of = (malloc, workload) =>
    measurements.filter(found => found.malloc === malloc && found.workload === workload)[0];
  const base = workloads.map(workload => of(baseline, workload));
  const others = mallocNames.filter(malloc => malloc !== baseline);
  /** @param {MallocName} malloc */
  const overheads = malloc =>
    workloads.map(workload => overheadOf(of(malloc, workload), measurements) ?? Number.NaN);

  printTable(
    `Time per call, with the work on the blocks, against ${baseline}`,
    ['', ...workloads, 'mean', 'worst'],
    [
      [baseline, ...base.map(({ nsPerCall }) => `${nsPerCall.toFixed(1)} ns`), '', ''],
      ...others.map(malloc => [
        malloc,
        ...overheads(malloc).map(percent),
        percent(meanOverheadPercent[malloc] ?? Number.NaN),
        percent(Math.max(...overheads(malloc))),
      ]),
    ],
  );
  printTable(
    'Time per call of the malloc alone, in nanoseconds',
    ['', ...workloads],
    mallocNames.map(malloc => [
      malloc,
      ...workloads.map(workload => of(malloc, workload).nsPerCallAlone.toFixed(1)),
    ]),
  );
  printTable(
    'Peak in KiB (of it apart), fragmented',
    ['', ...workloads],
    mallocNames.map(malloc => [
      malloc,
      ...workloads.map(workload => {
        const { peakBytes, metadataBytesApart, fragmentationPercent } = of(malloc, workload);
        return `${kibibytes(peakBytes)} (${kibibytes(metadataBytesApart)}), ${fragmentationPercent.toFixed(0)} %`;
      }),
    ]),
  );
}

/**
 * The best of two runs of each variant, each in a separate process.
 *
 * @param {string} workload
 */
function measureAll(workload) {
  /** @type {Result[]} */
  const results = variants.map(() => ({ nsPerCall: Number.POSITIVE_INFINITY }));
  for (let turn = 0; turn < 2; turn++)
    for (const [i, variant] of variants.entries()) {
      const args = [process.argv[1], '--variant', variant, workload];
      const result = JSON.parse(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout);
      if (result.nsPerCall < results[i].nsPerCall) results[i] = result;
    }
  return results;
}

function compareExperiments() {
  const workloads = [...recorded, ...workloadNames];
  const measured = workloads.map(measureAll);
  /** Lists of 4 that move to the front are compared with lists of 4 that do not. */
  const rows = variants.slice(1).flatMap((variant, i) => {
    const base = variant === 'lists of 4, move to front' ? variants.indexOf('lists of 4') : 0;
    const ratios = measured.map(results => results[i + 1].nsPerCall / results[base].nsPerCall);
    const hits = measured.map(results => results[i + 1].hitRate);
    const cells = ratios.map(ratio => percent(100 * (ratio - 1)));
    const row = [variant, ...cells, percent(100 * (meanOf(ratios) - 1))];
    if (hits[0] === undefined) return [row];
    return [row, ['its hits', ...hits.map((rate = 0) => `${(100 * rate).toFixed(0)} %`), '']];
  });
  printTable(
    `Time against the same table without the experiment, ${PER_RECORD} buckets for each record`,
    ['', ...workloads, 'mean'],
    rows,
  );
}

const [option, ...args] = process.argv.slice(2);
if (option === '--variant') console.log(JSON.stringify(measureVariant(args[0], args[1])));
else {
  if (option !== '--experiments') await compareMallocs();
  if (option !== '--compare') compareExperiments();
}
