#!/usr/bin/env node
// Starts the program in the package of this platform.
const { spawn } = require("node:child_process");

const platform = `@cardwright/${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${platform}/bin/cardwright${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`cardwright: the package ${platform} is missing
  hint: install cardwright with its optional dependencies; if there is no such package, build cardwright with Go`);
  process.exit(3);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
process.on("SIGINT", () => {}); // the terminal sends it to the program as well
for (const signal of ["SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`cardwright: ${error.message}`);
  process.exit(3);
});
child.on("exit", (code) => process.exit(code ?? 3));
