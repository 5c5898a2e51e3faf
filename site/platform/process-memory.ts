/** `src/platform/process-memory.ts` for a page, which does not know its memory limit. */

/** Only Chromium reports it, and only for JavaScript. */
function heap(): { readonly usedJSHeapSize: number; readonly jsHeapSizeLimit: number } | undefined {
  return (performance as unknown as { memory?: ReturnType<typeof heap> }).memory;
}

export function residentBytes(): number {
  return heap()?.usedJSHeapSize ?? 0;
}

export function mostResidentBytes(): number {
  return residentBytes();
}

export function isHeapNearlyFull(): boolean {
  const known = heap();
  return known !== undefined && known.usedJSHeapSize > 0.9 * known.jsHeapSizeLimit;
}

/** A page on a phone does not have the memory for two compilers. */
export function workersThatFit(_bytesEach: number): number {
  return navigator.hardwareConcurrency >= 4 && !/Mobi/.test(navigator.userAgent) ? 2 : 1;
}

export function threadsFor(workers: number | 'auto'): number {
  return workers === 'auto' ? workersThatFit(0) : workers;
}
