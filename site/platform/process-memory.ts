/** `src/platform/process-memory.ts` for a page, which is not told how much memory it has. */

/** Only Chromium tells, and only of JavaScript. */
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

/** A page on a phone has no room for two compilers. */
export function workersThatFit(_bytesEach: number): number {
  return navigator.hardwareConcurrency >= 4 && !/Mobi/.test(navigator.userAgent) ? 2 : 1;
}
