// The agent of gemini-cli for the tests of contract: one file, unpacked where the first argument
// says, which starts only as a program. It prints where it listens, and its card, as one line of
// JSON, and ends with its standard input.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const home = mkdtempSync(join(tmpdir(), "gemini-"));
const tools = join(home, ".gemini", "tmp", "bin");
mkdirSync(tools, { recursive: true });
writeFileSync(join(tools, "rg"), "", { mode: 0o755 }); // or it downloads one
// No call needs the model, so any key does.
const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home, GEMINI_API_KEY: "none" };
const child = spawn(process.execPath, [process.argv[2]], { cwd: home, env, stdio: ["ignore", "pipe", "ignore"] });
const end = () => {
  child.kill("SIGKILL");
  rmSync(home, { recursive: true, force: true });
  process.exit();
};
child.on("exit", end);
process.stdin.on("end", end).resume();
for await (const line of createInterface({ input: child.stdout })) {
  const at = line.match(/Agent Card: (\S+)/);
  if (at) {
    const card = await (await fetch(at[1])).json();
    console.log(JSON.stringify({ web: new URL(at[1]).origin, card }));
  }
}
