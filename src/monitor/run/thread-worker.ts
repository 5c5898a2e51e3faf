/** A worker that runs threads of the program, one after the other, in its slot. */
import { enableWasmHints } from '../../platform/node.js';
import { workerInput } from '../../platform/task.js';
import { threadStackBytes, threadStacksStart } from '../memory-map.js';
import { Baton, importNames, Signal, type ThreadStart, type WasmValue } from './baton.js';

/** Unwinds the frames of a thread that has ended. */
class ThreadEnd extends Error {}

function run({ module, memory, baton: buffer, slot }: ThreadStart): void {
  enableWasmHints();
  const baton = new Baton(buffer);
  const asked = importNames(module).map((name, index) => [
    name,
    (...args: WasmValue[]) => baton.ask(slot, index, args),
  ]);
  const imports = {
    ...Object.fromEntries(asked),
    __rz_baton_pass: (to: number) => {
      baton.wake(to, Signal.go);
      baton.wait(slot);
    },
    __rz_baton_leave: (to: number) => {
      next = to;
      throw new ThreadEnd();
    },
  };
  let next = 0;
  const { exports } = new WebAssembly.Instance(module, { redzone: imports, env: { memory } });
  const stack = exports.__stack_pointer as WebAssembly.Global;
  const begin = exports.__rz_thread_begin as (slot: number) => void;
  for (;;) {
    baton.wait(slot);
    stack.value = BigInt(threadStacksStart + (slot + 1) * threadStackBytes);
    try {
      begin(slot);
    } catch (error) {
      if (!(error instanceof ThreadEnd)) {
        baton.fail(kindOf(error));
        continue;
      }
      baton.wake(next, Signal.go);
    }
  }
}

/** The kind of an error, which the home worker maps back: `thread-team.ts`. */
function kindOf(error: unknown): string {
  if (error instanceof RangeError) return `RangeError ${error.message}`;
  if (error instanceof WebAssembly.RuntimeError) return `RuntimeError ${error.message}`;
  if (error instanceof WebAssembly.Exception) return 'Exception';
  return `Error ${error instanceof Error ? error.stack : String(error)}`;
}

run(workerInput<ThreadStart>());
