import { readFileSync } from "node:fs";
import { agentCardHandler } from "@a2a-js/sdk/server/express";

const card = JSON.parse(readFileSync("dist/.well-known/agent-card.json"));

// app is the Express application that has your jsonRpcHandler or restHandler.
export function serve(app) {
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: async () => card }));
}
