/**
 * All tests of `ir` and `passes` that run clang, in one file: each file would start, and compile, a
 * clang of its own.
 */
import '../passes/mem2reg.cases.js';
import './builder.cases.js';
import './debug.cases.js';
import './layout.cases.js';
import './round-trip.cases.js';
