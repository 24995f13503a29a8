// Reads what cardwright wrote for hosting platforms with the platforms' own
// code, and prints what each would send: platform to path to headers.
// Standard input: {"paths": [...], "netlify": FILE, "vercel": FILE,
// "firebase": FILE, "tree": DIR, "cloudflare": FILE, "rules": FILE, "cloudfront": FILE}.
import { readdir, readFile } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { generateHandler } from "@cloudflare/pages-shared/dist/asset-server/handler.js";
import { createMetadataObject } from "@cloudflare/pages-shared/dist/metadata-generator/createMetadataObject.js";
import { parseAllHeaders } from "@netlify/headers-parser";
import routing from "@vercel/routing-utils";
import firebaseHosting from "superstatic";

const input = JSON.parse(await text(process.stdin));
const byPath = async (of) => Object.fromEntries(await Promise.all(input.paths.map(async (p) => [p, await of(p)])));

process.stdout.write(JSON.stringify({
  netlify: await netlify(),
  vercel: await vercel(),
  firebase: await firebase(),
  cloudflare: await cloudflare(),
  pages: await pages(),
  cloudfront: await cloudfront(),
}));

async function netlify() {
  const { headers, errors } = await parseAllHeaders({ headersFiles: [input.netlify], configHeaders: [], minimal: true });
  if (errors.length > 0) throw errors[0];
  return byPath((p) => lower(Object.assign({}, ...headers.filter((h) => h.for === p).map((h) => h.values))));
}

async function vercel() {
  const config = JSON.parse(await readFile(input.vercel, "utf8"));
  const { routes, error } = routing.getTransformedRoutes({ headers: config.headers });
  if (error) throw new Error(JSON.stringify(error));
  return byPath((p) => lower(Object.assign({}, ...routes.filter((r) => new RegExp(r.src).test(p)).map((r) => r.headers))));
}

async function firebase() {
  const { hosting } = JSON.parse(await readFile(input.firebase, "utf8"));
  return served(firebaseHosting.default({ config: { ...hosting, public: "." }, cwd: input.tree }));
}

async function cloudflare() {
  const { onRequest } = await import(pathToFileURL(input.cloudflare).href);
  const ask = (method, p) => onRequest({ request: new Request("https://site.example" + p, { method }), next: () => new Response("file") });
  const answer = (r) => ({ status: r.status, headers: Object.fromEntries(r.headers) });
  return byPath(async (p) => ({
    options: answer(await ask("OPTIONS", p)),
    post: answer(await ask("POST", p)),
    get: await (await ask("GET", p)).text(),
    elsewhere: await (await ask("OPTIONS", "/other")).text(),
    sidecar: (await ask("GET", p + ".etag")).status,
  }));
}

// pages serves the tree as Cloudflare Pages does, behind the function: what comes
// for each path, and for one that is not there.
async function pages() {
  const { onRequest } = await import(pathToFileURL(input.cloudflare).href);
  const files = new Map();
  for (const entry of await readdir(input.tree, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || ["_headers", "_redirects"].includes(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    files.set("/" + path.relative(input.tree, file), file);
  }
  const metadata = createMetadataObject({ headers: { rules: rules(await readFile(input.rules, "utf8")), invalid: [] } });
  const types = { ".html": "text/html; charset=utf-8", ".json": "application/json" };
  const serve = (request) => generateHandler({
    request, metadata, logError: (err) => { throw err; },
    findAssetEntryForPath: async (p) => files.get(p) ?? null,
    getAssetKey: (file) => Buffer.from(file).toString("hex").slice(-32),
    negotiateContent: () => ({ encoding: null }),
    fetchAsset: async () => ({ body: new Response("file").body, contentType: "" }),
    attachAdditionalHeaders: (response, _content, file) => response.headers.set("content-type", types[path.extname(file)] ?? "application/octet-stream"),
  });
  const ask = async (p, headers) => {
    const request = new Request("https://site.example" + p, { headers });
    const response = await onRequest({ request, next: () => serve(request) });
    return { status: response.status, headers: Object.fromEntries(response.headers) };
  };
  const answers = {};
  for (const p of [...input.paths, "/gone/.well-known/agent-card.json"]) {
    const first = await ask(p);
    answers[p] = { ...first, again: (await ask(p, { "If-None-Match": first.headers.etag ?? "none" })).status };
  }
  return answers;
}

// rules reads a _headers file whose lines are those that cardwright writes.
function rules(file) {
  const list = [];
  for (const line of file.split("\n").filter((l) => l && !l.startsWith("#"))) {
    if (line.startsWith("/")) list.push({ path: line, headers: {}, unsetHeaders: [] });
    else if (line.startsWith("  ! ")) list.at(-1).unsetHeaders.push(line.slice(4));
    else {
      const [, name, value] = /^  ([A-Za-z-]+): (.*)$/.exec(line);
      list.at(-1).headers[name.toLowerCase()] = value;
    }
  }
  return list;
}

// cloudfront calls the function as CloudFront does, which has no modules.
async function cloudfront() {
  const code = await readFile(input.cloudfront, "utf8");
  if (code.length > 10000) throw new Error(`the function has ${code.length} bytes`);
  const handler = new Function(code + "\nreturn handler;")();
  const values = (headers) => Object.fromEntries(Object.entries(headers ?? {}).map(([name, h]) => [name, h.value]));
  const ask = (method, uri) => {
    const request = { method, uri, headers: {}, querystring: {}, cookies: {} };
    const r = handler({ version: "1.0", context: { eventType: "viewer-request" }, viewer: {}, request });
    return { status: r.statusCode ?? 0, headers: values(r.headers) };
  };
  return byPath(async (uri) => {
    const response = handler({
      version: "1.0", context: { eventType: "viewer-response" }, viewer: {},
      request: { method: "GET", uri, headers: {} }, response: { statusCode: 200, headers: { etag: { value: "x" } } },
    });
    return {
      get: ask("GET", uri).status, options: ask("OPTIONS", uri), post: ask("POST", uri),
      sidecar: ask("GET", uri + ".etag").status, response: values(response.headers),
    };
  });
}

// served asks a connect middleware for every path.
async function served(middleware) {
  const server = http.createServer((req, res) => middleware(req, res, () => { res.statusCode = 404; res.end(); }));
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  try {
    return await byPath(async (p) => {
      const response = await fetch(`http://127.0.0.1:${server.address().port}${p}`);
      return { status: String(response.status), ...Object.fromEntries(response.headers) };
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function lower(headers) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

async function text(stream) {
  let all = "";
  for await (const chunk of stream) all += chunk;
  return all;
}
