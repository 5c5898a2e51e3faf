/**
 * Strict aliasing (`--checks +aliasing`): memory that was written as one type and is read as
 * another. A plug-in of our own, on the interface that users have.
 *
 * Each byte remembers the type that it was last written as, as a number; 0 stands for what counts
 * for every type: bytes that were never written, characters, members of unions, what `memcpy` has
 * written. The types are those by which clang's optimiser tells accesses apart
 * (`AccessEvent.type`), so what is reported is what it may rely on; with `-fno-strict-aliasing`
 * there are none.
 */
import { definePlugin, type Plugin } from './plugin.js';

interface State {
  /** Their numbers are their places. */
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
        // Once is enough: what is read so is read so again.
        types.set(address, bytes, 0);
        report('read', `memory is read as \`${type}\` that was written as \`${state.types[written]}\``, [
          'the compiler may assume that the two accesses do not overlap: copy the bytes with `memcpy`, or use a union',
        ]);
        return;
      }
    },
    allocate: ({ address, bytes }, { shadow }) => {
      shadow('types').set(address, bytes, 0);
    },
  },
});

/** What may alias everything. */
const anyType = 'char';

function numberOf({ types }: State, type: string): number {
  if (type === anyType) return 0;
  const known = types.indexOf(type);
  return known >= 0 ? known : types.push(type) - 1;
}
