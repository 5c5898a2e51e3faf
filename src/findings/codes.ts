/**
 * The table of finding codes, with severity, CWE and title.
 *
 * Each code has a page `docs/explain/CODE.md`, which `redzone explain CODE` prints; a test checks
 * that both exist. To add a code: a row here, a page there.
 */
import type { Severity } from './finding.js';

export interface CodeInfo {
  readonly title: string;
  readonly severity: Severity;
  readonly cwe?: number;
}

export type FindingCode =
  | 'heap-buffer-overflow'
  | 'stack-buffer-overflow'
  | 'global-buffer-overflow'
  | 'use-after-free'
  | 'use-after-scope'
  | 'use-after-return'
  | 'double-free'
  | 'invalid-free'
  | 'null-dereference'
  | 'wild-pointer'
  | 'uninitialized-read'
  | 'memory-leak'
  | 'write-to-constant'
  | 'overlapping-copy'
  | 'signed-overflow'
  | 'division-by-zero'
  | 'shift-out-of-bounds'
  | 'float-cast-overflow'
  | 'unreachable-reached'
  | 'misaligned-access'
  | 'pointer-overflow'
  | 'unsequenced-accesses'
  | 'strict-aliasing'
  | 'restrict-violation'
  | 'null-offset'
  | 'assertion-failure'
  | 'abort'
  | 'acsl-violation'
  | 'infinite-loop'
  | 'stack-exhausted'
  | 'out-of-memory'
  | 'bad-format-string'
  | 'data-race'
  | 'deadlock'
  | 'tainted-sink'
  | 'secret-dependent-branch'
  | 'secret-dependent-index'
  | 'unsupported';

/** A finding of a plug-in: the plug-in's name and the code that it chose. */
export type PluginCode = `${string}/${string}`;

export type AnyCode = FindingCode | PluginCode;

export const codes: Readonly<Record<FindingCode, CodeInfo>> = {
  'heap-buffer-overflow': { title: 'access outside a heap block', severity: 'error', cwe: 122 },
  'stack-buffer-overflow': { title: 'access outside a local variable', severity: 'error', cwe: 121 },
  'global-buffer-overflow': { title: 'access outside a global variable', severity: 'error', cwe: 787 },
  'use-after-free': { title: 'use of a heap block after it was freed', severity: 'error', cwe: 416 },
  'use-after-scope': { title: 'use of a local variable after its scope ended', severity: 'error', cwe: 825 },
  'use-after-return': {
    title: 'use of a local variable after its function returned',
    severity: 'error',
    cwe: 562,
  },
  'double-free': { title: 'a heap block is freed twice', severity: 'error', cwe: 415 },
  'invalid-free': { title: 'free of something that malloc did not return', severity: 'error', cwe: 590 },
  'null-dereference': { title: 'access through a null pointer', severity: 'error', cwe: 476 },
  'wild-pointer': { title: 'access through a pointer to no object', severity: 'error', cwe: 824 },
  'uninitialized-read': { title: 'use of an uninitialized value', severity: 'error', cwe: 457 },
  'memory-leak': { title: 'a heap block is never freed', severity: 'warning', cwe: 401 },
  'write-to-constant': { title: 'write to constant memory', severity: 'error', cwe: 471 },
  'overlapping-copy': { title: 'memcpy between overlapping ranges', severity: 'error', cwe: 475 },
  'signed-overflow': { title: 'signed integer overflow', severity: 'error', cwe: 190 },
  'division-by-zero': { title: 'integer division by zero', severity: 'error', cwe: 369 },
  'shift-out-of-bounds': { title: 'shift by a negative or too large amount', severity: 'error', cwe: 1335 },
  'float-cast-overflow': {
    title: 'floating-point value does not fit the integer type',
    severity: 'error',
    cwe: 681,
  },
  'unreachable-reached': { title: 'code marked unreachable was reached', severity: 'error', cwe: 758 },
  'misaligned-access': {
    title: 'access at a misaligned address',
    severity: 'error',
    cwe: 704,
  },
  'pointer-overflow': { title: 'pointer arithmetic leaves the address space', severity: 'error', cwe: 823 },
  'unsequenced-accesses': {
    title: 'two accesses in one expression are unsequenced',
    severity: 'error',
    cwe: 758,
  },
  'strict-aliasing': { title: 'memory is read as an incompatible type', severity: 'warning', cwe: 843 },
  'restrict-violation': {
    title: 'memory of a restrict pointer is accessed through another pointer',
    severity: 'warning',
    cwe: 758,
  },
  'null-offset': { title: 'a null pointer is moved', severity: 'warning', cwe: 823 },
  'assertion-failure': { title: 'an assertion failed', severity: 'error', cwe: 617 },
  abort: { title: 'the program aborted', severity: 'error', cwe: 617 },
  'acsl-violation': { title: 'an ACSL annotation does not hold', severity: 'error', cwe: 573 },
  'infinite-loop': { title: 'the program never leaves a loop', severity: 'error', cwe: 835 },
  'stack-exhausted': { title: 'the stack is exhausted', severity: 'error', cwe: 674 },
  'out-of-memory': { title: 'memory is exhausted', severity: 'error', cwe: 789 },
  'bad-format-string': { title: 'a format string does not fit its arguments', severity: 'error', cwe: 134 },
  'data-race': { title: 'two threads access memory without synchronization', severity: 'error', cwe: 362 },
  deadlock: { title: 'threads wait for each other forever', severity: 'error', cwe: 833 },
  'tainted-sink': {
    title: 'input determines a size, an index, a path or a command',
    severity: 'warning',
    cwe: 20,
  },
  'secret-dependent-branch': { title: 'a branch depends on a secret', severity: 'error', cwe: 208 },
  'secret-dependent-index': { title: 'an address depends on a secret', severity: 'error', cwe: 208 },
  unsupported: { title: 'a feature that Redzone does not support', severity: 'warning' },
};

/** The severity and CWE of a code; codes of plug-ins are errors without a CWE. */
export function infoOf(code: AnyCode): CodeInfo {
  return isFindingCode(code) ? codes[code] : { title: `reported by the plug-in ${code}`, severity: 'error' };
}

/** True for codes about the origin of a value. The program can continue after such a finding. */
export function isFlowCode(code: AnyCode): boolean {
  return code === 'tainted-sink' || code === 'secret-dependent-branch' || code === 'secret-dependent-index';
}

export function isPluginCode(text: string): text is PluginCode {
  return /^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/.test(text);
}

export function isFindingCode(text: string): text is FindingCode {
  return Object.hasOwn(codes, text);
}
