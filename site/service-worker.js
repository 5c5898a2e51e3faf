/**
 * The service worker: the page and its code work offline after the first visit, and have the
 * headers that shared memory needs, whatever the server sends.
 *
 * Files of a build are in folders named by their hash and never change, so they are answered from
 * the cache. The page itself comes from the network where there is one, so that a new build is
 * seen. The large downloads are kept by `platform/assets.ts`.
 */
const cacheName = 'redzone-APP';
/** A list as JSON, put here by the build. */
const files = JSON.parse('FILES');

self.addEventListener('install', event => {
  event.waitUntil(
    caches
      .open(cacheName)
      .then(cache => cache.addAll(['./', ...files]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', event => {
  event.waitUntil(
    caches
      .keys()
      .then(names =>
        Promise.all(
          names
            .filter(name => name.startsWith('redzone-app-') && name !== cacheName)
            .map(name => caches.delete(name)),
        ),
      )
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', event => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin || url.pathname.includes('/assets/'))
    return;
  event.respondWith(answer(event.request));
});

async function answer(request) {
  const cache = await caches.open(cacheName);
  if (request.mode === 'navigate') {
    const fresh = await fetch(request).catch(() => undefined);
    return isolated(fresh?.ok ? fresh : ((await cache.match('./')) ?? Response.error()));
  }
  const kept = await cache.match(request, { ignoreSearch: true });
  return isolated(kept ?? (await fetch(request)));
}

function isolated(response) {
  if (response.type === 'error' || response.type === 'opaque') return response;
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}
