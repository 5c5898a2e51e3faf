/**
 * What the families of instructions ask of the decoder when they make steps
 * (`instructions/decode.ts`).
 */

import type { DataLayout } from '../../ir/data-layout.js';
import type { SourceVariable } from '../../ir/debug.js';
import type { Block, Instruction, Value } from '../../ir/model.js';
import type { DecodedBlock, DecodedFunction } from '../state/decoded.js';
import type { Program } from './program.js';

export interface Decoder {
  readonly program: Program;
  readonly layout: DataLayout;
  /** The function that is decoded. */
  readonly target: DecodedFunction;
  /** Steps whose result may be used other than for an access in this function. */
  readonly strays: ReadonlySet<Instruction>;
  /** What the source calls the locals. */
  readonly variables: ReadonlyMap<Instruction, SourceVariable>;
  /** The register of a value; a constant gets one when it is first asked for. */
  register(value: Value | undefined): number;
  block(block: Block): DecodedBlock;
}
