import { readFileSync } from "node:fs";
import { registerApiRoute } from "@mastra/core/server";

const card = JSON.parse(readFileSync("dist/.well-known/agent-card.json"));

// new Mastra({ agents, server }) also serves the card that it makes, at /api/.well-known/AGENT/agent-card.json.
export const server = {
  apiRoutes: [registerApiRoute("/.well-known/agent-card.json", { method: "GET", handler: (c) => c.json(card) })],
};
