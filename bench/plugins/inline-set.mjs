// Marks every granule that is stored to, without a call.
export default {
  name: 'inline-set',
  shadow: { written: { per: 'granule', bits: 8 } },
  hooks: { store: { set: { shadow: 'written', to: 1 } } },
};
