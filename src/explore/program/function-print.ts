/**
 * A fingerprint of what a function does, alike in every version of the program in which that is the
 * same: its instructions without their lines, the layout of the structs that it knows, and of each
 * variable that it names the address and the first contents. Functions that it calls are names here
 * and have fingerprints of their own; one whose address it takes counts with its address.
 *
 * Requires that the function was not decoded yet: decoding changes its instructions.
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

/** The functions that an instruction uses and does not call. */
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

  /** What has no name in the source is known by its address: its number may be another one now. */
  override global(global: GlobalValue): string {
    if (global.kind !== 'variable') return super.global(global);
    this.#variables.add(global);
    return `@${this.#addressOf(global)}`;
  }

  /** Definitions of all variables that were mentioned, and of those that these mention in turn. */
  *variableDefinitions(): Iterable<string> {
    // The set grows while it is walked.
    for (const variable of this.#variables) {
      if (variable.kind !== 'variable') continue;
      const { initializer, isConstant, valueType } = variable;
      const contents = initializer === undefined ? 'none' : this.constant(initializer);
      yield `${this.#addressOf(variable)} ${isConstant} ${this.type(valueType)} ${contents}`;
    }
  }
}
