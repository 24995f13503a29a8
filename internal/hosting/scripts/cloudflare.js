// what is for servers, not for clients
const unserved = new RegExp(%s);

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
  return new Response(null, { status: 405, headers: { Allow: %q } });
}
