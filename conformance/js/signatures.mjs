// Signs or verifies one Agent Card per line of standard input with the package that
// its sdk names, @a2a-js/sdk or an older release of it. A line is {sdk, card, key}: with
// a private key the card is signed and answered as {signed}, with a public one its
// signatures are verified and the answer is {}. What goes wrong is answered as {error}.
import { createInterface } from "node:readline";

console.debug = () => {}; // the SDK tells there why it refuses a signature

async function answer({ sdk, card, key }) {
  const { generateAgentCardSignature, verifyAgentCardSignature } = await import(sdk);
  if (key.d) {
    const sign = generateAgentCardSignature(key, { alg: key.alg, kid: key.kid, typ: "JOSE" });
    return { signed: await sign(card) };
  }
  const verify = verifyAgentCardSignature(async (kid) => {
    if (kid !== key.kid) throw new Error(`no key is named ${kid}`);
    return key;
  });
  await verify(card);
  return {};
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await answer(JSON.parse(line)).catch((error) => ({ error: String(error) }));
  console.log(JSON.stringify(reply));
}
