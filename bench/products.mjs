/**
 * Products and quotients of symbolic numbers, the hard part of bit-vectors: `npm run
 * bench:products` (it builds first) makes one query after another, each with a limit of ten
 * seconds, and prints the answer, the time and the solver that answered.
 */
import { Solver, Terms } from '../dist/solver/index.js';

/** @typedef {import('../dist/expr/term.js').Term} Term */

const LIMITS = { milliseconds: 10_000, conflicts: 0 };

const t = new Terms();
/** @type {(width: number, value: number | bigint) => Term} */
const c = (width, value) => t.constant(width, value);
const [x, y, z] = ['x', 'y', 'z'].map(name => t.variable(name, 32));
const long = t.variable('long', 64);
const [zero, ones] = [c(32, 0), c(32, -1)];
const [ux, uy] = [t.zext(x, 64), t.zext(y, 64)];
const [sx, sy] = [t.sext(x, 64), t.sext(y, 64)];
const product = t.mul(x, y);
const wide = t.mul(ux, uy);
const fits = t.ule(wide, t.zext(ones, 64));
/** @param {bigint | number} value */
const isWide = value => t.eq(wide, c(64, value));
const undone = t.udiv(product, y);
const aboveOne = [t.ugt(x, c(32, 1)), t.ugt(y, c(32, 1))];
/** @param {Term} term */
const square = term => t.mul(term, term);
/** @param {Term[]} terms */
const sum = (...terms) => terms.reduce((left, right) => t.add(left, right));

const QUESTIONS = {
  '(long)x * x = 144, x < 0': [t.eq(square(sx), c(64, 144)), t.slt(x, zero)],
  '(long)x * x = 145': [t.eq(square(sx), c(64, 145))],
  '(long)x * x < 0': [t.slt(square(sx), c(64, 0))],
  'x * x = 2': [t.eq(square(x), c(32, 2))],
  'x * x = 0xdeadbee9': [t.eq(square(x), c(32, 0xdeadbee9))],
  '64 bits: x * x = 17^2 * 2^10, x > 10^6': [t.eq(square(long), c(64, 289 * 1024)), t.ugt(long, c(64, 1e6))],
  'factors of two 16-bit primes': [isWide(65521n * 65519n), ...aboveOne],
  'factors of a 32-bit prime': [isWide(4294967291n), ...aboveOne],
  'factors of two 17-bit primes': [isWide(92821n * 92831n), ...aboveOne],
  'factors of two 20-bit primes': [isWide(1048573n * 1048571n), ...aboveOne],
  'x * y = 100, x < y < 20': [isWide(100), t.ult(x, y), t.ult(y, c(32, 20))],
  'x * y = 0, neither is': [isWide(0), t.ne(x, zero), t.ne(y, zero)],
  '(long)x * y = -1, x is no unit': [t.eq(t.mul(sx, sy), c(64, -1)), t.ne(x, c(32, 1)), t.ne(x, ones)],
  'x * y fits: x * y / y is x': [fits, t.ne(y, zero), t.ne(undone, x)],
  'x <= UINT_MAX / y: x * y / y is x': [t.ule(x, t.udiv(ones, y)), t.ne(y, zero), t.ne(undone, x)],
  'x * y does not fit: x * y / y is not x': [t.not(fits), t.ne(y, zero), t.eq(undone, x)],
  'x * y fits: x * y >= x': [fits, t.ne(y, zero), t.ult(product, x)],
  'x * y fits, x, y > 5: x * y >= 25': [
    fits,
    t.ugt(x, c(32, 5)),
    t.ugt(y, c(32, 5)),
    t.ult(product, c(32, 25)),
  ],
  'x, y < 30: x * y <= 1000': [t.ugt(wide, c(64, 1000)), t.ult(x, c(32, 30)), t.ult(y, c(32, 30))],
  'x * (y + z) = x * y + x * z': [t.ne(t.mul(x, t.add(y, z)), t.add(product, t.mul(x, z)))],
  'x * (y * z) = (x * y) * z': [t.ne(t.mul(x, t.mul(y, z)), t.mul(product, z))],
  '(x + 1)^2 = x^2 + 2 x + 1': [
    t.ne(square(t.add(x, c(32, 1))), sum(square(x), t.shl(x, c(32, 1)), c(32, 1))),
  ],
  '(x - y) (x + y) = x^2 - y^2': [t.ne(t.mul(t.sub(x, y), t.add(x, y)), t.sub(square(x), square(y)))],
  'x / y * y <= x': [t.ugt(t.mul(t.udiv(x, y), y), x), t.ne(y, zero)],
  'y = 7 x: y % 7 = 0': [t.eq(t.mul(ux, c(64, 7)), uy), t.ne(t.urem(y, c(32, 7)), zero)],
  'x, y > 0: (long)x * y > 0': [t.slt(t.mul(sx, sy), c(64, 0)), t.sgt(x, zero), t.sgt(y, zero)],
  'x even: x * y even': [t.eq(t.extract(product, 0, 1), c(1, 1)), t.eq(t.extract(x, 0, 1), c(1, 0))],
  'x^2 + y^2 = 3 modulo 4': [t.eq(t.extract(t.add(square(x), square(y)), 0, 2), c(2, 3))],
  '(long) x^2 = y^2 + 2': [t.eq(square(sx), t.add(square(sy), c(64, 2)))],
  '(long) x^2 + y^2 = 25, x > y > 0': [
    t.eq(t.add(square(sx), square(sy)), c(64, 25)),
    t.sgt(x, y),
    t.sgt(y, zero),
  ],
};

const solver = await Solver.create(t, { limits: LIMITS });
solver.z3.run('(check-sat)', 60_000);
let open = 0;
for (const [name, constraints] of Object.entries(QUESTIONS)) {
  const before = solver.statistics;
  const start = performance.now();
  const outcome = solver.check(constraints);
  const milliseconds = performance.now() - start;
  const after = solver.statistics;
  const by = /** @type {const} */ (['simplified', 'queryCache', 'counterexampleCache', 'sat', 'z3']).filter(
    layer => after[layer] > before[layer],
  );
  if (outcome.kind === 'unknown') open++;
  console.log(
    `${name.padEnd(42)} ${outcome.kind.padEnd(8)} ${milliseconds.toFixed(0).padStart(6)} ms  ${by.join(', ')}`,
  );
}
console.log(`\n${Object.keys(QUESTIONS).length} questions, ${open} left open`);
solver.dispose();
