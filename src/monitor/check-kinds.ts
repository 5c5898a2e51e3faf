/**
 * The choices of `--checks`, and the codes that belong to each. Codes in no row are always
 * reported.
 */
import type { FindingCode } from '../findings/codes.js';
import type { Suppression } from './suppressions.js';

export const checkKinds = [
  'spatial',
  'temporal',
  'init',
  'undefined',
  'alignment',
  'leaks',
  'races',
  'aliasing',
  'restrict',
  'null-offset',
] as const;

export type CheckKind = (typeof checkKinds)[number];

/** The checks that are active without `--checks`. */
export const defaultChecks: readonly CheckKind[] = checkKinds.filter(
  kind => kind !== 'aliasing' && kind !== 'restrict' && kind !== 'null-offset',
);

const codesOf: Readonly<Record<CheckKind, readonly FindingCode[]>> = {
  spatial: [
    'heap-buffer-overflow',
    'stack-buffer-overflow',
    'global-buffer-overflow',
    'write-to-constant',
    'overlapping-copy',
    'bad-format-string',
  ],
  temporal: ['use-after-free', 'use-after-scope', 'use-after-return', 'double-free', 'invalid-free'],
  init: ['uninitialized-read'],
  undefined: [
    'signed-overflow',
    'division-by-zero',
    'shift-out-of-bounds',
    'float-cast-overflow',
    'unreachable-reached',
    'pointer-overflow',
    'unsequenced-accesses',
  ],
  alignment: ['misaligned-access'],
  leaks: ['memory-leak'],
  races: ['data-race'],
  aliasing: ['strict-aliasing'],
  restrict: ['restrict-violation'],
  'null-offset': ['null-offset'],
};

/** Suppression rules for checks that were not selected but that a run performs nevertheless. */
export function silenced(chosen: ReadonlySet<CheckKind>): Suppression[] {
  return checkKinds
    .filter(kind => !chosen.has(kind))
    .flatMap(kind => codesOf[kind])
    .map(code => ({ code }));
}
