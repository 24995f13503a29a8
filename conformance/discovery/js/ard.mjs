// Judges manifests of ARD as Lighthouse does, whose rules are those of the tester of
// the specification. Prints a line for each defect.
import { readFileSync } from 'node:fs';
import { ConformanceTester } from 'lighthouse/third-party/ard/ard.js';

for (const name of process.argv.slice(2)) {
  const tester = new ConformanceTester();
  tester.validate_manifest(readFileSync(name, 'utf8'), name);
  for (const { element, message } of [...tester.errors, ...tester.warnings]) {
    console.log(`${name}: ${element}: ${message}`);
  }
}
