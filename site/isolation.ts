/**
 * Shared memory: the engines need it, and browsers enable it only for pages whose server sends two
 * headers. If a server does not, our service worker adds them from the second load on, so the page
 * is reloaded once.
 */
import { element } from './dom.js';

export const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const reloadedKey = 'redzone reloaded for shared memory';

/** The message for the user if there is no shared memory; undefined if there is. */
export async function whyNotIsolated(): Promise<HTMLElement[] | undefined> {
  const isServed = await registerServiceWorker();
  if (globalThis.crossOriginIsolated && typeof SharedArrayBuffer !== 'undefined') {
    sessionStorage.removeItem(reloadedKey);
    return undefined;
  }
  if (isServed && sessionStorage.getItem(reloadedKey) === null) {
    sessionStorage.setItem(reloadedKey, '1');
    location.reload();
    return [element('p', {}, 'Loading once more, with shared memory.')];
  }
  const sent = await fetch(location.href, { cache: 'no-store' }).then(
    response => response.headers,
    () => new Headers(),
  );
  const lacking = Object.entries(headers).filter(([name, value]) => sent.get(name) !== value);
  return [
    element('p', {}, element('strong', {}, 'This page has no shared memory, which the engines need.')),
    element(
      'p',
      {},
      lacking.length > 0
        ? 'The server does not send these headers:'
        : window.isSecureContext
          ? 'The server sends the right headers, but this browser does not enable shared memory for the page.'
          : 'Browsers enable it only for pages from HTTPS or localhost.',
    ),
    ...(lacking.length > 0
      ? [element('pre', {}, lacking.map(([name, value]) => `${name}: ${value}`).join('\n'))]
      : []),
    element('p', {}, element('code', {}, 'redzone serve'), ' sends them.'),
  ];
}

/** Whether a service worker will serve the next load. */
async function registerServiceWorker(): Promise<boolean> {
  try {
    await navigator.serviceWorker.register('service-worker.js');
    await Promise.race([navigator.serviceWorker.ready, new Promise(resolve => setTimeout(resolve, 4000))]);
    return (
      navigator.serviceWorker.controller !== null ||
      (await navigator.serviceWorker.getRegistration())?.active != null
    );
  } catch {
    return false;
  }
}
