// Compiles in a condition on the cell of every stored granule; it never holds.
/** @type {import('../../dist/index.js').Plugin<undefined, 'frozen'>} */
export default {
  name: 'inline-store',
  shadow: { frozen: { per: 'granule', bits: 8 } },
  hooks: {
    store: {
      when: { shadow: 'frozen', has: 1 },
      run: (_, { report }) => report('frozen', 'a frozen byte is written'),
    },
  },
};
