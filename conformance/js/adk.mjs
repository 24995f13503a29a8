// An agent of @google/adk for the tests of contract. It prints where it listens, and its
// card, as one line of JSON, and ends with its standard input.
import express from "express";
import { BaseAgent } from "@google/adk";
import { toA2a } from "@google/adk/a2a";

const print = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true; // where it logs

class Echo extends BaseAgent {
  async *runAsyncImpl(context) {
    const actions = { stateDelta: {}, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {} };
    const content = { role: "model", parts: [{ text: "again" }] };
    const id = crypto.randomUUID();
    yield { id, invocationId: context.invocationId, author: this.name, timestamp: Date.now(), actions, content };
  }
}

const app = express();
const http = app.listen(0, "127.0.0.1");
await new Promise((resolve) => http.once("listening", resolve));
const port = http.address().port;
const agent = new Echo({ name: "echo", description: "Says again what was said to it." });
await toA2a(agent, { app, host: "127.0.0.1", port, basePath: "/a2a", allowUnauthenticated: true });
const web = `http://127.0.0.1:${port}`;
const card = await (await fetch(`${web}/a2a/.well-known/agent-card.json`)).json();
print(JSON.stringify({ web, card }) + "\n");
process.stdin.on("end", () => process.exit(0)).resume();
