// cardwright:generated - written by cardwright generate --server s3; changes are overwritten
// use: a function of CloudFront (cloudfront-js-2.0) for viewer requests and viewer responses of the behaviour that serves the bucket,
// with the response headers policy of cloudfront-headers.json

var ours = new RegExp("/\\.well-known/[^/]+(?:/[^/]+)*/?$");
var unserved = new RegExp("\\.(?:json|html)\\.(?:etag|sha256)$|/(?:\\.htaccess|_headers|\\.nojekyll|\\.cardwright-[^/]*\\.tmp)$");

var preflight = {
  "allow": { value: "GET, HEAD, OPTIONS" },
  "access-control-allow-origin": { value: "*" },
  "access-control-allow-methods": { value: "GET, HEAD, OPTIONS" },
  "access-control-allow-headers": { value: "A2A-Version, A2A-Extensions, Content-Type, If-None-Match, Authorization, Cache-Control, traceparent, tracestate" },
  "access-control-max-age": { value: "86400" },
};

// headers of the legacy path, beside Link
var legacy = {
};

// Link of pages that announce catalogs
var links = {
};

// where cards were, and where they are
var moved = {
  "/.well-known/agent-card.json": "https://acme.localhost/.well-known/agent-card.json",
  "/.well-known/agent.json": "https://acme.localhost/.well-known/agent.json",
};

var redirected = {
  "cache-control": { value: "public, max-age=3600, stale-while-revalidate=86400" },
  "access-control-allow-origin": { value: "*" },
  "access-control-expose-headers": { value: "ETag, Link, Deprecation" },
  "x-content-type-options": { value: "nosniff" },
};

function handler(event) {
  var request = event.request;
  if (event.context.eventType === "viewer-response") {
    var response = event.response;
    if (request.uri.endsWith("/.well-known/agent.json")) {
      Object.assign(response.headers, legacy);
      var card = request.uri.slice(0, -"agent.json".length) + "agent-card.json";
      response.headers.link = { value: "<" + card + '>; rel="successor-version"' };
    } else if (links[request.uri]) {
      response.headers.link = { value: links[request.uri] };
    }
    return response;
  }
  if (unserved.test(request.uri)) {
    return { statusCode: 404, statusDescription: "Not Found" };
  }
  if (moved[request.uri] && request.method !== "OPTIONS") {
    var answer = Object.assign({ location: { value: moved[request.uri] } }, redirected);
    return { statusCode: 308, statusDescription: "Permanent Redirect", headers: answer };
  }
  if (request.method === "GET" || request.method === "HEAD" || !ours.test(request.uri)) {
    return request;
  }
  if (request.method === "OPTIONS") {
    return { statusCode: 204, statusDescription: "No Content", headers: preflight };
  }
  return { statusCode: 405, statusDescription: "Method Not Allowed", headers: { allow: { value: "GET, HEAD, OPTIONS" } } };
}
