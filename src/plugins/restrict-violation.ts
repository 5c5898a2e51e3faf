/**
 * `restrict` (`--checks +restrict`): what is written while a function runs, and accessed through a
 * parameter that is declared `restrict`, must be accessed through that parameter only. The same
 * holds for a local variable of the whole function. It is a built-in plug-in that uses only the
 * public interface.
 *
 * Each byte remembers in which call of such a function it was accessed last, by which of its
 * variables, and whether it was written:
 *
 * ```
 *   31                    9 8            1 0
 *   ├── number of the call ┼── ways ──────┼─ written
 *                            bit 0 of the ways: through no such parameter; bit i: through number i
 * ```
 *
 * Bytes of earlier calls count as not accessed. Two ways that only read are allowed, and so are
 * interleaved elements: bytes are compared, not ranges. Accesses whose way is not known, and those
 * of called functions, are ignored. So are programs that create threads: calls are numbered by one
 * stack.
 */
import { type Basis, definePlugin, type HookContext, type Plugin } from './plugin.js';

interface State {
  /** The calls of functions with such parameters that run. */
  calls: { function: string; number: number }[];
  /** How many there were. */
  count: number;
  /** By function, its parameters; the index of one is its bit. */
  parameters: Record<string, string[]>;
}

const mostCalls = 2 ** 23;
const mostWays = 8;

export const restrictViolation: Plugin<State, 'uses'> = definePlugin<State, 'uses'>({
  name: 'restrict-violation',
  shadow: { uses: { per: 'byte', bits: 32 } },
  state: () => ({ calls: [], count: 0, parameters: {} }),
  hooks: {
    enter: {
      functions: /^/,
      restrict: true,
      run: (event, { state }) => {
        if (++state.count < mostCalls) state.calls.push({ function: event.function, number: state.count });
      },
    },
    return: {
      functions: /^/,
      restrict: true,
      run: (event, { state }) => {
        if (callOf(state, event.function) !== undefined) state.calls.pop();
      },
    },
    load: ({ address, bytes, basis }, context) => used(address, bytes, basis, false, context),
    store: ({ address, bytes, basis }, context) => used(address, bytes, basis, true, context),
    call: {
      functions: ['pthread_create', 'thrd_create'],
      before: (_, { state }) => {
        state.count = mostCalls;
        state.calls = [];
      },
    },
  },
});

/** The running call of a function. Calls that `longjmp` has left are forgotten. */
function callOf({ calls }: State, name: string): number | undefined {
  while (calls.length > 0 && calls.at(-1)!.function !== name) calls.pop();
  return calls.at(-1)?.number;
}

function used(
  address: number,
  bytes: number,
  basis: Basis | undefined,
  isWrite: boolean,
  { state, shadow, report }: HookContext<State, 'uses'>,
): void {
  if (basis === undefined) return;
  const call = callOf(state, basis.function);
  const way = wayOf(state, basis);
  if (call === undefined || way >= mostWays) return;
  const uses = shadow('uses');
  for (let at = address; at < address + bytes; at++) {
    const known = uses.get(at);
    const before = known >>> 9 === call ? known & 0x1ff : 0;
    const isWritten = isWrite || (before & 1) !== 0;
    const others = (before >>> 1) & ~(1 << way);
    if (isWritten && others !== 0) {
      // Forgotten, so that the same bytes are not reported again.
      uses.set(address, bytes, 0);
      const other = parametersOf(state, basis.function)[31 - Math.clz32(others)];
      report('overlap', messageOf(other, basis.parameter, (before & 1) !== 0, isWrite), [
        'the compiler may assume that the two do not overlap, and change the order of the accesses',
      ]);
      return;
    }
    uses.set(at, 1, ((call << 9) | ((before | (2 << way)) & 0x1fe) | (isWritten ? 1 : 0)) >>> 0);
  }
}

function parametersOf({ parameters }: State, name: string): string[] {
  parameters[name] ??= [''];
  return parameters[name];
}

/** 0 for an address that is based on no such parameter. */
function wayOf(state: State, basis: Basis): number {
  if (basis.parameter === undefined) return 0;
  const known = parametersOf(state, basis.function);
  const index = known.indexOf(basis.parameter);
  return index > 0 ? index : known.push(basis.parameter) - 1;
}

function messageOf(
  other: string | undefined,
  own: string | undefined,
  wasWritten: boolean,
  isWrite: boolean,
): string {
  const access = isWrite ? 'written' : 'read';
  const earlier = wasWritten ? 'written' : 'accessed';
  if (!other)
    return `memory is ${access} through \`${own}\`, which is restrict, and was ${earlier} without it`;
  const now = own === undefined ? 'in another way' : `through \`${own}\``;
  return `memory is ${access} ${now} that was ${earlier} through \`${other}\`, which is restrict`;
}
