// An agent of Mastra for the tests of contract. It prints where it listens, and its card,
// as one line of JSON, and ends with its standard input.
import { createServer } from "node:http";
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { MastraServer } from "@mastra/hono";
import { InMemoryTaskStore } from "@mastra/server/a2a/store";
import { Hono } from "hono";

const print = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true; // where it logs

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const model = {
  specificationVersion: "v2",
  provider: "test",
  modelId: "echo",
  supportedUrls: {},
  async doGenerate() {
    return { content: [{ type: "text", text: "again" }], finishReason: "stop", usage, warnings: [] };
  },
  async doStream() {
    return {
      stream: ReadableStream.from([
        { type: "stream-start", warnings: [] },
        { type: "text-start", id: "1" },
        { type: "text-delta", id: "1", delta: "again" },
        { type: "text-end", id: "1" },
        { type: "finish", finishReason: "stop", usage },
      ]),
    };
  },
};

const description = "Says again what was said to it.";
const agent = new Agent({ id: "echo", name: "Honest Agent", description, instructions: description, model });
const app = new Hono();
const mastra = new Mastra({ agents: { echo: agent }, logger: false });
await new MastraServer({ app, mastra, taskStore: new InMemoryTaskStore() }).init();
const server = createServer(async (req, res) => {
  const body = await new Response(req).arrayBuffer();
  const sent = { method: req.method, headers: req.headers, body: body.byteLength > 0 ? body : undefined };
  const answer = await app.fetch(new Request(`http://${req.headers.host}${req.url}`, sent));
  res.writeHead(answer.status, Object.fromEntries(answer.headers));
  try {
    for await (const chunk of answer.body ?? []) {
      res.write(chunk);
    }
    res.end();
  } catch {
    res.destroy(); // a stream that fails
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const web = `http://127.0.0.1:${server.address().port}`;
const card = await (await fetch(`${web}/api/.well-known/echo/agent-card.json`)).json();
print(JSON.stringify({ web, card }) + "\n");
process.stdin.on("end", () => process.exit(0)).resume();
