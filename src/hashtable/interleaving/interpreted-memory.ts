/**
 * A memory in an ordinary array, for one thread, on which the code of the table is interpreted.
 * Tests use it to prepare tables.
 */
import { Interpreter, Process, type StepValue } from '../language/interpret.js';
import type { Memory, TableCode } from '../shared-memory.js';
import { tableProgram } from '../source/index.js';
import { SimulatedMemory } from './simulated-memory.js';
import type { SteppedProcess } from './simulated-thread.js';

export class InterpretedMemory implements Memory {
  readonly words: Int32Array;
  readonly code: TableCode;

  constructor(initial: Int32Array, interpreter: Interpreter = standardInterpreter()) {
    const memory = new SimulatedMemory(initial);
    const handles = new Map<number, Process>();
    this.words = memory.words;
    const call =
      (name: string) =>
      (handle: number, ...operands: StepValue[]): StepValue | undefined => {
        const process = handles.get(handle) ?? new Process(interpreter);
        handles.set(handle, process);
        return runAlone(process, memory, name, operands.map(signed));
      };
    this.code = new Proxy({} as TableCode, { get: (_, name) => call(String(name)) });
  }
}

let standard: Interpreter | undefined;

/** The code that ships; read once. */
function standardInterpreter(): Interpreter {
  standard ??= new Interpreter(tableProgram());
  return standard;
}

/** Calls a function and performs all its steps. */
export function runAlone(
  process: SteppedProcess,
  memory: SimulatedMemory,
  name: string,
  operands: readonly StepValue[],
): StepValue | undefined {
  process.call(name, operands);
  for (let { pending } = process; pending !== undefined; pending = process.pending)
    process.resume(memory.perform(pending).answer);
  return process.result;
}

/** As at the border to WebAssembly. */
function signed(value: StepValue): StepValue {
  return typeof value === 'bigint' ? BigInt.asIntN(64, value) : value;
}
