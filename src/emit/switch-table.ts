/**
 * The branches of a `switch`: dense values are one `br_table`; others are split in the middle until
 * they are dense, or single comparisons.
 */
import type { Block, SwitchInstruction } from '../ir/model.js';
import { noResult, wasm } from '../wasm/instruction-bytes.js';
import { i64 } from '../wasm/wasm-opcodes.js';
import type { FunctionCode } from './function-body.js';
import { componentsOf, NotEmitted } from './value-types.js';

/** The largest number of table entries per value. */
const loosest = 4n;
const largestTable = 2048n;
/** At most this many values are compared one by one. */
const fewest = 4;

interface Case {
  readonly value: bigint;
  readonly depth: number;
}

/** Depths are relative to the position of the switch. */
export function switchRanges(
  code: FunctionCode,
  { condition, defaultTarget, caseValues, caseTargets }: SwitchInstruction,
  depthOf: (block: Block) => number,
): void {
  const components = componentsOf(condition.type);
  if (components.length !== 1) throw new NotEmitted('a switch over wide integers');
  const type = components[0]!;
  const local = code.scratch(type, 'switch');
  const cases = caseValues
    .map(({ value }, i): Case => ({ value, depth: depthOf(caseTargets[i]!) }))
    .sort((a, b) => (a.value < b.value ? -1 : 1));
  code.push(condition);
  code.out.local(wasm.localSet, local);
  new SwitchWriter(code, type === i64, local, cases, depthOf(defaultTarget)).write(0, cases.length, 0);
}

class SwitchWriter {
  constructor(
    private readonly code: FunctionCode,
    private readonly isLong: boolean,
    /** The local with the value of the condition. */
    private readonly local: number,
    private readonly cases: readonly Case[],
    private readonly otherwise: number,
  ) {}

  /** Writes branches for cases[from, to), inside this many additional blocks. */
  write(from: number, to: number, around: number): void {
    const { code, cases, isLong } = this;
    const count = to - from;
    if (count <= fewest) return void this.#comparisons(from, to, around);
    const span = cases[to - 1]!.value - cases[from]!.value + 1n;
    if (span <= largestTable && span <= BigInt(count) * loosest) return void this.#table(from, to, around);
    // Values from the middle on are handled after the end of a block.
    const middle = (from + to) >> 1;
    code.out.append(Uint8Array.of(wasm.block, noResult));
    this.#get();
    this.#constant(cases[middle]!.value);
    code.op(isLong ? wasm.i64GeU : wasm.i32GeU);
    code.out.branch(wasm.brIf, 0);
    this.write(from, middle, around + 1);
    code.op(wasm.end);
    this.write(middle, to, around);
  }

  #comparisons(from: number, to: number, around: number): void {
    const { code } = this;
    for (const { value, depth } of this.cases.slice(from, to)) {
      this.#get();
      this.#constant(value);
      code.op(this.isLong ? wasm.i64Eq : wasm.i32Eq);
      code.out.branch(wasm.brIf, depth + around);
    }
    code.out.branch(wasm.br, this.otherwise + around);
  }

  #table(from: number, to: number, around: number): void {
    const { code, cases, isLong, otherwise } = this;
    const [first, last] = [cases[from]!.value, cases[to - 1]!.value];
    const depths = new Array<number>(Number(last - first) + 1).fill(otherwise);
    for (const { value, depth } of cases.slice(from, to)) depths[Number(value - first)] = depth;
    if (isLong) {
      // A table has 32-bit indices: larger values must not wrap around into it.
      this.#get();
      this.#constant(first);
      code.op(wasm.i64Sub);
      code.out.i64Const(last - first);
      code.op(wasm.i64GtU);
      code.out.branch(wasm.brIf, otherwise + around);
    }
    this.#get();
    this.#constant(first);
    code.op(isLong ? wasm.i64Sub : wasm.i32Sub);
    if (isLong) code.op(wasm.i32WrapI64);
    code.op(wasm.brTable);
    code.out.u32(depths.length);
    for (const depth of depths) code.out.u32(depth + around);
    code.out.u32(otherwise + around);
  }

  #get(): void {
    this.code.out.local(wasm.localGet, this.local);
  }

  #constant(value: bigint): void {
    if (this.isLong) this.code.out.i64Const(BigInt.asIntN(64, value));
    else this.code.out.i32Const(Number(BigInt.asIntN(32, value)));
  }
}
