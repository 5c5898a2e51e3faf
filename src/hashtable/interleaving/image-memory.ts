/**
 * A memory in an ordinary array, for one thread: what a step does, without any hardware. Tests prepare tables in it, and
 * `ReplayMemory` performs the steps of many simulated threads on it.
 */
import type { Memory, StepName } from '../memory.js';

export class ImageMemory implements Memory {
  readonly words: Int32Array;
  high = 0;

  constructor(byteCount: number) {
    this.words = new Int32Array(byteCount >> 2);
  }

  load32(_step: StepName, at: number): number {
    return this.words[at >> 2]!;
  }

  store32(_step: StepName, at: number, value: number): void {
    this.words[at >> 2] = value;
  }

  add32(_step: StepName, at: number, delta: number): number {
    const sum = (this.words[at >> 2]! + delta) | 0;
    this.words[at >> 2] = sum;
    return sum;
  }

  cas32(_step: StepName, at: number, expected: number, desired: number): boolean {
    if (this.words[at >> 2] !== expected) return false;
    this.words[at >> 2] = desired;
    return true;
  }

  load64(_step: StepName, at: number): number {
    this.high = this.words[(at >> 2) + 1]!;
    return this.words[at >> 2]!;
  }

  add64(_step: StepName, at: number, low: number, high: number): number {
    const index = at >> 2;
    const lowSum = (this.words[index]! >>> 0) + (low >>> 0);
    this.words[index] = lowSum | 0;
    this.words[index + 1] = (this.words[index + 1]! + high + (lowSum > 0xffffffff ? 1 : 0)) | 0;
    return this.load64(_step, at);
  }

  cas64(
    _step: StepName,
    at: number,
    expectedLow: number,
    expectedHigh: number,
    low: number,
    high: number,
  ): boolean {
    const index = at >> 2;
    if (this.words[index] !== expectedLow || this.words[index + 1] !== expectedHigh) return false;
    this.words[index] = low;
    this.words[index + 1] = high;
    return true;
  }

  zero(_step: StepName, at: number, byteCount: number): void {
    this.words.fill(0, at >> 2, (at + byteCount) >> 2);
  }
}
