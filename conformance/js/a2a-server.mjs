// The agent of gemini-cli for the tests of contract, from the file that the first argument names,
// which starts only in a program of its own name. It prints where it listens, and its card, as one
// line of JSON, and ends with its standard input.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , file] = process.argv;
const home = join(dirname(file), "home");
const tools = join(home, ".gemini", "tmp", "bin");
mkdirSync(tools, { recursive: true });
writeFileSync(join(tools, "rg"), "", { mode: 0o755 }); // or it downloads one
process.chdir(home);
// No call needs the model, so any key does.
Object.assign(process.env, { HOME: home, GEMINI_API_KEY: "none" });

const print = process.stdout.write.bind(process.stdout);
process.stdout.write = (line) => { // where it logs
  const at = String(line).match(/Agent Card: (\S+)/);
  if (at) {
    fetch(at[1])
      .then((answer) => answer.json())
      .then((card) => print(JSON.stringify({ web: new URL(at[1]).origin, card }) + "\n"));
  }
  return true;
};
process.stdin.on("end", () => process.exit(0)).resume();
await import(pathToFileURL(file));
