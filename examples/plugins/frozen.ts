/** Memory that was given to `freeze` must not be written any more. */
import { definePlugin } from 'redzone';

export default definePlugin({
  name: 'frozen',
  shadow: { frozen: { per: 'byte', bits: 1 } },
  hooks: {
    call: {
      functions: 'freeze',
      before: ({ arguments: [address, bytes] }, { shadow }) => shadow('frozen').set(address, bytes, 1),
    },
    store: {
      when: { shadow: 'frozen', has: 1 },
      run: ({ bytes }, { report }) => report('written', `${bytes} bytes of a frozen object are written`),
    },
  },
});
