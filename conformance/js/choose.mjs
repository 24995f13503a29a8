// Reads one request per line of stdin, {card, bindings}, and answers each with one line of JSON: the URL that clients
// of @a2a-js/sdk 1.x, of the same with legacyCompat, and of 0.3.x send to, "" where they cannot use the card. Clients
// have the transports of the bindings.
import { createInterface } from "node:readline";
import * as sdk10 from "@a2a-js/sdk/client";
import * as sdk03 from "a2a-js-sdk-0.3/client";

// choose returns the URL that a client sends to. Its transports only note it.
async function choose(sdk, options, { card, bindings }) {
  let chosen = "";
  const transports = bindings.map((protocolName) => ({
    protocolName,
    create: async (url) => {
      chosen ||= url;
      return {};
    },
  }));
  const fetchImpl = async () => new Response(JSON.stringify(card));
  const cardResolver = new sdk.DefaultAgentCardResolver({ fetchImpl, ...options });
  try {
    const resolved = await cardResolver.resolve("https://peer.example/");
    await new sdk.ClientFactory({ transports, cardResolver }).createFromAgentCard(resolved);
  } catch {
    return "";
  }
  return chosen;
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  console.log(JSON.stringify([
    await choose(sdk10, {}, request),
    await choose(sdk10, { legacyCompat: { enabled: true } }, request),
    await choose(sdk03, {}, request),
  ]));
}
