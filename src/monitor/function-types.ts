/**
 * `\valid_function(p)` in a program of several files: p must point to a function of its own type.
 * Woven code only knows the types of its own file; debug information has those of all files.
 *
 * ```
 *   static int (*type)(int);                  woven: a variable of p's type
 *   __rz_acsl_valid_function(p, &type)
 *   type = { f, g, null }                     here: the functions of other types whose address is taken
 * ```
 *
 * A function whose type is unknown, or whose address is never taken, is not listed.
 */
import { calledName } from '../ir/called-functions.js';
import { nullConstant } from '../ir/constants.js';
import { comparableFunctionType } from '../ir/debug.js';
import type { GlobalVariable, IrFunction, Module } from '../ir/model.js';
import { arrayType, ptr } from '../ir/types.js';
import { addressTaken } from '../passes/observation.js';

const question = '__rz_acsl_valid_function';

/** The functions of the library whose types are needed; none if there is no such check. */
export function functionsToCompare(program: Module): string[] {
  if (!program.functions.some(({ name }) => name === question)) return [];
  return [...addressTaken(program)].filter(({ blocks }) => blocks.length === 0).map(({ name }) => name);
}

/** `library` has the members that define functions of the library. */
export function listOtherFunctions(program: Module, library: readonly Module[]): void {
  const ofLibrary = new Map(library.flatMap(({ functions }) => functions.map(one => [one.name, one])));
  const typeOf = (one: IrFunction): string | undefined =>
    comparableFunctionType(one.blocks.length > 0 ? one : (ofLibrary.get(one.name) ?? one));
  const known = [...addressTaken(program)].map(target => ({ target, type: typeOf(target) }));
  for (const variable of variablesAsked(program)) {
    const own = comparableFunctionType(variable);
    const others = known.filter(({ type }) => own !== undefined && type !== undefined && type !== own);
    variable.valueType = arrayType(ptr, others.length + 1);
    variable.initializer = {
      kind: 'aggregate',
      type: variable.valueType,
      elements: [...others.map(({ target }) => target), nullConstant],
    };
  }
}

function variablesAsked(program: Module): Set<GlobalVariable> {
  const variables = new Set<GlobalVariable>();
  for (const { blocks } of program.functions)
    for (const { instructions } of blocks)
      for (const one of instructions) {
        if (one.op !== 'call' || calledName(one) !== question) continue;
        const [, type] = one.args;
        if (type?.kind === 'variable') variables.add(type);
      }
  return variables;
}
