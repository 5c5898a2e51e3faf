/**
 * What the memory of a local is called in messages, and where the source makes it: for both
 * engines, so that a finding reads the same in each.
 *
 * clang makes locals for more than variables: for the value of `return`, for compound literals, for
 * `alloca`, and for structures that exist only within an expression.
 */
import { functionLocation, type SourceVariable, stackOf, variablesOf } from '../ir/debug.js';
import type { AllocaInstruction, Argument, IrFunction } from '../ir/model.js';
import { isCompoundLiteral, usesOf } from './literal-scopes.js';
import { isLifetimeMarker } from './whole-locals.js';

type Place = SourceVariable['location'] | undefined;

export interface DescribedLocal {
  /** `findings/words/object-words.ts` has the name in messages (`localName`). */
  readonly what: 'variable' | 'result' | 'literal' | 'alloca' | 'temporary';
  readonly location: Place;
  /** Absent for memory that is no variable of the source. */
  readonly variable?: SourceVariable;
}

/** The description of each local, and of each argument that is passed by value in memory. */
export function describeLocals(target: IrFunction): Map<AllocaInstruction | Argument, DescribedLocal> {
  const described = new Map<AllocaInstruction | Argument, DescribedLocal>();
  const variables = variablesOf(target);
  const place = functionLocation(target);
  for (const argument of target.arguments) {
    if (!argument.attributes.has('byval')) continue;
    const variable = variables.get(argument);
    described.set(argument, ofVariable(variable) ?? { what: 'temporary', location: place });
  }
  for (const { instructions } of target.blocks)
    for (const local of instructions) {
      if (local.op !== 'alloca') continue;
      described.set(local, ofVariable(variables.get(local)) ?? ofCompilers(target, local, place));
    }
  return described;
}

function ofVariable(variable: SourceVariable | undefined): DescribedLocal | undefined {
  return variable && { what: 'variable', location: variable.location, variable };
}

function ofCompilers(target: IrFunction, local: AllocaInstruction, place: Place): DescribedLocal {
  if (local.name === 'retval') return { what: 'result', location: place };
  const [own] = stackOf(local);
  if (own !== undefined) return { what: 'alloca', location: own };
  const uses = usesOf(target, local).filter(use => stackOf(use).length > 0);
  const first = uses.find(use => !isLifetimeMarker(use));
  const location = (first && stackOf(first)[0]) ?? place;
  return { what: isCompoundLiteral(local) ? 'literal' : 'temporary', location };
}
