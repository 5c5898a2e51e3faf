/** Made by `scripts/build-site.mjs`: how each worker of `src` is loaded. */
declare module 'worker-modules' {
  export const modules: Readonly<Record<string, () => Promise<unknown>>>;
}
