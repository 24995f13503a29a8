// The service worker: after the first visit the page works without a network. A page
// of another build has another cache.
declare const BUILD: string;
declare const ASSETS: string[];

const worker = self as unknown as ServiceWorkerGlobalScope;
const cache = `cardwright-${BUILD}`;

worker.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cache).then((c) => c.addAll(ASSETS)).then(() => worker.skipWaiting()));
});
worker.addEventListener('activate', (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(
    names.filter((n) => n.startsWith('cardwright-') && n !== cache).map((n) => caches.delete(n)),
  )).then(() => worker.clients.claim()));
});
worker.addEventListener('fetch', (event) => {
  event.respondWith(caches.match(event.request, { ignoreSearch: true, cacheName: cache })
    .then((kept) => kept ?? fetch(event.request)));
});
