import { expect, test } from 'vitest';
import { describeAbort, describeExhaustion } from './end-words.js';

const aborted = (code: string, message: string) => describeAbort({ kind: 'abort', code, message });

test('a run that threads end for lack of stacks names the runs that have them', () => {
  const message =
    'threads that run side by side: pthread_cond_wait: no other thread can signal the condition';
  expect(aborted('unsupported', message).help).toContain('explore --threads');
  expect(aborted('unsupported', 'getcontext: stacks cannot be exchanged').help).toBeUndefined();
});

test('a failed assertion is named by its text', () => {
  expect(aborted('abort', "a.c:3: main: Assertion `x > 0' failed.")).toEqual({
    code: 'assertion-failure',
    message: 'assertion `x > 0` failed',
    help: expect.stringContaining('return an error if input can violate the condition'),
  });
});

test('few calls exhaust the stack only by large locals, and many by recursion', () => {
  const few = describeExhaustion({ kind: 'exhaustion', depth: 99 });
  const many = describeExhaustion({ kind: 'exhaustion', depth: 100 });
  expect([few.code, many.code]).toEqual(['stack-exhausted', 'stack-exhausted']);
  expect(few.help).toContain('malloc');
  expect(many.message).toBe('the stack is exhausted after 100 calls');
  expect(many.help).toContain('recursion');
});
