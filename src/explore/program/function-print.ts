/**
 * A fingerprint of the behaviour of a function, which is the same in every version of the program
 * with the same behaviour: its instructions without lines, the layout of the structs that it uses,
 * and the addresses and initial contents of the variables that it names. Called functions are
 * included by name and have their own fingerprints; a function whose address is taken is included
 * with its address.
 *
 * Requires that the function has not been decoded yet, because decoding changes its instructions.
 */
import { NO_PRINT, type Print, withText } from '../../expr/term-print.js';
import type { GlobalValue, Instruction, IrFunction } from '../../ir/model.js';
import { forEachOperand } from '../../ir/operands.js';
import { ModuleText } from '../../ir/write/module-text.js';
import { spellLocals } from '../../ir/write/spelling.js';
import { instructionText } from '../../ir/write/write-instruction.js';

export function functionPrint(target: IrFunction, addressOf: (global: GlobalValue) => number): Print {
  const t = new CodeText(addressOf);
  t.locals = spellLocals(target);
  let print = withText(NO_PRINT, target.arguments.map(argument => t.typedValue(argument)).join());
  for (const block of target.blocks) {
    print = withText(print, t.local(block));
    for (const instruction of block.instructions) {
      if (instruction.op === 'debug-record') continue;
      print = withText(print, instructionText(t, instruction));
      for (const address of takenAddresses(instruction, addressOf)) print = withText(print, String(address));
    }
  }
  for (const definition of t.structDefinitions()) print = withText(print, definition);
  for (const definition of t.variableDefinitions()) print = withText(print, definition);
  return print;
}

/** The functions that an instruction uses without calling them. */
function takenAddresses(instruction: Instruction, addressOf: (global: GlobalValue) => number): number[] {
  const taken: number[] = [];
  const callee = 'callee' in instruction ? instruction.callee : undefined;
  forEachOperand(instruction, operand => {
    if (operand.kind === 'function' && operand !== callee) taken.push(addressOf(operand));
  });
  return taken;
}

/** The text of code without metadata. */
class CodeText extends ModuleText {
  readonly #addressOf: (global: GlobalValue) => number;
  readonly #variables = new Set<GlobalValue>();

  constructor(addressOf: (global: GlobalValue) => number) {
    super([]);
    this.#addressOf = addressOf;
  }

  override node(): string {
    return '';
  }

  /** An unnamed global is identified by its address, because its number may change. */
  override global(global: GlobalValue): string {
    if (global.kind !== 'variable') return super.global(global);
    this.#variables.add(global);
    return `@${this.#addressOf(global)}`;
  }

  /** The definitions of all mentioned variables, transitively. */
  *variableDefinitions(): Iterable<string> {
    // The set grows during the iteration.
    for (const variable of this.#variables) {
      if (variable.kind !== 'variable') continue;
      const { initializer, isConstant, valueType } = variable;
      const contents = initializer === undefined ? 'none' : this.constant(initializer);
      yield `${this.#addressOf(variable)} ${isConstant} ${this.type(valueType)} ${contents}`;
    }
  }
}
