// An agent of VoltAgent that serves the card in dist, on the port that the argument names.
// It prints where, as one line of JSON, and ends with its standard input.
import { Agent, VoltAgent } from "@voltagent/core";
import { honoServer } from "@voltagent/server-hono";
import { desk } from "./frameworks/voltagent.mjs";

const print = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true; // where it logs

const port = Number(process.argv[2]);
const model = { specificationVersion: "v2", provider: "test", modelId: "none", supportedUrls: {} };
const agent = new Agent({ name: "desk", purpose: "Books rooms.", instructions: "Book rooms.", model });
new VoltAgent({ agents: { desk: agent }, a2aServers: { desk }, server: honoServer({ port, hostname: "127.0.0.1" }) });
const url = `http://127.0.0.1:${port}/.well-known/desk/agent-card.json`;
while (!(await fetch(url).catch(() => null))) {
  await new Promise((resolve) => setTimeout(resolve, 50));
}
print(JSON.stringify({ VoltAgent: url }) + "\n");
process.stdin.on("end", () => process.exit(0)).resume();
