// Labels that travel with values, as `--taint` has them, on the interface of plug-ins: a stored
// value gets the labels of the loads that it was copied, added or subtracted from. Shows what the
// built-in labels gain by being compiled in.

/** @type {import('../../dist/plugins/plugin.js').Plugin<unknown, 'labels'>} */
export default {
  name: 'labels',
  shadow: { labels: { per: 'byte', bits: 32 } },
  hooks: {
    store: {
      sources: true,
      run: ({ address, bytes, sources }, { shadow }) => {
        const labels = shadow('labels');
        let label = 0;
        for (const source of sources) label |= labels.get(source.address);
        labels.set(address, bytes, label);
      },
    },
  },
};
