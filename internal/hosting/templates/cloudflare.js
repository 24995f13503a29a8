{{head "//" "cloudflare" "use: copy the directory functions/ next to the directory that is deployed, then"
	(print "wrangler pages deploy " .Where)}}

const paths = new Set([
{{- range .Entries}}
  {{text .Path}},
{{- end}}
{{- range .Moved}}
  {{text .From}},
{{- end}}
]);

const moved = {
{{- range .Moved}}
  {{text .From}}: {{text .To}},
{{- end}}
};

const redirected = {
{{- range .Redirected}}
  {{text .Name}}: {{text .Value}},
{{- end}}
};

const preflight = {
{{- range .Preflight}}
  {{text .Name}}: {{text .Value}},
{{- end}}
};

// what is for servers, not for clients
const unserved = new RegExp({{text .Hidden}});

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
  return new Response(null, { status: 405, headers: { Allow: {{text methods}} } });
}
