// Real code as targets: `npm run bench:fuzz -- --real [--minutes=N] [TARGET...]`. Libraries from
// npm packages are fuzzed with all checks on, each for N minutes of processor time without
// compilation, and the findings are listed. A finding that is not in the list of verified ones
// makes the exit code 1.
//
// The corpora and the totals of all runs are kept in `redzone-out/fuzz-real`, so that a long search
// can be made in parts: each continues with the corpus of the one before and with another seed.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowV8Flags, fuzz } from '../dist/index.js';
import { installPackages, sourcesOf } from './real/packages.mjs';

/**
 * The seeds of each search, and the verified findings: code, location and how it was verified. The
 * driver is the file in `real/targets` with another name than the target's.
 *
 * @type {Record<
 *   string,
 *   { seeds: (string | number[])[], driver?: string, verified?: [string, string, string][] }
 * >}
 */
const targets = {
  expat: {
    seeds: [
      '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE a [<!ENTITY b "c"><!ATTLIST a d CDATA "e">]><a f="g">&b;<!-- h --><![CDATA[i]]></a>',
    ],
  },
  zlib: {
    seeds: [
      [0, 0x78, 0x9c, 0x4b, 0x4c, 0x44, 0x05, 0, 0x14, 0xe1, 0x03, 0xcb],
      [0, 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b, 0x4c, 4, 0, 1, 2, 3, 4],
      '\u00c6 a text, a text, a text',
    ],
  },
  lz4: {
    seeds: [[16, 1, 0x54, 97, 98, 99, 100, 101, 4, 0, 0x50, 102, 103, 104, 105, 106], 'ab a text, a text'],
  },
  sqlite: {
    seeds: [
      "create table t(a integer primary key,b text); insert into t(b) values('x'),('y'); select a,upper(b) from t where b like 'x%' order by 1;",
      'with recursive c(n) as (select 1 union all select n+1 from c where n<5) select sum(n),group_concat(n) over (order by n) from c;',
    ],
  },
  zopfli: {
    seeds: [
      [0x91, ...Buffer.from('a text, a text, a text')],
      [0x25, 0, 0, 0, 0, 1, 0, 0, 0, 0],
    ],
    verified: [
      [
        'infinite-loop',
        'katajainen.c:71',
        'one iteration on 584 random bytes take more than 50,000,000 steps and fewer than 100,000,000; natively, 295,284,263 basic blocks',
      ],
    ],
  },
  'tree-sitter-json': {
    driver: 'tree-sitter',
    seeds: ['{"a": [1, -2.5e3, true, null], "b\\\\n\\\\u00e9": {}} // c\n'],
  },
  'tree-sitter': {
    seeds: [
      'static int f(struct s *p, int n) {\n  for (;;) if (n < 0) return p->a[n] * 2; /* c */\n}\n#define X "y"\n',
    ],
  },
  lua: {
    seeds: [
      "local t={1,2,x='y'} for k,v in pairs(t) do t[k]=string.format('%s',v) end return #t, t.x:rep(3)",
    ],
    verified: [
      [
        'signed-overflow',
        'ltable.c:82',
        'luai_hashnum adds the halves of a double as int; UBSan of clang 14 reports the same',
      ],
      [
        'signed-overflow',
        'ltable.c:448',
        'luaH_getint subtracts 1 from the smallest int; UBSan of clang 14 reports the same',
      ],
      [
        'signed-overflow',
        'lobject.c:145',
        'lua_strx2number adds the digits of an exponent as int; UBSan of clang 14 reports the same',
      ],
      [
        'float-cast-overflow',
        'lapi.c:355',
        'lua_tointegerx converts a number of any size to ptrdiff_t; UBSan of clang 14 reports the same',
      ],
      [
        'infinite-loop',
        'lstrlib.c:120',
        'string.rep with a count of 63,599,872 makes more than 50,000,000 iterations; natively, too',
      ],
    ],
  },
  duktape: {
    seeds: ["function f(a,b){var x=[1,'s',/r+/g];try{return {a:a*b|0}}catch(e){}} for(;;){break}"],
    verified: [
      [
        'float-cast-overflow',
        'duk_js_compiler.c:1816',
        'duk__is_whole_get_int32 converts a number of any size; UBSan of clang 14 reports the same',
      ],
    ],
  },
};

const home = join(import.meta.dirname, '../redzone-out/fuzz-real');

/** @typedef {{ parts: number, runs: number, minutes: number }} Total */

/** @param {string[]} only @param {number} minutes */
export async function fuzzReal(only, minutes) {
  installPackages();
  // As on the command line; without them, V8 needs 12 GB for Duktape.
  allowV8Flags();
  const names = Object.keys(targets).filter(name => only.length === 0 || only.includes(name));
  let news = 0;
  console.log(`real code, ${minutes} minutes of processor time each, all checks on`);
  console.log(['target', 'runs', 'edges', 'inputs', 'findings', 'runs in all', 'minutes in all'].join('\t'));
  for (const name of names) {
    const { seeds, verified = [], driver = name } = targets[name] ?? { seeds: [] };
    const folder = join(home, name);
    const corpus = join(folder, 'corpus');
    const totalFile = join(folder, 'total.json');
    const isNew = !existsSync(corpus);
    mkdirSync(corpus, { recursive: true });
    for (const [i, seed] of isNew ? seeds.entries() : [])
      writeFileSync(
        join(corpus, `seed-${i}`),
        typeof seed === 'string' ? Buffer.from(seed, 'latin1') : Uint8Array.from(seed),
      );
    /** @type {Total} */
    const total = existsSync(totalFile)
      ? JSON.parse(readFileSync(totalFile, 'utf8'))
      : { parts: 0, runs: 0, minutes: 0 };
    const program = sourcesOf(name, join(import.meta.dirname, 'real/targets', `${driver}.c`));
    const { report, used } = await fuzzFor(minutes, {
      ...program,
      folder,
      corpus: [corpus],
      seed: total.parts + 1,
    });
    const { stats, findings } = report;
    total.parts++;
    total.runs += stats.runs ?? 0;
    total.minutes += used;
    writeFileSync(totalFile, JSON.stringify(total));
    const counts = [stats.runs, stats.edges, stats.corpus, findings.length, total.runs];
    const shown = counts.map(count => (count ?? 0).toLocaleString('en'));
    console.log([name, ...shown, total.minutes.toFixed(1)].join('\t'));
    for (const { code, message, location, input } of findings) {
      const place = `${location?.file.split('/').at(-1)}:${location?.line}`;
      const known = verified.find(([knownCode, at]) => knownCode === code && at === place);
      if (known === undefined) news++;
      console.log(`  ${code} at ${place}: ${message}; ${known?.[2] ?? `not verified, ${input}`}`);
    }
  }
  return news;
}

/**
 * Searches for this many minutes of processor time; returns how many it used.
 *
 * @param {number} minutes @param {import('../dist/index.js').FuzzOptions} options
 */
async function fuzzFor(minutes, options) {
  const controller = new AbortController();
  /** @type {NodeJS.CpuUsage | undefined} */
  let start;
  const minutesUsed = () => {
    const { user, system } = process.cpuUsage(start);
    return start === undefined ? 0 : (user + system) / 60e6;
  };
  /** @param {import('../dist/index.js').RunEvent} event */
  const onEvent = event => {
    if (event.kind === 'phase' && event.text === 'fuzzing') start ??= process.cpuUsage();
  };
  const clock = setInterval(() => minutesUsed() >= minutes && controller.abort(), 1000);
  const report = await fuzz(options, { onEvent, signal: controller.signal });
  clearInterval(clock);
  return { report, used: minutesUsed() };
}
