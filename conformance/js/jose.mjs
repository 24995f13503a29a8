// Verifies one Agent Card per line of standard input with jose. A line is {card, key}: the
// answer is {} when a signature of the card is by the public key, else {error}.
import { createInterface } from "node:readline";
import { flattenedVerify, importJWK } from "jose";

// canonical is RFC 8785: JSON.stringify writes strings and numbers as it says, and sort
// compares UTF-16 code units.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(",")}}`;
}

async function answer({ card, key }) {
  const { signatures, ...rest } = card;
  const payload = Buffer.from(canonical(rest)).toString("base64url");
  const algorithms = ["ES256", "ES384", "ES512", "EdDSA", "RS256"];
  for (const { protected: header, signature } of signatures) {
    if (JSON.parse(Buffer.from(header, "base64url")).kid !== key.kid) continue;
    await flattenedVerify({ protected: header, signature, payload }, await importJWK(key), { algorithms });
    return {};
  }
  throw new Error("no signature names the key");
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await answer(JSON.parse(line)).catch((error) => ({ error: String(error) }));
  console.log(JSON.stringify(reply));
}
