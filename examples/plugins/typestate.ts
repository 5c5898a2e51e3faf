/**
 * A typestate of an API: a `struct device` must be initialised before it is used, and not be used
 * after it was closed. Its state is in a shadow: one number for each 8 bytes of memory.
 */
import { definePlugin } from 'redzone';

const never = 0;
const ready = 1;
const closed = 2;

export default definePlugin({
  name: 'typestate',
  shadow: { phase: { per: 'granule', bits: 2 } },
  hooks: {
    call: [
      {
        functions: 'device_init',
        before: ({ arguments: [device] }, { shadow, report }) => {
          if (shadow('phase').get(device) === ready)
            report('initialised-twice', 'the device is ready already', ['close it first']);
          shadow('phase').set(device, 1, ready);
        },
      },
      {
        functions: /^device_(?!init$|close$)/,
        before: ({ function: name, arguments: [device] }, { shadow, report }) => {
          const phase = shadow('phase').get(device);
          if (phase === never) report('not-initialised', `\`${name}\` before \`device_init\``);
          if (phase === closed) report('used-after-close', `\`${name}\` after \`device_close\``);
        },
      },
      {
        functions: 'device_close',
        before: ({ arguments: [device] }, { shadow }) => shadow('phase').set(device, 1, closed),
      },
    ],
    // Memory that is given out again holds no device.
    free: ({ address, bytes }, { shadow }) => shadow('phase').set(address, bytes, never),
  },
});
