{{head "//" "s3" "use: a function of CloudFront (cloudfront-js-2.0) for viewer requests and viewer responses of the behaviour that serves the bucket,"
	"with the response headers policy of cloudfront-headers.json"}}

var ours = new RegExp({{text `/\.well-known/[^/]+(?:/[^/]+)*/?$`}});
var unserved = new RegExp({{text (hidden .Entries)}});

var preflight = {
{{- range .Preflight}}
{{- if ne .Value requestOrigin}}
  {{text (lower .Name)}}: { value: {{text .Value}} },
{{- end}}
{{- end}}
};

// headers of the legacy path, beside Link
var legacy = {
{{- range .Legacy}}
  {{text (lower .Name)}}: { value: {{text .Value}} },
{{- end}}
};

// Link of pages that announce catalogs
var links = {
{{- range .Links}}
  {{text .Name}}: {{text .Value}},
{{- end}}
};
{{- if .Moved}}

// where cards were, and where they are
var moved = {
{{- range .Moved}}
  {{text .From}}: {{text .To}},
{{- end}}
};

var redirected = {
{{- range .Redirected}}
{{- if ne .Value requestOrigin}}
  {{text (lower .Name)}}: { value: {{text .Value}} },
{{- end}}
{{- end}}
};
{{- end}}
{{if gt (len .Origins) 1}}
function allowed(request, fixed) {
  var headers = Object.assign({}, fixed);
  var origin = request.headers.origin;
  if (origin && {{.OriginList}}.includes(origin.value)) {
    headers["access-control-allow-origin"] = { value: origin.value };
  }
  return headers;
}
{{end}}
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
{{- if .Moved}}
  if (moved[request.uri] && request.method !== "OPTIONS") {
    var answer = Object.assign({ location: { value: moved[request.uri] } }, {{if gt (len .Origins) 1}}allowed(request, redirected){{else}}redirected{{end}});
    return { statusCode: 308, statusDescription: "Permanent Redirect", headers: answer };
  }
{{- end}}
  if (request.method === "GET" || request.method === "HEAD" || !ours.test(request.uri)) {
    return request;
  }
  if (request.method === "OPTIONS") {
    return { statusCode: 204, statusDescription: "No Content", headers: {{if gt (len .Origins) 1}}allowed(request, preflight){{else}}preflight{{end}} };
  }
  return { statusCode: 405, statusDescription: "Method Not Allowed", headers: { allow: { value: {{text methods}} } } };
}
