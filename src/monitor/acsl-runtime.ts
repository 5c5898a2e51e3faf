/**
 * The functions and variables of `runtime/monitor/acsl*.c` that woven code refers to;
 * `runtime/acsl/acsl.h` declares them.
 */
import type { Module } from '../ir/model.js';

export const acslRuntime: readonly string[] = [
  ...[
    'undefined',
    'quiet_begin',
    'quiet_end',
    'read',
    'readable',
    'valid',
    'valid_read',
    'initialized',
    'dangling',
  ],
  ...[
    'separated',
    'freeable',
    'allocable',
    'fresh',
    'base_addr',
    'block_length',
    'offset',
    'now',
    'valid_function',
    'keep',
    'kept',
  ],
]
  .map(name => `__rz_acsl_${name}`)
  .concat(
    [
      'of',
      'of_text',
      'add',
      'subtract',
      'multiply',
      'divide',
      'remainder',
      'and',
      'or',
      'xor',
      'shift_left',
    ].map(name => `__rz_big_${name}`),
    ['shift_right', 'compare', 'saturated', 'low', 'real', 'of_unsigned'].map(name => `__rz_big_${name}`),
    ['watch', 'unwatch'].map(name => `__rz_exit_${name}`),
    ['start', 'add', 'find'].map(name => `__rz_capture_${name}`),
    ['open', 'allow', 'enter', 'close', 'defer', 'again', 'settle'].map(name => `__rz_frame_${name}`),
    ['enter', 'outer', 'mark', 'leave'].map(name => `__rz_measure_${name}`),
    ['__rz_arena_top', '__rz_frames', '__rz_assigns_check', '__rz_recursion_depth', '__rz_recursion_is_lost'],
  );

/** Whether the program contains woven annotations. */
export function usesAcsl(module: Module): boolean {
  const names = new Set(acslRuntime);
  return (
    module.functions.some(({ name }) => names.has(name) || name === '__rz_acsl_fail') ||
    module.variables.some(({ name }) => names.has(name))
  );
}

/** Whether an annotation uses `\initialized`. */
export function asksForInitialisation(module: Module): boolean {
  return module.functions.some(({ name }) => name === '__rz_acsl_initialized');
}
