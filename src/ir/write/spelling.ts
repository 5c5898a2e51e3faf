/** How names and strings are spelled, and which local name each thing in a function gets. */
import type { Argument, Block, Instruction, IrFunction } from '../model.js';
import { voidType } from '../types.js';

export type Local = Argument | Block | Instruction;

/** `x`, or `"x y"` when a character needs it; without the sigil. */
export function spellName(name: string): string {
  return /^[-a-zA-Z$._][-a-zA-Z$._0-9]*$/.test(name) ? name : spellString(name);
}

/** In quotes, with everything but printable ASCII as a backslash and two digits. */
export function spellString(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  const escaped = text.replace(/[^ !#-[\]-~]/g, character =>
    character === '\\' ? '\\\\' : `\\${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return `"${escaped}"`;
}

/**
 * The spelling, without `%`, of every argument, block and result of a function. What has no name
 * gets the number that textual IR requires; a name that is taken gets a suffix.
 */
export function spellLocals(target: IrFunction): Map<Local, string> {
  const spelled = new Map<Local, string>();
  const taken = new Set<string>();
  const suffixes = new Map<string, number>();
  let number = 0;
  const add = (local: Local): void => {
    const name = local.name;
    if (name === undefined) {
      spelled.set(local, String(number++));
      return;
    }
    let unique = name;
    while (taken.has(unique)) {
      const suffix = (suffixes.get(name) ?? 0) + 1;
      suffixes.set(name, suffix);
      unique = `${name}.${suffix}`;
    }
    taken.add(unique);
    spelled.set(local, spellName(unique));
  };
  for (const argument of target.arguments) add(argument);
  for (const block of target.blocks) {
    add(block);
    for (const instruction of block.instructions) if (instruction.type !== voidType) add(instruction);
  }
  return spelled;
}
