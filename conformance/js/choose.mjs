// Reads one Agent Card per line of standard input as clients of @a2a-js/sdk 1.x
// and 0.3.x do, and answers each with one line of JSON: for both SDKs {error}, or
// the url that the client sends to, and the schemes and skills that it takes.
import { createInterface } from "node:readline";
import * as sdk10 from "@a2a-js/sdk/client";
import * as sdk03 from "a2a-js-sdk-0.3/client";

// choose returns what a client of an SDK makes of a card. Its transports only
// note where they would send to.
async function choose(sdk, options, body) {
  let chosen;
  const transports = ["JSONRPC", "HTTP+JSON"].map((protocolName) => ({
    protocolName,
    create: async (url) => {
      chosen ??= url;
      return {};
    },
  }));
  const cardResolver = new sdk.DefaultAgentCardResolver({ fetchImpl: async () => new Response(body), ...options });
  const card = await cardResolver.resolve("https://peer.example/");
  await new sdk.ClientFactory({ transports, cardResolver }).createFromAgentCard(card);
  return {
    url: chosen,
    schemes: Object.keys(card.securitySchemes ?? {}).sort(),
    skills: (card.skills ?? []).map((skill) => String(skill.id)).sort(),
  };
}

const fault = (error) => ({ error: String(error) });

for await (const body of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify([
    await choose(sdk10, { legacyCompat: { enabled: true } }, body).catch(fault),
    await choose(sdk03, {}, body).catch(fault),
  ]));
}
