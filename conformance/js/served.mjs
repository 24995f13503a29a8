// Agents of frameworks that serve the card in dist, as docs/recipes/frameworks.md shows it.
// It prints where each serves it, as one line of JSON, and ends with its standard input.
import { createServer } from "node:http";
import { BaseAgent } from "@google/adk";
import { UserBuilder } from "@a2a-js/sdk/server/express";
import { Mastra } from "@mastra/core";
import { MastraServer } from "@mastra/hono";
import express from "express";
import { Hono } from "hono";
import { serve as serveA2AJS } from "./frameworks/a2a-js.mjs";
import { serve as serveADK } from "./frameworks/adk.mjs";
import { server } from "./frameworks/mastra.mjs";

const print = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true; // where ADK logs

async function listen(handler) {
  const http = createServer(handler);
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${http.address().port}/.well-known/agent-card.json`;
}

class Desk extends BaseAgent {}

const a2aJS = express();
serveA2AJS(a2aJS);
const adk = express();
await serveADK(new Desk({ name: "desk", description: "Books rooms." }), adk, UserBuilder.noAuthentication);
const mastra = new Hono();
await new MastraServer({ app: mastra, mastra: new Mastra({ server, logger: false }) }).init();

const at = {
  "a2a-js": await listen(a2aJS),
  "ADK (JavaScript)": await listen(adk),
  Mastra: await listen(async (req, res) => {
    const answer = await mastra.fetch(new Request(`http://${req.headers.host}${req.url}`));
    res.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  }),
};
print(JSON.stringify(at) + "\n");
process.stdin.on("end", () => process.exit(0)).resume();
