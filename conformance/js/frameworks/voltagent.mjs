import { readFileSync } from "node:fs";
import { A2AServer } from "@voltagent/a2a-server";

const card = JSON.parse(readFileSync("dist/.well-known/agent-card.json"));

// Published serves the generated card at /.well-known/desk/agent-card.json.
class Published extends A2AServer {
  getAgentCard() {
    return card;
  }
}

export const desk = new Published({ id: "desk", name: "desk", version: card.version });
