// cardwright:generated - written by cardwright generate --server cloudflare; changes are overwritten
// use: copy the directory functions/ next to the directory that is deployed, then
// wrangler pages deploy dist/former.acme.localhost

const paths = new Set([
  "/.well-known/agent-card.json",
  "/.well-known/agent.json",
]);

const moved = {
  "/.well-known/agent-card.json": "https://acme.localhost/.well-known/agent-card.json",
  "/.well-known/agent.json": "https://acme.localhost/.well-known/agent.json",
};

const redirected = {
  "Cache-Control": "public, max-age=3600, stale-while-revalidate=86400",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag, Link, Deprecation",
  "X-Content-Type-Options": "nosniff",
};

const preflight = {
  "Allow": "GET, HEAD, OPTIONS",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
  "Access-Control-Allow-Headers": "A2A-Version, A2A-Extensions, Content-Type, If-None-Match, Authorization, Cache-Control, traceparent, tracestate",
  "Access-Control-Max-Age": "86400",
};

// what is for servers, not for clients
const unserved = new RegExp("/\\.well-known/(?:agent-)?skills/.*\\.(?:etag|sha256)$|(?:\\.json|\\.html|/api-catalog)\\.(?:br|gz)(?:\\.(?:etag|sha256))?$|\\.(?:json|html)\\.(?:etag|sha256)$|/(?:\\.htaccess|_headers|\\.nojekyll|\\.cardwright-[^/]*\\.tmp)$");

export function onRequest({ request, next }) {
  const path = new URL(request.url).pathname;
  if (unserved.test(path)) {
    return new Response(null, { status: 404 });
  }
  if (moved[path] && request.method !== "OPTIONS") {
    return new Response(null, { status: 308, headers: { ...redirected, Location: moved[path] } });
  }
  const reading = request.method === "GET" || request.method === "HEAD";
  if (reading || !paths.has(path)) {
    return next();
  }
  if (request.method === "OPTIONS") {
    return new Response(null, { status: 204, headers: preflight });
  }
  return new Response(null, { status: 405, headers: { Allow: "GET, HEAD, OPTIONS" } });
}
