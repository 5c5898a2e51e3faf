/** `src/platform/process-place.ts` for a page, which does not know its machine. */
export function machineName(): string {
  return 'page';
}
