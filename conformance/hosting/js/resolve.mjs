// Resolves the card of every base URL among the arguments with the official
// client, and prints the names of the agents.
import http from "node:http";
import { DefaultAgentCardResolver } from "@a2a-js/sdk/client";

// Names below localhost are this machine, which resolvers seldom know.
const lookup = (host, options, done) =>
  options.all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);

const fetchImpl = (url, init) => new Promise((resolve, reject) => {
  const request = http.request(url, { method: init?.method, headers: init?.headers && Object.fromEntries(new Headers(init.headers)), lookup }, (answer) => {
    const chunks = [];
    answer.on("data", (chunk) => chunks.push(chunk));
    answer.on("end", () => resolve(new Response(Buffer.concat(chunks), { status: answer.statusCode, headers: answer.headers })));
  });
  request.on("error", reject);
  request.end();
});

const resolver = new DefaultAgentCardResolver({ fetchImpl });
const names = [];
for (const base of process.argv.slice(2)) {
  names.push((await resolver.resolve(base)).name);
}
process.stdout.write(JSON.stringify(names));
