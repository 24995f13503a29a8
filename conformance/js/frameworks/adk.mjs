import { toA2a } from "@google/adk/a2a";

// app is an Express application, authentication a UserBuilder of @a2a-js/sdk.
export function serve(agent, app, authentication) {
  return toA2a(agent, { app, authentication, agentCard: "dist/.well-known/agent-card.json" });
}
