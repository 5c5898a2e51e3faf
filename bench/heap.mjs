// The figures of the heap: every malloc against ptmalloc2 (tables B.1 to B.4 of the report), and the report's experiments (B.3) with a cache of
// 16 entries, one of 2, and lists whose last hit moves to the front, all before or in the same hash table. Run by `npm run bench:heap`.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { LinearMemory } from '../dist/malloc/linear-memory.js';
import { layOutArenas } from '../dist/malloc/separate/arenas.js';
import { LinearHash, PER_RECORD } from '../dist/malloc/separate/linear-hash.js';
import { MetadataSpace } from '../dist/malloc/separate/metadata-space.js';
import { ADDRESS } from '../dist/malloc/separate/records.js';
import { SeparateMalloc } from '../dist/malloc/separate/separate-malloc.js';
import { decodeTrace } from '../dist/malloc/trace.js';
import { makeWorkload, workloadNames } from '../dist/malloc/workloads.js';
import { timeOf } from '../dist/monitor/run/replay-run.js';

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

  constructor(table, records, entries) {
    this.table = table;
    this.records = records;
    this.addresses = new Int32Array(entries);
    this.found = new Int32Array(entries);
  }

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

  insert(record) {
    this.table.insert(record);
    this.#remember(this.records[record + ADDRESS], record);
  }

  remove(record) {
    const at = this.found.indexOf(record);
    if (at >= 0) this.addresses[at] = this.found[at] = 0;
    this.table.remove(record);
  }

  #remember(address, record) {
    this.addresses[this.#next] = address;
    this.found[this.#next] = record;
    this.#next = this.#next + 1 === this.addresses.length ? 0 : this.#next + 1;
  }

  get bytesUsed() {
    return this.table.bytesUsed;
  }
}

/** sri's heap with one arena, over the index of a variant. */
class Experiment extends SeparateMalloc {
  extraBytesApart = 0;

  constructor(memory, space, variant) {
    let index;
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
        const entries = { 'cache of 16': 16, 'cache of 2': 2 }[variant];
        index = entries === undefined ? hash : new CachedIndex(hash, words, entries);
        return index;
      },
    });
    super(memory, records, arenas, 0);
    this.index = index;
  }

  arenaOf() {
    return this.arenas[0];
  }

  marked(address) {
    return address;
  }
}

function traceOf(name) {
  if (workloadNames.includes(name)) return makeWorkload(name);
  return decodeTrace(readFileSync(new URL(`../runtime/heap/traces/${name}.trace`, import.meta.url)));
}

/** In a process of its own, so that what V8 learned of one variant does not slow down the next. */
function measureVariant(variant, workload) {
  let last;
  const make = () => {
    const memory = new LinearMemory({ buffer: new ArrayBuffer(limit) }, { start, limit });
    last = new Experiment(memory, new MetadataSpace({ bytes: limit }), variant);
    return { memory, malloc: last };
  };
  const { nsPerCall } = timeOf(traceOf(workload), true, 9, make);
  return { nsPerCall, hitRate: last.index.lookups > 0 ? last.index.hits / last.index.lookups : undefined };
}

const [option, ...args] = process.argv.slice(2);
if (option === '--variant') {
  console.log(JSON.stringify(measureVariant(...args)));
} else {
  const redzone = new URL('../bin/redzone.js', import.meta.url).pathname;
  if (option !== '--experiments') {
    console.log('Every malloc against ptmalloc2\n');
    spawnSync(process.execPath, [redzone, 'heap', 'compare', '-q', ...(option ? [option, ...args] : [])], {
      stdio: 'inherit',
    });
  }
  console.log(
    `\nThe report's experiments (B.3): time against the same table without them, ${PER_RECORD} buckets for each record\n`,
  );
  const geometric = new Map(variants.map(variant => [variant, []]));
  for (const workload of [...recorded, ...workloadNames]) {
    const results = variants.map(() => ({ nsPerCall: Number.POSITIVE_INFINITY }));
    for (let turn = 0; turn < 3; turn++)
      for (const [i, variant] of variants.entries()) {
        const { stdout } = spawnSync(process.execPath, [process.argv[1], '--variant', variant, workload], {
          encoding: 'utf8',
        });
        const result = JSON.parse(stdout);
        if (result.nsPerCall < results[i].nsPerCall) results[i] = result;
      }
    const [base] = results;
    const cells = results.map((result, i) => {
      const ratio = result.nsPerCall / base.nsPerCall;
      geometric.get(variants[i]).push(Math.log(ratio));
      const hits = result.hitRate === undefined ? '' : `, ${(100 * result.hitRate).toFixed(0)} % hits`;
      return i === 0 ? `${result.nsPerCall.toFixed(1)} ns` : `${variants[i]} ${signed(ratio)}${hits}`;
    });
    console.log(`${workload.padEnd(12)} ${cells.join('; ')}`);
  }
  const mean = values => Math.exp(values.reduce((a, b) => a + b, 0) / values.length);
  const means = variants.slice(1).map(variant => `${variant} ${signed(mean(geometric.get(variant)))}`);
  console.log(`${'mean'.padEnd(12)} ${means.join('; ')}`);
}

function signed(ratio) {
  const percent = 100 * (ratio - 1);
  return `${percent < 0 ? '' : '+'}${percent.toFixed(1)} %`;
}
