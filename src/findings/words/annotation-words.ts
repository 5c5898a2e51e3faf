/** Messages for ACSL annotations that do not hold. */
import type { AnnotationFacts } from '../facts.js';
import type { Description } from './description.js';

export function describeAnnotation(facts: AnnotationFacts): Description {
  const { annotation, clause, values, places } = facts;
  const told = values.map(({ term, value }) => `${term} = ${value}`).join(', ');
  return {
    code: 'acsl-violation',
    message: messageOf(facts),
    notes: [...(told === '' ? [] : [{ message: told }]), ...places],
    annotation: {
      annotation: facts.undefinedBecause === undefined ? shortKind(annotation) : 'undefined',
      clause,
      ...(values.length > 0 && { values }),
    },
    help: helpFor(facts),
  };
}

function helpFor({ annotation, written, undefinedBecause }: AnnotationFacts): string {
  if (undefinedBecause !== undefined)
    return 'put the condition under which the term has a value before it, as in `p != \\null ==> *p > 0`';
  if (written !== undefined) return 'add the location to the clause, or do not write it';
  return annotation === 'requires'
    ? 'establish the condition in the caller, or weaken the contract'
    : 'correct the code, or the annotation';
}

function messageOf({ annotation, clause, written, undefinedBecause }: AnnotationFacts): string {
  if (undefinedBecause !== undefined) return `an annotation cannot be evaluated: ${undefinedBecause}`;
  if (written !== undefined) return `${written}, which \`${clause}\` does not allow`;
  switch (annotation) {
    case 'loop variant':
      return `the loop variant \`${clause}\` does not decrease towards 0`;
    case 'decreases':
      return `the measure \`${clause}\` does not decrease in a recursive call`;
    case 'complete behaviors':
      return `none of the behaviors of \`${clause}\` applies`;
    case 'disjoint behaviors':
      return `more than one of the behaviors of \`${clause}\` applies`;
    default:
      // Annotations of other kinds are conditions, and share the sentence.
      return `${annotation} \`${clause}\` does not hold`;
  }
}

/** The name in the JSON contract: `invariant` for `loop invariant`. */
function shortKind(kind: string): string {
  return kind.replace(/^(loop|global|type) /, '').replace(/ behaviors$/, '');
}
