// cardwright:generated - written by cardwright generate --server s3; changes are overwritten
// use: a function of CloudFront (cloudfront-js-2.0) for viewer requests and viewer responses of the behaviour that serves the bucket,
// with the response headers policy of cloudfront-headers.json

var ours = new RegExp("/\\.well-known/[^/]+(?:/[^/]+)*/?$");
var unserved = new RegExp("(?:\\.json|\\.html|/api-catalog)\\.(?:br|gz)(?:\\.(?:etag|sha256))?$|\\.(?:json|html)\\.(?:etag|sha256)$|/(?:\\.htaccess|_headers|\\.nojekyll|\\.cardwright-[^/]*\\.tmp)$");

var preflight = {
  "allow": { value: "GET, HEAD, OPTIONS" },
  "vary": { value: "Origin" },
  "access-control-allow-methods": { value: "GET, HEAD, OPTIONS" },
  "access-control-allow-headers": { value: "A2A-Version, A2A-Extensions, Content-Type, If-None-Match, Authorization, Cache-Control, traceparent, tracestate" },
  "access-control-max-age": { value: "86400" },
};

// headers of the legacy path, beside Link
var legacy = {
  "deprecation": { value: "@1753833600" },
  "sunset": { value: "Sun, 31 Jan 2027 00:00:00 GMT" },
};

// Link of pages that announce catalogs
var links = {
};

// where cards were, and where they are
var moved = {
  "/former/one/.well-known/agent-card.json": "/billing/.well-known/agent-card.json",
  "/former/one/.well-known/agent.json": "/billing/.well-known/agent.json",
};

var redirected = {
  "cache-control": { value: "public, max-age=3600, stale-while-revalidate=86400" },
  "vary": { value: "Origin" },
  "access-control-expose-headers": { value: "ETag, Link, Deprecation" },
  "x-content-type-options": { value: "nosniff" },
  "strict-transport-security": { value: "max-age=31536000" },
};

function allowed(request, fixed) {
  var headers = Object.assign({}, fixed);
  var origin = request.headers.origin;
  if (origin && ["https://a.example","https://app.example"].includes(origin.value)) {
    headers["access-control-allow-origin"] = { value: origin.value };
  }
  return headers;
}

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
    var answer = Object.assign({ location: { value: moved[request.uri] } }, allowed(request, redirected));
    return { statusCode: 308, statusDescription: "Permanent Redirect", headers: answer };
  }
  if (request.method === "GET" || request.method === "HEAD" || !ours.test(request.uri)) {
    return request;
  }
  if (request.method === "OPTIONS") {
    return { statusCode: 204, statusDescription: "No Content", headers: allowed(request, preflight) };
  }
  return { statusCode: 405, statusDescription: "Method Not Allowed", headers: { allow: { value: "GET, HEAD, OPTIONS" } } };
}
