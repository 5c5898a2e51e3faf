/** What most passes ask of a call: which function it names, and whether it returns only once. */
import type { Instruction, Value } from './model.js';

/** The function that a call names; empty for calls through pointers, assembly and other values. */
export function calledName(value: Value): string {
  if (value.kind !== 'instruction' || value.op !== 'call' || value.callee.kind !== 'function') return '';
  return value.callee.name;
}

/** Whether an instruction is a call that may return more than once, as `setjmp` does. */
export function returnsTwice(instruction: Instruction): boolean {
  if (instruction.op !== 'call') return false;
  const { callee, attributes } = instruction;
  return (
    attributes.has('returns_twice') || (callee.kind === 'function' && callee.attributes.has('returns_twice'))
  );
}
