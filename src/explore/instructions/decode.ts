/**
 * Decodes an IR function to steps: registers are numbered, and each instruction gets the handler of
 * its family.
 *
 *     registers   | arguments | results of instructions (`registers.ts`) | constants |
 *
 * A family is a file of `instructions/`; its `decode…` function picks the handler and its details.
 * Debug records are left out; phis become moves on the edges into their block.
 */

import { isConstant } from '../../ir/constants.js';
import type { DataLayout } from '../../ir/data-layout.js';
import type { Block, Instruction, Value as IrValue } from '../../ir/model.js';
import { successorsOf } from '../../ir/operands.js';
import { describeLocals } from '../../passes/described-locals.js';
import { returnedBy, returnedThrough } from '../../passes/returned-values.js';
import { isWholeStruct } from '../../passes/whole-struct.js';
import { assert, unreachable } from '../../support/assert.js';
import { natives } from '../natives/natives.js';
import type { Decoder } from '../program/decoder.js';
import { mayStray } from '../program/may-stray.js';
import type { Program } from '../program/program.js';
import { assignRegisters } from '../program/registers.js';
import type { DecodedBlock, DecodedFunction, Step } from '../state/decoded.js';
import { mixedList, type RegisterValue } from '../values/register-value.js';
import { decodeAggregate } from './aggregate.js';
import { atThreadPoint, decodeAtomic } from './atomic.js';
import { decodeControl, handingOver } from './branches.js';
import { decodeCall } from './calls.js';
import { decodeCast } from './casts.js';
import { decodeCompare, decodeFreeze } from './compare.js';
import { decodeFloat } from './float.js';
import { decodeInteger } from './integer.js';
import { decodeMemory } from './loads-and-stores.js';

/**
 * How often the interpreter passes a loop head before it compiles the function: most loops end
 * sooner, and interpreting them costs less than compiling.
 */
const FIRST_SKIPS = 8;

class FunctionDecoder implements Decoder {
  readonly program: Program;
  readonly target: DecodedFunction;
  /** Pointer steps whose result may be used for something other than an access in this function. */
  readonly strays: ReadonlySet<Instruction>;
  readonly #registers: Map<IrValue, number>;
  readonly #template: RegisterValue[];
  readonly #blocks = new Map<Block, DecodedBlock>();
  readonly #firstConstant: number;
  #locals: DecodedFunction['locals'] | undefined;

  constructor(program: Program, target: DecodedFunction) {
    this.program = program;
    this.target = target;
    this.strays = mayStray(program.layout, target.ir);
    const { of, count } = assignRegisters(target.ir);
    this.#registers = of;
    this.#template = mixedList(new Array<RegisterValue>(count).fill(0));
    this.#firstConstant = count;
  }

  get layout(): DataLayout {
    return this.program.layout;
  }

  /** What the locals are called; few functions have locals that are still in memory. */
  get locals(): DecodedFunction['locals'] {
    if (this.#locals === undefined && this.target.locals.size > 0) this.#locals = this.target.locals;
    this.#locals ??= describeLocals(this.target.ir);
    return this.#locals;
  }

  /** The register of a value; a constant gets one at its first use. */
  register(value: IrValue | undefined): number {
    assert(value !== undefined, 'the operand exists');
    const register = this.#registers.get(value);
    if (register !== undefined) return register;
    const content = isConstant(value) ? this.program.constants.value(value) : 0;
    return this.#newRegister(value, content);
  }

  #newRegister(value: IrValue, content: RegisterValue): number {
    const register = this.#template.length;
    this.#registers.set(value, register);
    this.#template.push(content);
    return register;
  }

  block(block: Block): DecodedBlock {
    const decoded = this.#blocks.get(block);
    assert(decoded !== undefined, 'a branch goes to a block of its function');
    return decoded;
  }

  run(): void {
    const { ir } = this.target;
    for (const [index, block] of ir.blocks.entries()) {
      const decoded: DecodedBlock = {
        id: this.program.blocks.length,
        ir: block,
        target: this.target,
        index,
        steps: [],
        places: [],
        instructions: 0,
        phis: new Map(),
        isLoopHead: false,
        isSlicePoint: false,
        liveRegisters: undefined,
        skips: FIRST_SKIPS,
        penalty: 0,
        resumes: 0,
      };
      this.#blocks.set(block, decoded);
      this.program.blocks.push(decoded);
    }
    for (const [block, decoded] of this.#blocks) {
      const real = block.instructions.filter(instruction => instruction.op !== 'debug-record');
      decoded.instructions = real.length;
      decoded.steps = real
        .filter(instruction => instruction.op !== 'phi')
        .map(instruction => this.#stepIn(block, instruction));
      this.#decodePhis(block, decoded);
    }
    this.#findLoopHeads();
    this.target.blocks = [...this.#blocks.values()];
    this.#findSlicePoints();
    this.target.template = this.#template;
    this.target.registers = this.#registers;
    this.target.firstConstant = this.#firstConstant;
    if (this.#locals !== undefined) this.target.locals = this.#locals;
    this.target.strays = this.strays;
  }

  /** A loop head is a block with a predecessor that is not before it. */
  #findLoopHeads(): void {
    for (const [block, { id }] of this.#blocks) {
      for (const successor of successorsOf(block)) {
        const decoded = this.block(successor);
        if (decoded.id <= id) decoded.isLoopHead = true;
      }
    }
  }

  #findSlicePoints(): void {
    const { blocks } = this.target;
    for (const block of blocks) block.isSlicePoint = block.isLoopHead;
    if (blocks.some(({ steps }) => steps.some(({ ir }) => this.#callsFunction(ir))))
      blocks[0]!.isSlicePoint = true;
  }

  /** Whether it calls a function that is neither a native nor an intrinsic. */
  #callsFunction(instruction: Instruction): boolean {
    if (instruction.op !== 'call') return false;
    const { callee } = instruction;
    if (callee.kind !== 'function') return callee.kind !== 'assembly';
    return !callee.name.startsWith('llvm.') && !natives.has(callee.name);
  }

  #decodePhis(block: Block, decoded: DecodedBlock): void {
    const moves = new Map<number, { into: number[]; from: number[] }>();
    for (const phi of block.instructions) {
      if (phi.op !== 'phi') continue;
      const seen = new Set<number>();
      phi.blocks.forEach((from, i) => {
        const { id } = this.block(from);
        if (seen.has(id)) return;
        seen.add(id);
        const edge = moves.get(id) ?? { into: [], from: [] };
        moves.set(id, edge);
        edge.into.push(this.register(phi));
        edge.from.push(this.register(phi.values[i]));
      });
    }
    for (const [id, { into, from }] of moves) {
      const areApart = into.every((register, i) => !from.includes(register, i + 1));
      decoded.phis.set(id, { into, from, areApart });
    }
  }

  #stepIn(block: Block, instruction: Instruction): Step {
    const step = this.#step(instruction);
    const value = returnedBy(instruction, block) ?? returnedThrough(instruction);
    if (value === undefined || isConstant(value) || isWholeStruct(value)) return step;
    return handingOver(step, value, this.register(value));
  }

  #step(instruction: Instruction): Step {
    switch (instruction.op) {
      case 'add':
      case 'sub':
      case 'mul':
      case 'udiv':
      case 'sdiv':
      case 'urem':
      case 'srem':
      case 'shl':
      case 'lshr':
      case 'ashr':
      case 'and':
      case 'or':
      case 'xor':
        return decodeInteger(this, instruction);
      case 'fadd':
      case 'fsub':
      case 'fmul':
      case 'fdiv':
      case 'frem':
      case 'fneg':
        return decodeFloat(this, instruction);
      case 'icmp':
      case 'fcmp':
      case 'select':
        return decodeCompare(this, instruction);
      case 'freeze':
        return decodeFreeze(this, instruction);
      case 'alloca':
      case 'load':
      case 'store':
      case 'getelementptr':
      case 'fence':
        return atThreadPoint(this, decodeMemory(this, instruction));
      case 'cmpxchg':
      case 'atomicrmw':
        return atThreadPoint(this, decodeAtomic(this, instruction));
      case 'extractelement':
      case 'insertelement':
      case 'shufflevector':
      case 'extractvalue':
      case 'insertvalue':
        return decodeAggregate(this, instruction);
      case 'call':
      case 'callbr':
      case 'va_arg':
        return decodeCall(this, instruction);
      case 'ret':
      case 'br':
      case 'condbr':
      case 'switch':
      case 'unreachable':
        return decodeControl(this, instruction);
      case 'phi':
      case 'debug-record':
      case 'indirectbr':
        return assert(false, 'phis are moves, debug records are left out, labels are cases') as never;
      case 'trunc':
      case 'zext':
      case 'sext':
      case 'fptrunc':
      case 'fpext':
      case 'fptoui':
      case 'fptosi':
      case 'uitofp':
      case 'sitofp':
      case 'ptrtoint':
      case 'ptrtoaddr':
      case 'inttoptr':
      case 'bitcast':
      case 'addrspacecast':
        return decodeCast(this, instruction);
      default:
        return unreachable(instruction);
    }
  }
}

export function decodeFunction(program: Program, target: DecodedFunction): void {
  new FunctionDecoder(program, target).run();
}
