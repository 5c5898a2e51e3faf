/**
 * `src/platform/next-turn.ts` for a page, which has no `setImmediate`: a posted message is as
 * quick.
 */
const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.onmessage = () => waiting.shift()?.();

export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve);
    channel.port2.postMessage(undefined);
  });
}
