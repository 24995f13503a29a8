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
  if (request.method === "GET" || request.method === "HEAD" || !ours.test(request.uri)) {
    return request;
  }
  if (request.method === "OPTIONS") {
    return { statusCode: 204, statusDescription: "No Content", headers: %s };
  }
  return { statusCode: 405, statusDescription: "Method Not Allowed", headers: { allow: { value: %q } } };
}
