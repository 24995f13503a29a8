// Reads one Agent Card per line of standard input the way a client of
// @a2a-js/sdk does, and answers each with one line of JSON: {error} when the
// SDK refuses the card, else {reading, types}. reading is what the SDK
// understood; types is the card after a trip through the SDK's 1.0 types.
import { createInterface } from "node:readline";
import { AgentCard } from "@a2a-js/sdk";
import { DefaultAgentCardResolver } from "@a2a-js/sdk/client";

async function read(body) {
  const resolver = new DefaultAgentCardResolver({
    fetchImpl: async () => new Response(body),
    legacyCompat: { enabled: true },
  });
  const card = await resolver.resolve("https://peer.example/");
  return {
    reading: {
      name: card.name,
      version: card.version,
      endpoints: card.supportedInterfaces.map((i) => `${i.protocolBinding} ${i.url}`),
      schemes: Object.keys(card.securitySchemes ?? {}),
      skills: card.skills.map((skill) => skill.id),
    },
    types: AgentCard.toJSON(AgentCard.fromJSON(JSON.parse(body))),
  };
}

for await (const body of createInterface({ input: process.stdin })) {
  const answer = await read(body).catch((error) => ({ error: String(error) }));
  console.log(JSON.stringify(answer));
}
