/**
 * `npm run bench:solver`: the solver against Z3 alone, on queries that our own generators make.
 *
 * A generator models a program: it yields branch conditions in the order in which an explorer would
 * meet them (and assumptions, as a harness makes). At each branch both sides are queried under the
 * path so far, and a feasible one is taken. The same queries are then made to
 *   chain   the solver as the explorer uses it: persistent sets, implied values, slices, caches, CaDiCaL
 *   cold    the same without caches, implied values and slices: the whole path as one query to CaDiCaL
 *   Z3      the whole path as one SMT-LIB script to Z3, each in an empty context
 * and all answers must agree. Times are per query; the ratio is the geometric mean over
 * queries.
 */
import { Terms } from '../dist/expr/terms.js';
import { Solver } from '../dist/solver/solver.js';
import { Random } from '../dist/support/random.js';

/**
 * @typedef {import('../dist/expr/term.js').Term} Term
 * @typedef {(name: string, random: Random) => Generator<Term | { assume: Term }>} Generate
 * @typedef {{ path: number, constraints: readonly Term[], asked: Term }} Query
 * @typedef {{ answer: string, milliseconds: number }} Result
 */

const REPEAT = 2;
/**
 * The limits of every query for every solver; an unknown answer is not a disagreement.
 */
const LIMITS = { milliseconds: 2000, conflicts: 0 };
const t = new Terms();
/** @type {(width: number, value: number | bigint) => Term} */
const c = (width, value) => t.constant(width, value);

/**
 * @param {string} name
 * @param {number} length
 */
function bytesOf(name, length) {
  const array = t.symbolicArray(name, length);
  return Array.from({ length }, (_, i) => t.read(array, c(32, i)));
}

/**
 * A number, then a keyword or an operator, character by character, as in a hand-written
 * parser.
 *
 * @type {Generate}
 */
function* byteParser(name, random) {
  const input = bytesOf(name, 12);
  let at = 0;
  let value = c(32, 0);
  for (let digits = 2 + random.below(3); digits > 0; digits--) {
    const byte = input[at++];
    yield t.and(t.uge(byte, c(8, 48)), t.ule(byte, c(8, 57)));
    value = t.add(t.mul(value, c(32, 10)), t.sub(t.zext(byte, 32), c(32, 48)));
    yield t.ugt(value, c(32, 10 + random.below(300)));
  }
  for (const letter of 'while'.slice(0, 2 + random.below(4)))
    yield t.eq(input[at++], c(8, letter.charCodeAt(0)));
  const byte = input[at];
  for (const operator of '+-*/(){};= ') yield t.eq(byte, c(8, operator.charCodeAt(0)));
  yield t.eq(value, c(32, random.below(500)));
}

/**
 * Sum, xor and a small polynomial hash over a record, compared with the record's own trailer.
 *
 * @type {Generate}
 */
function* checksum(name, random) {
  const input = bytesOf(name, 10);
  let sum = c(16, 0);
  let parity = c(8, 0);
  let hash = c(32, 5381);
  for (const byte of input.slice(0, 8)) {
    sum = t.add(sum, t.zext(byte, 16));
    parity = t.xor(parity, byte);
    hash = t.xor(t.add(t.shl(hash, c(32, 5)), hash), t.zext(byte, 32));
  }
  yield t.eq(t.extract(sum, 0, 8), input[8]);
  yield t.eq(parity, input[9]);
  yield t.ugt(sum, c(16, 200 + random.below(1500)));
  yield t.eq(t.extract(hash, 0, 8), c(8, random.below(256)));
  yield t.eq(t.and(parity, c(8, 1)), c(8, 1));
  yield t.ult(sum, c(16, random.below(400)));
}

/**
 * Addresses of elements and fields with symbolic indices, checked against the bounds of objects.
 *
 * @type {Generate}
 */
function* pointerArithmetic(name, random) {
  const [index, offset] = [0, 4].map(from => {
    const b = bytesOf(name, 8).slice(from, from + 4);
    return t.concat(t.concat(b[3], b[2]), t.concat(b[1], b[0]));
  });
  const base = c(64, 0x7f00_0000_0000n + BigInt(random.below(1 << 20)) * 4096n);
  const count = 16 + random.below(100);
  const size = [4, 8, 12, 24, 40][random.below(5)];
  const element = t.add(base, t.mul(t.sext(index, 64), c(64, size)));
  yield t.slt(index, c(32, count));
  yield t.sge(index, c(32, 0));
  const end = t.add(base, c(64, count * size));
  yield t.and(t.uge(element, base), t.ule(t.add(element, c(64, size)), end));
  const field = t.add(element, t.zext(offset, 64));
  yield t.ult(offset, c(32, size));
  yield t.ult(t.sub(field, base), c(64, count * size));
  yield t.ult(t.sub(t.add(field, c(64, 3)), base), c(64, count * size));
  yield t.eq(t.and(field, c(64, 7)), c(64, 0));
  yield t.eq(field, t.add(base, c(64, size * random.below(count) + 8)));
}

/**
 * 32- and 64-bit sums and products, with and without overflow checks.
 *
 * @type {Generate}
 */
function* arithmetic(name, random) {
  /** @param {number} from */
  const word = from => {
    const b = bytesOf(name, 16).slice(from, from + 4);
    return t.concat(t.concat(b[3], b[2]), t.concat(b[1], b[0]));
  };
  const [x, y, z] = [word(0), word(4), word(8)];
  const [wideX, wideY] = [t.sext(x, 64), t.sext(y, 64)];
  yield { assume: t.ult(x, c(32, 1000 + random.below(5000))) };
  yield { assume: t.ult(y, c(32, 200 + random.below(500))) };
  const sum = t.add(x, y);
  yield t.slt(sum, x);
  yield t.eq(t.sext(sum, 64), t.add(wideX, wideY));
  yield t.ult(t.add(t.add(x, y), z), c(32, random.below(100000)));
  yield t.ult(x, c(32, random.below(5000)));
  yield t.ugt(t.mul(x, y), c(32, 100 + random.below(100000)));
  yield t.slt(t.mul(wideX, wideY), c(64, 0));
  yield t.eq(t.mul(x, c(32, 3 + 2 * random.below(50))), t.add(y, c(32, random.below(1000))));
  yield t.eq(t.urem(x, c(32, 7 + random.below(90))), c(32, random.below(7)));
  yield t.ult(t.udiv(x, c(32, 10)), z);
}

/**
 * Tables and buffers at symbolic indices: a character class table, a permutation, a buffer with
 * writes.
 *
 * @type {Generate}
 */
function* arrayReads(name, random) {
  const input = bytesOf(name, 8);
  const classes = t.constantArray(
    Uint8Array.from({ length: 256 }, (_, i) =>
      i >= 48 && i < 58 ? 4 : i >= 65 && i < 91 ? 1 : i >= 97 && i < 123 ? 2 : 0,
    ),
  );
  const permutation = t.constantArray(Uint8Array.from({ length: 256 }, (_, i) => (i * 167 + 13) & 255));
  /** @param {Term} byte */
  const classOf = byte => t.read(classes, t.zext(byte, 32));
  yield t.ne(t.and(classOf(input[0]), c(8, 3)), c(8, 0));
  yield t.eq(classOf(input[1]), c(8, 4));
  const image = t.read(permutation, t.zext(input[2], 32));
  yield t.ult(image, c(8, 1 + random.below(250)));
  yield t.eq(t.read(permutation, t.zext(t.xor(image, input[3]), 32)), c(8, random.below(256)));
  /** @type {import('../dist/expr/term.js').ByteArray} */
  let buffer = t.symbolicArray(`${name}-buffer`, 32);
  const slot = t.zext(t.and(input[4], c(8, 31)), 32);
  buffer = t.write(buffer, slot, input[5]);
  buffer = t.write(buffer, c(32, random.below(32)), c(8, 0));
  const other = t.zext(t.and(input[6], c(8, 31)), 32);
  yield t.eq(t.read(buffer, other), c(8, 65 + random.below(26)));
  yield t.eq(t.read(buffer, slot), input[5]);
  yield t.ult(t.read(buffer, other), t.read(buffer, c(32, 3)));
}

const CORPUS = {
  'byte parsers': byteParser,
  checksums: checksum,
  'pointer arithmetic': pointerArithmetic,
  'sums and products': arithmetic,
  'array reads': arrayReads,
};
const PATHS = 6;

/**
 * All queries of a family: the path before each, the condition, and the paths themselves for the
 * chain.
 *
 * @param {Generate} generate
 */
async function record(generate) {
  const guide = await Solver.create(t, { backend: 'cadical', limits: LIMITS });
  const questions = [];
  for (let path = 0; path < PATHS; path++) {
    const random = new Random(path + 1);
    let set = guide.emptySet;
    /** @type {readonly Term[]} */
    let constraints = [];
    // Two of three programs read the same input, as the states of one run do.
    for (const condition of generate(`in-${generate.name}-${path % 3}`, random)) {
      if ('assume' in condition) {
        constraints = [...constraints, condition.assume];
        set = set.add(condition.assume);
        continue;
      }
      const opposite = t.not(condition);
      for (const asked of [condition, opposite])
        if (!asked.isConst) questions.push({ path, constraints, asked });
      const prefers = random.below(4) > 0 ? condition : opposite;
      const taken = guide.mayBeTrue(set, prefers).kind === 'yes' ? prefers : t.not(prefers);
      constraints = [...constraints, taken];
      set = set.add(taken);
    }
  }
  guide.dispose();
  return questions;
}

/**
 * @template T
 * @param {() => T} ask
 */
const time = ask => {
  const start = performance.now();
  const answer = ask();
  return { answer, milliseconds: performance.now() - start };
};
/** @param {readonly number[]} xs */
const geometricMean = xs => Math.exp(xs.reduce((sum, x) => sum + Math.log(x), 0) / xs.length);
/** @param {readonly number[]} xs */
const total = xs => xs.reduce((sum, x) => sum + x, 0);
/** @param {{ kind: string }} outcome */
const yesNo = outcome => (outcome.kind === 'sat' ? 'yes' : outcome.kind === 'unsat' ? 'no' : outcome.kind);

/**
 * Runs the chain path by path, growing its sets as an explorer does (growing is part of the
 * time).
 *
 * @param {readonly Query[]} questions
 */
async function runChain(questions) {
  const solver = await Solver.create(t, { backend: 'cadical', limits: LIMITS });
  const results = [];
  let set = solver.emptySet;
  /** @type {readonly Term[]} */
  let previous = [];
  for (const { constraints, asked } of questions) {
    results.push(
      time(() => {
        const shared =
          previous.length <= constraints.length && previous.every((term, i) => term === constraints[i]);
        if (!shared) set = solver.emptySet;
        for (const term of constraints.slice(shared ? previous.length : 0)) set = set.add(term);
        return solver.mayBeTrue(set, asked).kind;
      }),
    );
    previous = constraints;
  }
  const { statistics } = solver;
  solver.dispose();
  return { results, statistics };
}

/** @param {readonly Query[]} questions */
async function runCold(questions) {
  const solver = await Solver.create(t, { backend: 'cadical', caches: false, limits: LIMITS });
  const results = questions.map(({ constraints, asked }) =>
    time(() => yesNo(solver.check([...constraints, asked]))),
  );
  solver.dispose();
  return results;
}

const z3 = await Solver.create(t, { backend: 'z3', caches: false, limits: LIMITS });
z3.z3.run('(check-sat)', 60_000);

/**
 * The best of several rounds per query, because the machine may be shared.
 *
 * @param {() => Promise<Result[]>} run
 */
async function best(run) {
  /** @type {Result[][]} */
  const rounds = [];
  for (let i = 0; i < REPEAT; i++) rounds.push(await run());
  return rounds[0].map((result, i) => ({
    ...result,
    milliseconds: Math.min(...rounds.map(round => round[i].milliseconds)),
  }));
}

/** @type {Record<string, number>} */
const shares = { queries: 0 };
/** @type {Record<'cold' | 'chain', number[]>} */
const all = { cold: [], chain: [] };
let disagreements = 0;
let open = 0;
console.log(
  'family               questions   chain q/s    cold q/s      Z3 q/s   Z3/cold  Z3/chain (geometric means)',
);
for (const [family, generate] of Object.entries(CORPUS)) {
  const questions = await record(generate);
  const chain = await best(async () => {
    const { results, statistics } = await runChain(questions);
    for (const [name, count] of Object.entries(statistics))
      shares[name] = (shares[name] ?? 0) + count / REPEAT;
    return results;
  });
  const cold = await best(() => runCold(questions));
  const alone = await best(async () =>
    questions.map(({ constraints, asked }) => time(() => yesNo(z3.check([...constraints, asked])))),
  );
  /** @type {Record<'cold' | 'chain', number[]>} */
  const ratios = { cold: [], chain: [] };
  for (const i of questions.keys()) {
    ratios.cold.push(alone[i].milliseconds / cold[i].milliseconds);
    ratios.chain.push(alone[i].milliseconds / chain[i].milliseconds);
    const answers = new Set([chain[i].answer, cold[i].answer, alone[i].answer]);
    if (answers.delete('unknown')) open++;
    if (answers.size > 1) disagreements++;
  }
  all.cold.push(...ratios.cold);
  all.chain.push(...ratios.chain);
  /** @param {readonly Result[]} results */
  const perSecond = results =>
    ((1000 * results.length) / total(results.map(result => result.milliseconds))).toFixed(0).padStart(11);
  console.log(
    `${family.padEnd(20)} ${String(questions.length).padStart(9)} ${perSecond(chain)} ${perSecond(cold)} ${perSecond(alone)}` +
      `  ${geometricMean(ratios.cold).toFixed(1).padStart(8)}  ${geometricMean(ratios.chain).toFixed(1).padStart(8)}`,
  );
}
z3.dispose();
const layers = ['constant', 'implied', 'simplified', 'queryCache', 'counterexampleCache', 'sat'];
const answered = total(layers.map(layer => shares[layer]));
console.log(
  `\nanswered by: ${layers.map(layer => `${layer} ${((100 * shares[layer]) / answered).toFixed(1)} %`).join(', ')}`,
);
console.log(
  `geometric mean over all questions: Z3/cold ${geometricMean(all.cold).toFixed(1)}, Z3/chain ${geometricMean(all.chain).toFixed(1)}`,
);
console.log(`disagreements: ${disagreements} of ${all.cold.length}; left open by one of the three: ${open}`);
if (disagreements > 0) process.exitCode = 1;
