// Prints the schemas on the card of the golden tree, as the reader of the documentation has
// them, after it has checked inputs with them.
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { checkInput, skillSchemas } from "./skill-schemas.mjs";

const card = JSON.parse(readFileSync(process.argv[2], "utf8"));
const ajv = new Ajv2020({ strict: false, validateFormats: false });
checkInput(card, "estimate_delivery", { number: "42" }, ajv);
for (const [id, data] of [["estimate_delivery", { number: 42 }], ["nothing", {}]]) {
  let refused = false;
  try {
    checkInput(card, id, data, ajv);
  } catch {
    refused = true;
  }
  if (!refused) throw new Error(`${id} takes ${JSON.stringify(data)}`);
}
if (Object.keys(skillSchemas({ capabilities: {} })).length > 0) throw new Error("schemas of nothing");
console.log(JSON.stringify(skillSchemas(card)));
