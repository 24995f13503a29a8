// Reads one Agent Card per line of standard input as clients of @a2a-js/sdk 1.x
// and 0.3.x do, and answers each with one line of JSON: for both SDKs {error}, or
// the url that the client sends to, and the schemes, requirements and skills that
// it takes.
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
    schemes: Object.fromEntries(Object.entries(card.securitySchemes ?? {}).map(([name, s]) => [name, options.own(s)])),
    requirements: card.securityRequirements ?? card.security,
    skills: card.skills ?? [],
  };
}

// own03 returns the members of a scheme of 0.3 that its types have: the SDK hands out
// the object as it is, with those of 1.0 beside them.
const own03 = ({ type, description, ...scheme }) => {
  const names = {
    apiKey: ["in", "name"],
    http: ["scheme", "bearerFormat"],
    oauth2: ["flows", "oauth2MetadataUrl"],
    openIdConnect: ["openIdConnectUrl"],
  }[type] ?? [];
  return { type, description, ...Object.fromEntries(names.map((name) => [name, scheme[name]])) };
};

const fault = (error) => ({ error: String(error) });

for await (const body of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify([
    await choose(sdk10, { legacyCompat: { enabled: true }, own: (scheme) => scheme }, body).catch(fault),
    await choose(sdk03, { own: own03 }, body).catch(fault),
  ]));
}
