/**
 * Strict aliasing (`--checks +aliasing`): reports memory that was written as one type and is read
 * as another. It is a built-in plug-in that uses only the public interface.
 *
 * Each byte has the number of the type with which it was last written; 0 is compatible with every
 * type: uninitialized bytes, characters, members of unions, bytes that `memcpy` has written. The
 * types are those by which clang's optimiser distinguishes accesses (`AccessEvent.type`), so the
 * reports match what it may assume; with `-fno-strict-aliasing` there are none.
 */
import { definePlugin, type Plugin } from './plugin.js';

interface State {
  /** The index of a type is its number. */
  types: string[];
}

export const strictAliasing: Plugin<State, 'types'> = definePlugin<State, 'types'>({
  name: 'strict-aliasing',
  shadow: { types: { per: 'byte', bits: 16 } },
  state: () => ({ types: [''] }),
  hooks: {
    store: ({ address, bytes, type = anyType }, { state, shadow }) =>
      shadow('types').set(address, bytes, numberOf(state, type)),
    load: ({ address, bytes, type }, { state, shadow, report }) => {
      if (type === undefined || type === anyType) return;
      const types = shadow('types');
      const own = numberOf(state, type);
      for (let at = address; at < address + bytes; at++) {
        const written = types.get(at);
        if (written === 0 || written === own) continue;
        // The types are cleared so that the same bytes are not reported again.
        types.set(address, bytes, 0);
        report('read', `memory is read as \`${type}\` that was written as \`${state.types[written]}\``, [
          'the compiler may assume that the two accesses do not overlap',
        ]);
        return;
      }
    },
    allocate: ({ address, bytes }, { shadow }) => {
      shadow('types').set(address, bytes, 0);
    },
  },
});

/** The type that may alias every other. */
const anyType = 'char';

function numberOf({ types }: State, type: string): number {
  if (type === anyType) return 0;
  const known = types.indexOf(type);
  return known >= 0 ? known : types.push(type) - 1;
}
