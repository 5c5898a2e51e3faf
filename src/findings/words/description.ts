/** The description of an error: the part of a Finding that does not depend on its location. */
import type { AnyCode } from '../codes.js';
import type { ObjectFacts } from '../facts.js';
import type { Access, Finding, Loop, Note, OverBudget, Severity } from '../finding.js';

export interface Description {
  readonly code: AnyCode;
  readonly message: string;
  readonly access?: Access;
  readonly object?: ObjectFacts;
  readonly label?: string;
  readonly notes?: readonly Note[];
  /** The likely fix. */
  readonly help?: string;
  /** The severity, if it differs from that of the code. */
  readonly severity?: Severity;
  /** Present in races. */
  readonly accesses?: Finding['accesses'];
  readonly loop?: Loop;
  readonly budget?: OverBudget;
  /** Present in violated annotations. */
  readonly annotation?: Pick<Finding, 'annotation' | 'clause' | 'values'>;
}
