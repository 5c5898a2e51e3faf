/**
 * The verifier checks whether LLVM would accept a module. It finds our mistakes before clang does,
 * with a message in terms of our model.
 *
 * With `REDZONE_VERIFY=1`, as in all tests, it is run on what the monitor hands to clang, on what
 * the explorer links, and on each function that the explorer decodes. It takes about as long as
 * reading the text, so it is off for users.
 *
 * It checks the shape of functions (terminators, phis, edges), that what is used is defined and
 * dominates its use, and the types of operands (`verify-types.ts`). Blocks that cannot be reached
 * are checked for shape but not for dominance, as in LLVM.
 */
import { InternalError } from '../support/assert.js';
import { isConstant } from './constants.js';
import { subprogram } from './debug.js';
import { computeDominance, type Dominance } from './dominance.js';
import type { Block, Constant, Instruction, IrFunction, Module, PhiInstruction, Value } from './model.js';
import { forEachOperand, isTerminator, successorsOf } from './operands.js';
import { voidType } from './types.js';
import { instructionProblem, pathProblem } from './verify-types.js';
import { writeInstruction } from './writer.js';

export interface VerifyProblem {
  /** The name of the function or global. */
  readonly where: string;
  /** The instruction, as text, where there is one. */
  readonly instruction: string | undefined;
  readonly message: string;
}

/** Empty if the module is valid. */
export function verifyModule(module: Module): VerifyProblem[] {
  const problems = verifyGlobals(module);
  for (const target of module.functions) problems.push(...verifyFunction(target));
  return problems;
}

/** Throws `InternalError` if the output of our own passes is invalid. */
export function requireValid(problems: readonly VerifyProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const at = first.instruction === undefined ? '' : `, at \`${first.instruction.trim()}\``;
  throw new InternalError(`the IR that our passes made is wrong: \`${first.where}\`${at}: ${first.message}`);
}

function verifyGlobals(module: Module): VerifyProblem[] {
  const problems: VerifyProblem[] = [];
  const report = (where: string, message: string): void => {
    problems.push({ where, instruction: undefined, message });
  };
  const names = new Set<string>();
  for (const global of [...module.variables, ...module.functions, ...module.aliases, ...module.ifuncs]) {
    if (global.name !== '' && names.has(global.name)) report(global.name, 'is defined twice');
    names.add(global.name);
  }
  for (const variable of module.variables) {
    const { initializer } = variable;
    if (initializer !== undefined && initializer.type !== variable.valueType) {
      report(variable.name, 'has an initializer of another type');
    }
    const problem = initializer && constantProblem(initializer);
    if (problem !== undefined) report(variable.name, problem);
    if (initializer === undefined && !/^extern/.test(variable.linkage)) {
      report(variable.name, `has ${variable.linkage} linkage and no initializer`);
    }
    if (initializer !== undefined && variable.linkage === 'extern_weak') {
      report(variable.name, 'has an initializer and extern_weak linkage');
    }
  }
  return problems;
}

export function verifyFunction(target: IrFunction): VerifyProblem[] {
  const verifier = new FunctionVerifier(target);
  verifier.run();
  return verifier.problems;
}

class FunctionVerifier {
  readonly problems: VerifyProblem[] = [];
  readonly #target: IrFunction;
  readonly #blockNumbers: Map<Block, number>;
  /** The position of each instruction: its block and index. */
  readonly #places = new Map<Instruction, { readonly block: Block; readonly index: number }>();

  constructor(target: IrFunction) {
    this.#target = target;
    this.#blockNumbers = new Map(target.blocks.map((block, index) => [block, index]));
  }

  #report(message: string, instruction?: Instruction): void {
    const text = instruction === undefined ? undefined : writeInstruction(instruction, this.#target);
    this.problems.push({ where: this.#target.name, instruction: text, message });
  }

  run(): void {
    this.#checkSignature();
    if (this.#target.blocks.length === 0) return;
    for (const block of this.#target.blocks) this.#checkShape(block);
    if (this.problems.length > 0) return;
    const dominance = computeDominance(this.#target);
    this.#checkEdges();
    for (const block of this.#target.blocks) {
      for (const instruction of block.instructions) {
        const problem = instructionProblem(instruction, this.#target);
        if (problem !== undefined) this.#report(problem, instruction);
        this.#checkOperands(instruction, dominance);
        this.#checkDebugLocation(instruction);
      }
    }
  }

  #checkSignature(): void {
    const { functionType, arguments: list } = this.#target;
    const fits =
      functionType.parameters.length === list.length &&
      functionType.parameters.every((parameter, index) => parameter === list[index]!.type);
    if (!fits) this.#report('the arguments are not those of the type');
    if (this.#target.blocks.length === 0 && /^(private|internal)$/.test(this.#target.linkage)) {
      this.#report('a declaration cannot be local to the module');
    }
  }

  /** One terminator, at the end; phis at the beginning; no instruction twice. */
  #checkShape(block: Block): void {
    const last = block.instructions.length - 1;
    if (last < 0) this.#report(`block ${block.name ?? '(unnamed)'} is empty`);
    let pastPhis = false;
    block.instructions.forEach((instruction, index) => {
      if (this.#places.has(instruction)) this.#report('stands in the function twice', instruction);
      this.#places.set(instruction, { block, index });
      if (isTerminator(instruction) !== (index === last)) {
        this.#report('a block has one terminator, its last instruction', instruction);
      }
      if (instruction.op !== 'phi') pastPhis = pastPhis || instruction.op !== 'debug-record';
      else if (pastPhis) this.#report('phis stand first in a block', instruction);
    });
    for (const successor of successorsOf(block)) {
      if (!this.#blockNumbers.has(successor))
        this.#report('goes to a block of another function', block.instructions[last]);
      if (successor === this.#target.blocks[0])
        this.#report('goes to the entry block', block.instructions[last]);
    }
  }

  /** A phi has one entry for each edge into its block. */
  #checkEdges(): void {
    const incoming = new Map<Block, Block[]>();
    for (const block of this.#target.blocks) incoming.set(block, []);
    for (const block of this.#target.blocks) {
      for (const successor of successorsOf(block)) incoming.get(successor)!.push(block);
    }
    for (const block of this.#target.blocks) {
      for (const phi of block.instructions) {
        if (phi.op !== 'phi') continue;
        const number = (each: Block): number => this.#blockNumbers.get(each) ?? -1;
        const order = (a: Block, b: Block): number => number(a) - number(b);
        const wanted = [...incoming.get(block)!].sort(order);
        const found = [...phi.blocks].sort(order);
        const equal = wanted.length === found.length && wanted.every((edge, index) => edge === found[index]);
        if (!equal || phi.values.length !== phi.blocks.length) {
          this.#report('the entries of a phi are the predecessors of its block', phi);
        }
      }
    }
  }

  #checkOperands(instruction: Instruction, dominance: Dominance): void {
    if (instruction.op === 'phi') {
      this.#checkPhiOperands(instruction, dominance);
      return;
    }
    const { block, index } = this.#places.get(instruction)!;
    forEachOperand(instruction, operand => this.#checkUse(operand, instruction, block, index, dominance));
  }

  /** The operand of a phi is used at the end of its source block. */
  #checkPhiOperands(phi: PhiInstruction, dominance: Dominance): void {
    phi.values.forEach((value, index) => {
      const from = phi.blocks[index];
      if (from === undefined) return;
      this.#checkUse(value, phi, from, from.instructions.length, dominance);
    });
  }

  #checkUse(operand: Value, user: Instruction, block: Block, index: number, dominance: Dominance): void {
    if (operand.kind === 'argument') {
      if (!this.#target.arguments.includes(operand))
        this.#report('uses an argument of another function', user);
      return;
    }
    if (isConstant(operand)) {
      const problem = constantProblem(operand);
      if (problem !== undefined) this.#report(problem, user);
      return;
    }
    if (operand.kind !== 'instruction') return;
    if (operand.type === voidType) {
      this.#report('uses an instruction without a result', user);
      return;
    }
    const place = this.#places.get(operand);
    if (place === undefined) {
      this.#report('uses an instruction that is not in this function', user);
      return;
    }
    const at = dominance.numberOf.get(block);
    if (at === undefined) return;
    const dominated =
      place.block === block
        ? place.index < index
        : dominates(dominance, dominance.numberOf.get(place.block), at);
    if (!dominated) this.#report('uses a value that may not be defined yet', user);
  }

  /**
   * LLVM drops all debug information when an inlinable call in a function that has it lacks a
   * location.
   */
  #checkDebugLocation(instruction: Instruction): void {
    if (instruction.op !== 'call' || instruction.debugLocation !== undefined) return;
    const { callee } = instruction;
    if (callee.kind !== 'function' || callee.blocks.length === 0) return;
    if (subprogram(this.#target) !== undefined && subprogram(callee) !== undefined) {
      this.#report('a call between functions with debug information needs a location', instruction);
    }
  }
}

/** The error in a constant address, at any depth. */
function constantProblem(constant: Constant): string | undefined {
  if (constant.kind === 'aggregate')
    return constant.elements.map(constantProblem).find(one => one !== undefined);
  if (constant.kind !== 'expression') return undefined;
  const { sourceType, operands } = constant;
  const own =
    constant.op === 'getelementptr' && sourceType ? pathProblem(sourceType, operands.slice(1)) : undefined;
  return own ?? operands.map(constantProblem).find(one => one !== undefined);
}

function dominates(dominance: Dominance, ancestor: number | undefined, block: number): boolean {
  if (ancestor === undefined) return false;
  let current = block;
  while (current > ancestor) current = dominance.immediate[current]!;
  return current === ancestor;
}
