// Reads one JSON string per line of standard input, the header of a skill, the
// way js-yaml does, and answers each with one line of JSON: {error} when it is
// not YAML or no map with a description, else {description}.
import { createInterface } from "node:readline";
import * as yaml from "js-yaml";

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    const header = yaml.load(JSON.parse(line), { schema: yaml.FAILSAFE_SCHEMA });
    const description = header?.metadata?.["a2a-description"] ?? header?.description;
    answer = typeof description === "string" ? { description } : { error: "no description" };
  } catch (error) {
    answer = { error: String(error.message).split("\n")[0] };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
