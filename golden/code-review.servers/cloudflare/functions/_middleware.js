// cardwright:generated - written by cardwright generate --server cloudflare; changes are overwritten
// use: copy the directory functions/ next to the directory that is deployed; Pages answers OPTIONS with 405 without it
// wrangler pages deploy DIR

const served = new RegExp("/\\.well-known/(?:agent-card\\.json|agent\\.json|jwks\\.json|agent-skills/[^/]+/SKILL\\.md|agent-skills/[^/]+\\.tar\\.gz|agent-skills/index\\.json|ai-catalog\\.json)$");

// what is for servers, not for their clients
const hidden = new RegExp("/\\.well-known/.+\\.(?:etag|sha256)$|/cardwright\\.manifest\\.json|/\\.cardwright-[^/]*\\.tmp$");

const preflight = {
  "Allow": "GET, HEAD, OPTIONS",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
  "Access-Control-Allow-Headers": "A2A-Version, A2A-Extensions, Authorization, Cache-Control, Content-Type, If-None-Match, traceparent",
  "Access-Control-Max-Age": "86400",
};

export function onRequest({ request, next }) {
  const path = new URL(request.url).pathname;
  if (hidden.test(path)) {
    return new Response(null, { status: 404 });
  }
  if (request.method === "GET" || request.method === "HEAD" || !served.test(path)) {
    return next();
  }
  return new Response(null, { status: request.method === "OPTIONS" ? 204 : 405, headers: preflight });
}
