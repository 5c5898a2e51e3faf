/**
 * Turns computed gotos into switches: a label whose address is taken gets a number, and a jump to
 * an address becomes a switch over the numbers.
 *
 * ```
 *   store ptr blockaddress(@f, %loop), ptr %p         store ptr inttoptr (i64 1 to ptr), ptr %p
 *   indirectbr ptr %x, [label %loop, label %end]      %n = ptrtoint ptr %x to i64
 *                                                     switch i64 %n, label %nowhere [1: %loop, 2: %end]
 * ```
 *
 * WebAssembly has no indirect branches. LLVM does the same, but only if the table of labels is in
 * the module of the function, and the monitor moves globals to another one. `explore` forks over
 * labels as over the cases of a switch. `%nowhere` reports a jump to an invalid label.
 *
 * clang lets all computed gotos of a function share one `indirectbr` without a location. Each gets
 * one of its own first, so that reports name its line.
 *
 * Invariant: numbers begin at 1 in each function, so that no label is null; `&&a - &&b` is the
 * difference of two of them.
 */
import { Builder, makeBlock, makeFunction } from '../ir/builder.js';
import { integerConstant } from '../ir/constants.js';
import type { Block, Constant, IrFunction, Module, PlainConstant, Value } from '../ir/model.js';
import { mapOperands } from '../ir/operands.js';
import { functionType, i64, ptr, voidType } from '../ir/types.js';

/** Called when a computed goto has no valid target. */
export const lostGotoName = '__rz_goes_nowhere';

export function numberBlockAddresses(module: Module): void {
  const labels = new Labels();
  let hasJumps = false;
  const lostGoto = makeFunction(lostGotoName, functionType(voidType, []));
  for (const variable of module.variables) {
    if (variable.initializer !== undefined) variable.initializer = labels.numbered(variable.initializer);
  }
  for (const target of module.functions) {
    for (const { instructions } of target.blocks) {
      for (const instruction of instructions)
        mapOperands(instruction, operand => labels.numberedValue(operand));
    }
    separateGotos(target);
    for (const block of [...target.blocks])
      hasJumps = switchInstead(target, block, labels, lostGoto) || hasJumps;
  }
  if (hasJumps) module.functions.push(lostGoto);
}

/**
 * Moves the jump into the predecessors of a block that holds nothing else, unless labels depend on
 * the source of the jump.
 */
function separateGotos(target: IrFunction): void {
  const gone = new Set<Block>();
  for (const shared of target.blocks) {
    const [phi, jump, ...rest] = shared.instructions;
    if (phi?.op !== 'phi' || jump?.op !== 'indirectbr' || jump.address !== phi || rest.length > 0) continue;
    if (jump.targets.some(({ instructions: [first] }) => first?.op === 'phi')) continue;
    const branches = phi.blocks.map(block => block.instructions.at(-1));
    if (!branches.every(branch => branch?.op === 'br')) continue;
    phi.blocks.forEach((block, i) => {
      const { debugLocation } = branches[i]!;
      block.instructions[block.instructions.length - 1] = {
        ...jump,
        targets: [...jump.targets],
        address: phi.values[i]!,
        debugLocation,
      };
    });
    gone.add(shared);
  }
  if (gone.size > 0) target.blocks = target.blocks.filter(block => !gone.has(block));
}

class Labels {
  readonly #numbers = new Map<Block, bigint>();
  readonly #last = new Map<IrFunction, bigint>();
  readonly #made = new Map<Constant, Constant>();

  numberOf(target: IrFunction, block: Block): bigint {
    let number = this.#numbers.get(block);
    if (number === undefined) {
      number = (this.#last.get(target) ?? 0n) + 1n;
      this.#last.set(target, number);
      this.#numbers.set(block, number);
    }
    return number;
  }

  numberedValue(value: Value): Value {
    const mayNameLabels =
      value.kind === 'aggregate' || value.kind === 'expression' || value.kind === 'blockaddress';
    return mayNameLabels ? this.numbered(value) : value;
  }

  /** The same constant without block addresses; itself when it has none. */
  numbered(constant: Constant): Constant {
    const known = this.#made.get(constant);
    if (known !== undefined) return known;
    const made = this.#make(constant);
    this.#made.set(constant, made);
    return made;
  }

  #make(constant: Constant): Constant {
    switch (constant.kind) {
      case 'blockaddress': {
        const operands = [integerConstant(i64, this.numberOf(constant.function, constant.block))];
        const common = { flags: 0, sourceType: undefined, inRange: undefined };
        return { kind: 'expression', op: 'inttoptr', type: ptr, operands, ...common };
      }
      case 'aggregate': {
        const elements = this.#all(constant.elements);
        return elements === undefined ? constant : { ...constant, elements };
      }
      case 'expression': {
        const operands = this.#all(constant.operands);
        return operands === undefined ? constant : { ...constant, operands };
      }
      case 'variable':
      case 'function':
      case 'alias':
      case 'ifunc':
      case 'dso_local_equivalent':
      case 'no_cfi':
        return constant;
      default:
        return constant satisfies PlainConstant;
    }
  }

  /** Undefined when nothing changes. */
  #all(parts: readonly Constant[]): Constant[] | undefined {
    const made = parts.map(part => this.numbered(part));
    return made.some((part, i) => part !== parts[i]) ? made : undefined;
  }
}

function switchInstead(target: IrFunction, block: Block, labels: Labels, lostGoto: IrFunction): boolean {
  const jump = block.instructions.at(-1);
  if (jump?.op !== 'indirectbr') return false;
  block.instructions.pop();
  const nowhere = makeBlock();
  target.blocks.push(nowhere);
  const report = new Builder(nowhere.instructions, jump.debugLocation);
  report.call(lostGoto, []);
  report.unreachable();
  const builder = new Builder(block.instructions, jump.debugLocation);
  const number = builder.cast('ptrtoint', jump.address, i64);
  const ways = new Set(jump.targets);
  const cases = [...ways].map(way => [integerConstant(i64, labels.numberOf(target, way)), way] as const);
  builder.switch(number, nowhere, cases);
  for (const way of ways) keepOneEntry(way, block);
  return true;
}

/** A jump may name a label twice, but a switch has one edge to it. */
function keepOneEntry(into: Block, from: Block): void {
  for (const phi of into.instructions) {
    if (phi.op !== 'phi') continue;
    const isKept = phi.blocks.map((block, i) => block !== from || phi.blocks.indexOf(from) === i);
    phi.values = phi.values.filter((_, i) => isKept[i]);
    phi.blocks = phi.blocks.filter((_, i) => isKept[i]);
  }
}
