/** The decoder's interface for the families of instructions (`instructions/decode.ts`). */

import type { DataLayout } from '../../ir/data-layout.js';
import type { Block, Instruction, Value } from '../../ir/model.js';
import type { DecodedBlock, DecodedFunction } from '../state/decoded.js';
import type { Program } from './program.js';

export interface Decoder {
  readonly program: Program;
  readonly layout: DataLayout;
  /** The function that is being decoded. */
  readonly target: DecodedFunction;
  /** Pointer steps whose result may be used for something other than an access in this function. */
  readonly strays: ReadonlySet<Instruction>;
  /** What the locals of the function are called. */
  readonly locals: DecodedFunction['locals'];
  /** The register of a value; a constant gets one at its first use. */
  register(value: Value | undefined): number;
  block(block: Block): DecodedBlock;
}
