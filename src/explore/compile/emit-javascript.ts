/**
 * Compiles a decoded function to JavaScript for the case that all its values are concrete.
 *
 * ```
 *   function (M, R, b, a0, a1) {              R, b: registers and block to begin at, when a frame continues here
 *     let r0 = a0, r1 = a1, r2 = 0, ...       one variable per register
 *     run: for (;;) switch (b) {
 *       case 0: ...; b = 2; continue run;     a block; an edge counts the instructions of its target
 *     }
 *     return M.spill(F, b, pc, [r0, ...]);    everything else exits by `pc = step; break run`
 *   }
 * ```
 *
 * A block with a single predecessor has no case: its code is placed at the jump, so that V8 sees
 * straight-line code.
 *
 * Compiled code does nothing that needs the state: a symbolic byte, an invalid access, an overflow
 * or the end of the time slice exits *before* the step and writes the registers into a frame. The
 * interpreter continues there; it alone forks. A caller that gets SPILL from a call exits in the
 * same way, so frames are pushed from the innermost to the outermost.
 *
 * An instruction without its own code (wide integers, vectors, atomics) is executed by the
 * interpreter's handler, on registers that hold only its operands; if its result is symbolic,
 * compiled code exits after it.
 *
 * V8 optimises a whole function with the type feedback collected so far: one with two loops is
 * recompiled when the second loop begins. So in such functions each outermost loop becomes a
 * separate function, which takes the registers that it mentions and returns them in `X`, with the
 * block at which the function continues.
 *
 * **Invariant:** compiled code and the interpreter count the same instructions and have the same
 * effects.
 */

import { isConstant } from '../../ir/constants.js';
import type { Block, Instruction, Value as IrValue } from '../../ir/model.js';
import { forEachOperand, successorsOf } from '../../ir/operands.js';
import { DominatorTree } from '../../passes/dominators.js';
import { findLoops } from '../../passes/loops.js';
import { assert } from '../../support/assert.js';
import type { Passing } from '../instructions/calls.js';
import type { Program } from '../program/program.js';
import { rootOf } from '../program/root.js';
import type { Native } from '../state/decoded.js';
import { type DecodedBlock, type DecodedFunction, isGivenMemory, type Step } from '../state/decoded.js';
import type { RegisterValue } from '../values/register-value.js';
import { emitCall } from './call-code.js';
import type { FunctionCode, ObjectCache } from './function-code.js';
import { emitInteger } from './integer-code.js';
import { emitLoad, emitStore } from './memory-code.js';
import { emitValue } from './value-code.js';

/**
 * Loops that mention more registers are not separated: passing them would cost more than it gains.
 */
const MOST_HANDED_OVER = 100;

/** The largest nesting of blocks placed at jumps. */
const DEEPEST_NESTING = 32;

interface LoopCode {
  /** The numbers of its blocks. */
  readonly loop: ReadonlySet<number>;
  readonly code: string;
  readonly call: string;
}

/**
 * Returned by a loop instead of the exit step: its function continues at another block, or returns.
 */
const GOES_ON = -1;
const RETURNS = -2;

/** How many times a loop is entered as new (see `Runner.leaveSoon`). */
export const TIMES_NEW = 2;

const TEMPORARIES = 'pc = 0, t = 0, d = 0, h = 0, k = 0';

export class Emitter implements FunctionCode {
  readonly program: Program;
  readonly target: DecodedFunction;
  /** Objects to which the code refers by number. */
  readonly instructions: Instruction[] = [];
  readonly natives: Native[] = [];
  readonly callees: DecodedFunction[] = [];
  readonly constants: RegisterValue[] = [];
  readonly steps: Step[] = [];
  readonly passings: Passing[] = [];
  /** Variables that outlive a call: the caches of loads and stores, by `how` and root. */
  readonly #caches = new Map<string, ObjectCache>();
  /** The roots through which stores find their object. */
  readonly #storedThrough: ReadonlySet<IrValue>;
  readonly #numberOf: ReadonlyMap<Block, number>;
  #indirectCalls = 0;
  #pc = 0;
  #block = 0;
  /** The blocks whose code is being generated, and those of them that have a case. */
  #region: ReadonlySet<number> = new Set();
  #cases: number[] = [];
  #depth = 0;
  /** The predecessors of each block, with multiplicity. */
  readonly #waysInto: readonly (readonly number[])[];
  /** The blocks of the loop that is being compiled as a separate function. */
  #loop: ReadonlySet<number> | undefined;

  constructor(program: Program, target: DecodedFunction) {
    this.program = program;
    this.target = target;
    this.#numberOf = new Map(target.blocks.map(({ ir }, i) => [ir, i]));
    const waysInto: number[][] = target.blocks.map(() => []);
    for (const [from, { ir }] of target.blocks.entries())
      for (const to of successorsOf(ir)) waysInto[this.#numberOf.get(to)!]!.push(from);
    this.#waysInto = waysInto;
    const steps = target.blocks.flatMap(block => block.steps);
    this.#storedThrough = new Set(steps.flatMap(({ ir }) => (ir.op === 'store' ? [rootOf(ir.pointer)] : [])));
  }

  isStoredThrough(root: IrValue): boolean {
    return this.#storedThrough.has(root);
  }

  /** The operand as an expression without effects. */
  operand(value: IrValue): string {
    if (isConstant(value)) return this.#literal(this.program.constants.value(value));
    const register = this.target.registers.get(value);
    assert(register !== undefined, 'every argument and result has a register');
    return `r${register}`;
  }

  cacheFor(root: IrValue, how: 'readable' | 'writable'): ObjectCache {
    const key = `${how} ${this.operand(root)}`;
    const k = this.#caches.size;
    const cache = this.#caches.get(key) ?? {
      base: `B[${k}]`,
      first: `A${k}`,
      end: `Z${k}`,
      low: `X${k}`,
      high: `Y${k}`,
      data: `D${k}`,
      epoch: `E${k}`,
      ask: `ask${k}`,
      take: `take${k}`,
    };
    this.#caches.set(key, cache);
    return cache;
  }

  result(instruction: Instruction): string {
    return `r${this.target.registers.get(instruction)}`;
  }

  /** The number of an indirect call, which caches its last target in `P` and `G` at that number. */
  newIndirectCall(): number {
    return this.#indirectCalls++;
  }

  /** Exits to the interpreter, which executes this step. */
  get leave(): string {
    return `{ pc = ${this.#pc}; break run; }`;
  }

  bits(value: IrValue): number {
    return this.program.layout.bits(value.type);
  }

  run(): string {
    const { blocks, template, ir, firstConstant } = this.target;
    assert(template.length >= firstConstant, 'constants follow the other registers');
    const registers = Array.from({ length: firstConstant }, (_, i) => `r${i}`);
    const parameters = ir.arguments.map((_, i) => `a${i}`);
    const loopCode = this.#separateLoops().flatMap((loop, i) => this.#emitLoop(loop, i) ?? []);
    const loops = loopCode.map(({ loop }) => loop);
    const outside = blocks.flatMap((_, i) => (loops.some(loop => loop.has(i)) ? [] : [i]));
    const body = [this.#emitBlocks(new Set(outside)), ...loopCode.map(({ call }) => call)].join('\n');
    const initial = registers.map((name, i) => `${name} = ${i < parameters.length ? `a${i}` : 0}`);
    const resume = registers.map((name, i) => `${name} = R[${i}];`).join(' ');
    return `'use strict';
const { EP, W, RUNNER, C, COV, V, H, SPILL, LEAVE, I, N, F, K, T, S, Q, SELF } = env;
${Array.from({ length: this.#indirectCalls }, (_, k) => `let P${k} = -1, G${k} = null;`).join('\n')}
const B = new Float64Array(${this.#caches.size});
${[...this.#caches].map(([key, cache]) => cacheCode(key.startsWith('readable') ? 'readable' : 'writable', cache)).join('\n')}
const X = [null, null, null, ${registers.map(() => 0).join(', ')}];
${loopCode.map(({ code }) => code).join('\n')}
return function (M, R, b${parameters.map(name => `, ${name}`).join('')}) {
  let ${[...initial, TEMPORARIES].join(', ')};
  let L = null, A = 0;
  if (R !== null) { ${resume} L = M.resumedLocals(); A = M.resumedVariadics(); }
  else { ${isGivenMemory(ir) ? 'L = M.given.locals; A = M.given.variadics; ' : ''}${counted(blocks[0]!)} }
  run: for (;;) switch (b) {
${body}
  }
  return M.spill(SELF, b, pc, [${registers.join(', ')}], L, A);
};`;
  }

  /** The outermost loops, if there are several, as sets of block numbers. */
  #separateLoops(): ReadonlySet<number>[] {
    const { ir } = this.target;
    const tree = new DominatorTree(ir);
    const outermost = findLoops(tree).filter(({ depth }) => depth === 1);
    if (outermost.length < 2) return [];
    const loops = outermost.map(loop =>
      loop.blocks.map(number => this.#numberOf.get(tree.cfg.blocks[number]!)!),
    );
    return loops.map(numbers => new Set(numbers));
  }

  /**
   * A loop as a function, and the cases of its blocks, which call it. Undefined if it mentions too
   * many registers.
   */
  #emitLoop(loop: ReadonlySet<number>, number: number): LoopCode | undefined {
    this.#loop = loop;
    const body = this.#emitBlocks(loop);
    this.#loop = undefined;
    const mentioned = [...new Set(body.match(/\br\d+\b/g))];
    if (mentioned.length > MOST_HANDED_OVER) return undefined;
    const parameters = ['M', 'b', 'L', 'A', ...mentioned].join(', ');
    const code = `let U${number} = ${TIMES_NEW};
function loop${number}(${parameters}) {
  let ${TEMPORARIES};
  run: for (;;) switch (b) {
${body}
  }
  X[0] = b; X[1] = L; ${mentioned.map(name => `${handedOver(name)} = ${name};`).join(' ')}
  return pc;
}`;
    const call = `    ${[...loop].map(i => `case ${i}:`).join(' ')}
      if (U${number} > 0) { U${number}--; M.leaveSoon(); }
      pc = loop${number}(${parameters});
      b = X[0]; L = X[1]; ${mentioned.map(name => `${name} = ${handedOver(name)};`).join(' ')}
      if (pc === ${GOES_ON}) continue run;
      if (pc !== ${RETURNS}) break run;
      if (L !== null) M.endCompiledLocals(L);
      return X[2];`;
    return { loop, code, call };
  }

  /** A case for each block except those that are placed at their only jump. */
  #emitBlocks(region: ReadonlySet<number>): string {
    this.#region = region;
    this.#cases = [...region].filter(index => !this.#hasOneWayIn(index));
    const code: string[] = [];
    // Blocks that would be nested too deeply are added during the iteration.
    for (const index of this.#cases) {
      this.#pc = 0;
      // Edges to a loop head check the count; the entry of a function does not.
      const isChecked = index === 0 && this.target.blocks[0]!.isSlicePoint;
      const start = isChecked ? ` if (C[0] > C[1]) ${this.leave}` : '';
      code.push(`    case ${index}:${start}\n      ${this.#emitSteps(index, 0)}`);
    }
    return code.join('\n');
  }

  #emitSteps(index: number, depth: number): string {
    const before = { block: this.#block, pc: this.#pc, depth: this.#depth };
    this.#block = index;
    this.#depth = depth;
    const lines = this.target.blocks[index]!.steps.map((step, pc) => {
      this.#pc = pc;
      return this.#emitStep(step);
    });
    ({ block: this.#block, pc: this.#pc, depth: this.#depth } = before);
    return lines.join('\n      ');
  }

  /** Whether the block has a single predecessor in the same part of the code. */
  #hasOneWayIn(index: number): boolean {
    const from = this.#waysInto[index]!;
    return from.length === 1 && this.#region.has(from[0]!) && !this.target.blocks[index]!.isLoopHead;
  }

  #emitStep(step: Step): string {
    const { ir } = step;
    const { leave } = this;
    switch (ir.op) {
      case 'br':
        return this.#jump(ir.target);
      case 'condbr':
        return `if (${this.operand(ir.condition)} !== 0) { ${this.#jump(ir.ifTrue)} } else { ${this.#jump(ir.ifFalse)} }`;
      case 'switch': {
        const cases = ir.caseValues.map(
          (value, i) => `case ${this.operand(value)}: ${this.#jump(ir.caseTargets[i]!)}`,
        );
        return `switch (${this.operand(ir.condition)}) { ${cases.join(' ')} default: ${this.#jump(ir.defaultTarget)} }`;
      }
      case 'ret':
        return this.#return(ir.value === undefined ? 'undefined' : this.operand(ir.value));
      case 'load':
        return emitLoad(this, ir) ?? this.#runByHandler(step);
      case 'store':
        return emitStore(this, ir) ?? this.#runByHandler(step);
      case 'fence':
        return '';
      case 'callbr':
      case 'indirectbr':
      case 'unreachable':
        return leave;
      case 'call':
        return emitCall(this, ir) ?? leave;
      case 'alloca': {
        if (ir.count !== undefined) return leave;
        const { layout } = this.program;
        const align = ir.align > 0 ? ir.align : layout.align(ir.allocatedType);
        const site = this.instructions.push(ir) - 1;
        return `if (L === null) L = []; ${this.result(ir)} = M.compiledLocal(L, ${layout.allocBytes(ir.allocatedType)}, ${align}, SELF, I[${site}]);`;
      }
      default:
        // An instruction that no emitter knows is executed by its handler.
        return emitInteger(this, ir) ?? emitValue(this, ir) ?? this.#runByHandler(step);
    }
  }

  /** Executes the interpreter's handler on the registers `S`. */
  #runByHandler(step: Step): string {
    const { ir } = step;
    const read = new Set<string>();
    const add = (operand: IrValue): void => {
      if (this.target.registers.has(operand) && !isConstant(operand)) read.add(this.operand(operand));
    };
    forEachOperand(ir, add);
    if (ir.op === 'load' || ir.op === 'store') add(rootOf(ir.pointer));
    const give = [...read].map(name => `S[${name.slice(1)}] = ${name}; `).join('');
    const run = `${give}if (!M.runStep(T[${this.steps.push(step) - 1}], S)) ${this.leave}`;
    if (ir.type.kind === 'void') return run;
    const r = this.result(ir);
    const leaveBehind = `{ pc = ${this.#pc + 1}; break run; }`;
    return `${run} ${r} = S[${step.into}]; if (typeof ${r} === 'object' && M.isSymbolic(${r})) ${leaveBehind}`;
  }

  #return(value: string): string {
    if (this.#loop !== undefined) return `X[2] = ${value}; pc = ${RETURNS}; break run;`;
    return `if (L !== null) M.endCompiledLocals(L); return ${value};`;
  }

  /**
   * The edge to a block: phis, the count, and the check for the end of the time slice at a loop
   * head.
   */
  #jump(to: Block): string {
    const from = this.target.blocks[this.#block]!;
    const index = this.#numberOf.get(to)!;
    const block = this.target.blocks[index]!;
    const moves = this.#phiMoves(from.ir, to);
    const count = counted(block);
    const turn = block.isLoopHead ? ` if (C[0] > C[1]) { pc = 0; break run; }` : '';
    const arrive = `${moves}b = ${index}; ${count}${turn}`;
    if (this.#loop !== undefined && !this.#loop.has(index)) return `${arrive} pc = ${GOES_ON}; break run;`;
    if (!this.#hasOneWayIn(index)) return `${arrive} continue run;`;
    if (this.#depth < DEEPEST_NESTING) return `${arrive}\n      ${this.#emitSteps(index, this.#depth + 1)}`;
    this.#cases.push(index);
    return `${arrive} continue run;`;
  }

  #phiMoves(from: Block, to: Block): string {
    const phis = to.instructions.filter(instruction => instruction.op === 'phi');
    const moves = phis.map(phi => ({
      into: this.result(phi),
      value: this.operand(phi.values[phi.blocks.indexOf(from)]!),
    }));
    if (moves.length === 0) return '';
    const written = new Set<string>();
    const isOrdered = moves.every(({ into, value }) => {
      const isSafe = !written.has(value);
      written.add(into);
      return isSafe;
    });
    if (isOrdered) return moves.map(({ into, value }) => `${into} = ${value}; `).join('');
    const temporaries = moves.map(({ value }, i) => `t${i} = ${value}`).join(', ');
    return `{ const ${temporaries}; ${moves.map(({ into }, i) => `${into} = t${i};`).join(' ')} } `;
  }

  #literal(value: RegisterValue): string {
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value !== 'number') return `K[${this.constants.push(value) - 1}]`;
    return Object.is(value, -0) ? '-0' : `${value}`;
  }
}

/**
 * The slot through which a loop returns a register. `X` is an array of mixed values: fields of an
 * object would change V8's hidden class with each new kind of value.
 */
function handedOver(register: string): string {
  return `X[${3 + Number(register.slice(1))}]`;
}

/** The instructions counted for entering a block. */
function counted({ instructions, id }: DecodedBlock): string {
  return `C[0] += ${instructions}; if (COV[${id}] === 0) M.cover(${id});`;
}

/**
 * The variables of a cache and the code that fills them, separate from the accesses, so that these
 * stay short and V8 compiles them early.
 */
function cacheCode(
  how: 'readable' | 'writable',
  { base, first, end, low, high, data, epoch, ask, take }: ObjectCache,
): string {
  return `let ${first} = 0, ${end} = -1, ${low} = 0, ${high} = -1, ${data} = null, ${epoch} = -1;
function ${take}() {
  ${base} = W.base[0]; ${first} = W.start; ${end} = W.end; ${low} = W.low; ${high} = W.high; ${data} = W.view; ${epoch} = EP.now;
}
function ${ask}(p, n, q) {
  if (!RUNNER.open(p, n, q, ${how === 'writable'})) return false;
  ${take}();
  return true;
}`;
}
